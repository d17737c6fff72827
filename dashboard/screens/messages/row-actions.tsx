// What one can do with a saved message or template, from the list or the editor.

import {
  type Action,
  type AppPlace,
  actionsOn,
  asShown,
  duplicating,
  removing,
} from '../../kit/action.ts';
import type { Saved } from './draft.ts';
import { UsedBy } from './uses-note.tsx';
import { words } from './words.ts';

const change = actionsOn<Saved>();

export function open(...screen: AppPlace): Action<Saved> {
  return { id: 'open', label: words.open, icon: 'edit', to: ({ id }) => [...screen, id] };
}

export const use: Action<Saved> = {
  id: 'use',
  label: words.use,
  icon: 'plus',
  to: ({ id }) => ['messages', 'new', `template.${id}`],
};

export const duplicate = change({
  ...duplicating,
  operation: 'duplicateMessage',
  done: () => words.duplicated,
  goTo: (_, { id }) => ['messages', id],
});

/** A new campaign that sends this message. */
export const campaign: Action<Saved> = {
  id: 'campaign',
  label: words.head.campaign,
  icon: 'campaigns',
  needs: 'write',
  to: () => ['campaigns', 'new'],
  params: ({ id }) => ({ message: id }),
};

export const remove = change({
  ...removing(words.remove),
  confirm: (one) => ({
    title: words.removeTitle(nameOf(one)),
    text: (
      <>
        <p>{words.removeText}</p>
        <UsedBy id={one.id} />
      </>
    ),
  }),
  operation: 'deleteMessage',
  args: asShown,
  done: () => words.removed,
});

/** It breaks the calls that send the template, so its handle is typed first. */
export const removeTemplate = change({
  ...removing(words.remove),
  confirm: (one) => ({
    title: words.removeTitle(nameOf(one)),
    text: words.removeTemplateText(nameOf(one)),
    typed: nameOf(one),
  }),
  operation: 'deleteMessageTemplate',
  args: (one, appId) => ({ path: { appId, idOrName: one.id }, base: one }),
  done: () => words.removed,
});

function nameOf({ name, title }: Saved): string {
  return name ?? title ?? words.unnamed;
}
