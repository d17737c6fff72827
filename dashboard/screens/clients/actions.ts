// What one can do with a client's workspace.

import type { ClientWorkspace } from '../../api/generated.ts';
import { mayOpen } from '../../api/session-context.tsx';
import { type Action, actionsOn, removing } from '../../kit/action.ts';
import { openOrg } from './open-org.ts';
import { words } from './words.ts';

export const openClient: Action<ClientWorkspace> = {
  id: 'open',
  label: words.switch,
  icon: 'external',
  why: ({ id }, session) => (mayOpen(session, id) ? undefined : words.notMember),
  run: ({ id }) => void openOrg({ org: id }),
};

export const removeClient = actionsOn<ClientWorkspace>()({
  ...removing(words.delete, 'admin'),
  confirm: ({ name }) => ({
    title: words.deleteTitle(name),
    text: words.deleteText,
    typed: name,
  }),
  operation: 'deleteClient',
  args: (one) => ({ path: { id: one.id }, base: one }),
  done: ({ name }) => words.deleted(name),
});
