// Chooses a picture among those of the app, or uploads one.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { hrefOf, refreshAfter, send } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/errors.ts';
import type { Asset } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { bytes } from '../../ui/figure.tsx';
import { ErrorNote, Grey, Note } from '../../ui/note.tsx';
import { words } from './words.ts';

const text = words.pictures;
/** Of the API. */
const bytesMax = 1_048_576;
const appBytesMax = 209_715_200;
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
  const { upload, uploading, error, refused } = useUpload(list.first?.bytes, onChoose);
  const [removing, setRemoving] = useState<Asset>();
  const pictures = list.items?.filter(isPicture);
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={text.title}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <Button
          kind="primary"
          icon="upload"
          isBusy={uploading !== undefined}
          onClick={() => input.current?.click()}
        >
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
          // The same file may be chosen again after a failure.
          target.value = '';
        }}
      />
      {error !== undefined && <ErrorNote error={error} />}
      {refused !== undefined && <Note tone="bad">{refused}</Note>}
      <p role="status" className="soft">
        {uploading !== undefined && text.uploading(uploading.name, bytes(uploading.size))}
      </p>
      {list.error !== undefined && <ErrorNote error={list.error} onAgain={list.again} />}
      {list.isLoading && <Grey rows={4} />}
      {pictures?.length === 0 && <p className="soft">{text.empty}</p>}
      <ul className="pictures">
        {pictures?.map((one) => (
          <PictureOption key={one.id} asset={one} onChoose={onChoose} onRemove={setRemoving} />
        ))}
      </ul>
      {removing !== undefined && (
        <RemovePicture asset={removing} onClose={() => setRemoving(undefined)} />
      )}
    </Dialog>
  );
}

/** A file that emails attach has no address. */
type Picture = Asset & { readonly url: string; readonly width: number; readonly height: number };

function isPicture(asset: Asset): asset is Picture {
  return asset.url !== undefined;
}

function PictureOption({
  asset,
  onChoose,
  onRemove,
}: {
  readonly asset: Picture;
  readonly onChoose: (url: string) => void;
  readonly onRemove: (asset: Asset) => void;
}) {
  const name = asset.name ?? asset.id;
  return (
    <li>
      <button
        type="button"
        className="picture-option"
        aria-label={text.use(name)}
        onClick={() => onChoose(asset.url)}
      >
        <img src={new URL(asset.url).pathname} alt="" loading="lazy" />
      </button>
      <div className="picture-option-foot">
        <span className="ellipsis" title={name}>
          {name}
        </span>
        <IconButton
          label={text.remove(name)}
          icon="trash"
          size="small"
          onClick={() => onRemove(asset)}
        />
      </div>
      <span className="soft">{text.size(asset.width, asset.height, bytes(asset.bytes))}</span>
    </li>
  );
}

/** Messages keep the address, so what goes missing in them is said first. */
function RemovePicture({
  asset,
  onClose,
}: {
  readonly asset: Asset;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const act = useAct('deleteAsset');
  return (
    <Confirm
      title={text.removeTitle(asset.name ?? asset.id)}
      action={text.removeAction}
      isOpen
      isBusy={act.isPending}
      error={act.error?.message}
      onClose={onClose}
      onConfirm={() =>
        act.mutate({ path: { appId: app.id, id: asset.id }, base: asset }, { onSuccess: onClose })
      }
    >
      <p>{text.removeText}</p>
    </Confirm>
  );
}

/** Why a file cannot be stored. `used`: by all of the app, if it is known yet. */
function refusalOf({ name, size }: File, used: number | undefined): string | undefined {
  if (size > bytesMax) return text.tooLarge(name, bytes(size));
  const left = Math.max(0, appBytesMax - (used ?? 0));
  return size > left ? text.noRoom(name, bytes(size), bytes(left)) : undefined;
}

function useUpload(used: number | undefined, onDone: (url: string) => void) {
  const app = useApp();
  const client = useQueryClient();
  const [uploading, setUploading] = useState<File>();
  const [error, setError] = useState<ApiError>();
  const [refused, setRefused] = useState<string>();
  const upload = async (file: File) => {
    const refusal = refusalOf(file, used);
    setRefused(refusal);
    setError(undefined);
    if (refusal !== undefined) return;
    setUploading(file);
    try {
      const target = hrefOf('uploadAsset', { path: { appId: app.id }, query: { name: file.name } });
      const asset = (await (await send('POST', target, { body: file })).json()) as Asset;
      await refreshAfter(client, 'uploadAsset');
      if (asset.url !== undefined) onDone(asset.url);
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setUploading(undefined);
    }
  };
  return { upload, uploading, error, refused };
}
