// What else one can do with a segment: duplicate it, export its people, delete it.

import { hrefOf } from '../../api/client.ts';
import type { Segment } from '../../api/generated.ts';
import { actionsOn, asShown, duplicating, removing } from '../../kit/action.ts';
import { type ActionList, ActionMenu } from '../../kit/action-view.tsx';
import { UsesList, useSegmentUses } from './uses.tsx';
import { words } from './words.ts';

const change = actionsOn<Segment>();

export function SegmentMenu({
  segment,
  onRemoved,
}: {
  readonly segment: Segment;
  /** Before its editor is left. */
  readonly onRemoved: () => void;
}) {
  return (
    <ActionMenu
      isEdited
      label={words.more}
      actions={actions}
      thing={segment}
      onDone={({ id }) => id === 'remove' && onRemoved()}
    />
  );
}

const actions: ActionList<Segment> = [
  change({
    ...duplicating,
    operation: 'duplicateSegment',
    done: (_, { name }) => words.duplicated(name),
    goTo: (_, { id }) => ['segments', id],
  }),
  {
    id: 'export',
    label: words.exportCsv,
    icon: 'download',
    run: ({ id }, appId) =>
      location.assign(hrefOf('exportSubscribers', { path: { appId }, query: { segmentId: id } })),
  },
  'line',
  change({
    ...removing(words.remove),
    confirm: ({ id, name }) => ({ title: words.removeTitle(name), text: <Breaks id={id} /> }),
    operation: 'deleteSegment',
    args: asShown,
    done: ({ name }) => words.removed(name),
    goTo: () => ['segments'],
  }),
];

/** What breaks without the segment, or that nothing does. */
function Breaks({ id }: { readonly id: string }) {
  const { data } = useSegmentUses(id);
  if (data === undefined || data.items.length === 0) return words.removeText;
  return (
    <>
      <p>{words.removeBreaks}</p>
      <UsesList items={data.items} />
    </>
  );
}
