// The columns of the suppressions: who, since when and why, and the button that takes one back.

import type { Suppression } from '../../api/generated.ts';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { useIsNarrow } from '../../ui/media.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { optOutBy, optOutNote } from '../../words/opt-outs.ts';
import { channelsOf, InShort, OptOutFacts } from './facts.tsx';
import { words } from './words.ts';

const remove = actionsOn<Suppression>()({
  id: 'remove',
  label: words.remove,
  needs: 'write',
  confirm: (one) => ({
    title: words.removeTitle(one.address),
    text: (
      <div className="stack">
        <OptOutFacts of={one} />
        <p>{one.identity === 'phone' ? words.removePhone : words.removeText}</p>
      </div>
    ),
  }),
  operation: 'deleteSuppression',
  args: (one, appId) => {
    const [channel = 'email'] = one.channels;
    return { path: { appId }, query: { channel, address: one.address }, base: one };
  },
  done: () => words.removed,
});

export const columns: readonly Column<Suppression>[] = [
  { id: 'address', head: words.address, cell: (one) => one.address, narrow: 'title' },
  {
    id: 'channels',
    head: words.channels,
    cell: (one) => <Channels one={one} />,
    narrow: 'sub',
  },
  { id: 'scope', head: words.scope, width: '130px', cell: ({ scope }) => words.scopes[scope] },
  { id: 'source', head: words.source, width: '190px', cell: optOutBy },
  { id: 'reason', head: words.reason, cell: optOutNote },
  {
    id: 'since',
    head: words.since,
    width: '110px',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'remove',
    head: '',
    width: '104px',
    cell: (one) => <ActionButton action={remove} thing={one} size="small" />,
    narrow: 'side',
  },
];

function Channels({ one }: { readonly one: Suppression }) {
  return useIsNarrow() ? <InShort of={one} /> : channelsOf(one);
}
