// What one can do with a sign-up form.

import type { Form } from '../../api/generated.ts';
import { type Action, actionsOn, removing } from '../../kit/action.ts';
import { words } from './words.ts';

const on = actionsOn<Form>();

const args = ({ key, ...base }: Form, appId: string) => ({ path: { appId, key }, base });

export const remove = on({
  ...removing(words.remove),
  confirm: ({ name, key }) => ({
    title: words.removeTitle(name),
    text: words.removeText,
    typed: key,
  }),
  operation: 'deleteForm',
  args,
  done: () => words.removed,
  goTo: () => ['forms'],
});

const archive = on({
  id: 'archive',
  label: words.archive,
  needs: 'write',
  isFor: ({ archivedAt }) => archivedAt === null,
  operation: 'updateForm',
  args: (form, appId) => ({ ...args(form, appId), body: { archived: true } }),
  done: () => words.archived,
});

const unarchive = on({
  id: 'unarchive',
  label: words.unarchive,
  needs: 'write',
  isFor: ({ archivedAt }) => archivedAt !== null,
  operation: 'updateForm',
  args: (form, appId) => ({ ...args(form, appId), body: { archived: false } }),
  done: () => words.unarchived,
});

export const rowActions: readonly (Action<Form> | 'line')[] = [archive, unarchive, 'line', remove];
