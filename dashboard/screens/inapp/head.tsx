// The head of one in-app message, with saving and deleting.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { InAppMessage } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words } from './words.ts';

export function InAppHead({
  saved,
  isDirty,
  isBusy,
  onSave,
  onRemoved,
}: {
  readonly saved: InAppMessage | undefined;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly onSave: () => void;
  /** Before its editor is left. */
  readonly onRemoved: () => void;
}) {
  const app = useApp();
  const [, go] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const refused = useRefusal('write');
  const remove = useAct('deleteInAppMessage');
  const list = appPath(app.id, 'inapp');
  const message = useRead(
    'readMessage',
    { path: { appId: app.id, id: saved?.messageId ?? '' } },
    { enabled: saved !== undefined },
  ).data;
  const title = saved === undefined ? words.create : (message?.name ?? message?.title ?? saved.id);
  return (
    <>
      <ScreenHead
        title={title}
        crumb={{ to: list, label: words.title }}
        aside={isDirty && <Badge tone="notice">{words.unsaved}</Badge>}
        actions={
          <>
            {saved !== undefined && (
              <Button icon="trash" refused={refused} onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            )}
            <Button kind="primary" refused={refused} isBusy={isBusy} onClick={onSave}>
              {words.save}
            </Button>
          </>
        }
      />
      {saved !== undefined && (
        <Confirm
          title={words.removeTitle}
          action={words.remove}
          isOpen={isRemoving}
          isBusy={remove.isPending}
          error={remove.error?.message}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            remove.mutate(
              { path: { appId: app.id, id: saved.id }, base: saved },
              {
                onSuccess: () => {
                  tellDone(words.removed);
                  onRemoved();
                  go(list);
                },
              },
            )
          }
        >
          {words.removeText}
        </Confirm>
      )}
    </>
  );
}
