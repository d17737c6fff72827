// What else one can do with a journey: duplicate it, archive it, delete it.

import type { Journey } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { actionsOn, asShown, duplicating, named, removing } from '../../kit/action.ts';
import { type ActionList, ActionMenu } from '../../kit/action-view.tsx';
import { forgetKept, keptKey } from '../../ui/kept-store.ts';
import { actionWords } from '../../words/actions.ts';
import { words } from './words.ts';

export function JourneyMenu({ journey }: { readonly journey: Journey }) {
  const app = useApp();
  return (
    <ActionMenu
      isEdited
      label={words.more}
      actions={actions}
      thing={journey}
      onDone={({ id }) => id === 'remove' && forgetKept(keptKey('journey', app.id, journey.id))}
    />
  );
}

const change = actionsOn<Journey>();

export const unarchive = change({
  id: 'unarchive',
  label: actionWords.unarchive,
  icon: 'inbox',
  needs: 'write',
  isFor: ({ archivedAt }) => archivedAt !== null,
  operation: 'unarchiveJourney',
  args: named,
  done: ({ name }) => words.unarchived(name),
});

const actions: ActionList<Journey> = [
  change({
    ...duplicating,
    operation: 'duplicateJourney',
    done: (_, { name }) => words.duplicated(name),
    goTo: (_, { id }) => ['journeys', id],
  }),
  change({
    id: 'archive',
    label: actionWords.archive,
    icon: 'inbox',
    needs: 'write',
    isFor: ({ archivedAt }) => archivedAt === null,
    why: ({ active }) => (active ? words.archiveLive : undefined),
    operation: 'archiveJourney',
    args: named,
    done: ({ name }) => words.archived(name),
    undo: unarchive,
  }),
  unarchive,
  'line',
  change({
    ...removing(words.remove),
    why: ({ active }) => (active ? words.removeLive : undefined),
    confirm: ({ name }) => ({
      title: words.removeTitle(name),
      text: words.removeText,
      typed: name,
    }),
    operation: 'deleteJourney',
    args: asShown,
    done: ({ name }) => words.removed(name),
    goTo: () => ['journeys'],
  }),
];
