// What one can do with a saved message from the list or the editor.

import { useLocation } from 'wouter';
import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import type { Saved } from './draft.ts';
import type { Kind } from './use-saving.ts';
import { UsedBy } from './uses-note.tsx';
import { words } from './words.ts';

/** Makes a copy and opens it. */
export function useDuplicate(): (row: Saved) => void {
  const app = useApp();
  const [, go] = useLocation();
  const act = useAct('duplicateMessage');
  return (row) =>
    act.mutate(
      { path: { appId: app.id, id: row.id }, body: {} },
      {
        onSuccess: (copy) => {
          tellDone(words.duplicated);
          go(appPath(app.id, 'messages', copy.id));
        },
        onError: (error) => tellError(error.message),
      },
    );
}

/** A template's deletion breaks the calls that send it, so its handle is typed first. */
export function RemoveDialog({
  kind,
  row,
  onClose,
  onRemoved,
}: {
  readonly kind: Kind;
  readonly row: Saved;
  readonly onClose: () => void;
  readonly onRemoved?: () => void;
}) {
  const app = useApp();
  const message = useAct('deleteMessage');
  const template = useAct('deleteMessageTemplate');
  const act = kind === 'message' ? message : template;
  const name = row.name ?? row.title ?? words.unnamed;
  const done = {
    onSuccess: () => {
      tellDone(words.removed);
      onClose();
      onRemoved?.();
    },
  };
  return (
    <Confirm
      title={words.removeTitle(name)}
      action={words.remove}
      isOpen
      isBusy={act.isPending}
      error={act.error?.message}
      typed={kind === 'template' ? name : undefined}
      onClose={onClose}
      onConfirm={() =>
        kind === 'message'
          ? message.mutate({ path: { appId: app.id, id: row.id }, base: row }, done)
          : template.mutate({ path: { appId: app.id, idOrName: row.id }, base: row }, done)
      }
    >
      <p>{kind === 'message' ? words.removeText : words.removeTemplateText(name)}</p>
      {kind === 'message' && <UsedBy id={row.id} />}
    </Confirm>
  );
}
