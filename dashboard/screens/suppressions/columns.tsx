// The columns of the suppressions: who, since when and why, and the button that takes one back.

import type { Suppression } from '../../api/generated.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { optOutBy, optOutNote } from '../../words/opt-outs.ts';
import { channelsOf, InShort } from './facts.tsx';
import { words } from './words.ts';

export function columnsOf({
  isNarrow,
  refused,
  onRemove,
}: {
  readonly isNarrow: boolean;
  readonly refused: string | undefined;
  readonly onRemove: (one: Suppression) => void;
}): readonly Column<Suppression>[] {
  return [
    { id: 'address', head: words.address, cell: (one) => one.address, narrow: 'title' },
    {
      id: 'channels',
      head: words.channels,
      cell: (one) => (isNarrow ? <InShort of={one} /> : channelsOf(one)),
      narrow: 'sub',
    },
    { id: 'scope', head: words.scope, width: '130px', cell: ({ scope }) => words.scopes[scope] },
    {
      id: 'source',
      head: words.source,
      width: '190px',
      cell: optOutBy,
    },
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
      cell: (one) => (
        <Button size="small" refused={refused} onClick={() => onRemove(one)}>
          {words.remove}
        </Button>
      ),
      narrow: 'side',
    },
  ];
}
