// Chooses a picture among those of the app, or uploads one.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { hrefOf, send } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/errors.ts';
import type { Asset } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../frame/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { words } from './words.ts';

const text = words.pictures;
const types = 'image/png,image/jpeg,image/gif,image/webp';

export function PictureChoice({ onChoose }: { readonly onChoose: (url: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button size="small" icon="image" onClick={() => setOpen(true)}>
        {text.choose}
      </Button>
      {isOpen && (
        <Pictures
          onClose={() => setOpen(false)}
          onChoose={(url) => {
            onChoose(url);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

function Pictures({
  onChoose,
  onClose,
}: {
  readonly onChoose: (url: string) => void;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const list = useList('listAssets', { path: { appId: app.id }, query: { order: 'newest' } });
  const { upload, isBusy, error } = useUpload(onChoose);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={text.title}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <Button kind="primary" icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
          {text.upload}
        </Button>
      }
    >
      <input
        ref={input}
        type="file"
        accept={types}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void upload(file);
        }}
      />
      {error !== undefined && <ErrorNote error={error} />}
      {list.error !== undefined && <ErrorNote error={list.error} onAgain={list.again} />}
      {list.isLoading && <Grey rows={4} />}
      {list.items?.length === 0 && <p className="soft">{text.empty}</p>}
      <ul className="pictures">
        {list.items?.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              aria-label={text.use(one.name ?? one.id)}
              onClick={() => onChoose(one.url)}
            >
              <img src={new URL(one.url).pathname} alt="" loading="lazy" />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function useUpload(onDone: (url: string) => void) {
  const app = useApp();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const upload = async (file: File) => {
    setBusy(true);
    setError(undefined);
    try {
      const target = hrefOf('uploadAsset', { path: { appId: app.id }, query: { name: file.name } });
      const asset = (await (await send('POST', target, { body: file })).json()) as Asset;
      await client.invalidateQueries({ queryKey: ['listAssets'] });
      onDone(asset.url);
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setBusy(false);
    }
  };
  return { upload, isBusy, error };
}
