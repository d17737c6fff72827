// What one can do with a saved message or template, from the list or the editor.

import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { type Action, type AppPlace, actionsOn, duplicating, removing } from '../../kit/action.ts';
import { useActions } from '../../kit/use-actions.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { tellDone } from '../../ui/toast.tsx';
import type { Saved } from './draft.ts';
import type { Kind } from './use-saving.ts';
import { UsedBy } from './uses-note.tsx';
import { words } from './words.ts';

export function open(...screen: AppPlace): Action<Saved> {
  return { id: 'open', label: words.open, icon: 'edit', to: ({ id }) => [...screen, id] };
}

export const use: Action<Saved> = {
  id: 'use',
  label: words.use,
  icon: 'plus',
  to: ({ id }) => ['messages', 'new', `template.${id}`],
};

export const duplicate = actionsOn<Saved>()({
  ...duplicating,
  operation: 'duplicateMessage',
  done: () => words.duplicated,
  goTo: (_, { id }) => ['messages', id],
});

export function remove(kind: Kind): Action<Saved> {
  return {
    ...removing(words.remove),
    dialog: (one, onClose) => <RemoveDialog kind={kind} row={one} onClose={onClose} />,
  };
}

/** Makes a copy and opens it. */
export function useDuplicate(): (row: Saved) => void {
  const { run } = useActions<Saved>();
  return (row) => run(duplicate, row);
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
