// The columns of the failures: why, for whom, on which way, and what became of it.

import { Link } from 'wouter';
import type { DeadLetter } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { count } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { channelName } from '../../words/channels.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { words } from './words.ts';

/** Of a campaign's message, with the way to the campaign. */
function Lane({ letter: { lane, campaignId } }: { readonly letter: DeadLetter }) {
  const app = useApp();
  if (campaignId === null) return words.lanes[lane];
  return <Link to={appPath(app.id, 'campaigns', campaignId)}>{words.lanes[lane]}</Link>;
}

export const failureColumns: readonly Column<DeadLetter>[] = [
  {
    id: 'reason',
    head: words.reason,
    width: 'minmax(0, 1.4fr)',
    cell: ({ reason, channel, text }) => <span title={text}>{reasonText(reason, channel)}</span>,
    narrow: 'title',
  },
  {
    id: 'detail',
    head: words.detail,
    width: 'minmax(0, 2fr)',
    cell: ({ detail }) => <span title={detail}>{detail}</span>,
  },
  {
    id: 'who',
    head: words.who,
    width: 'minmax(0, 1.2fr)',
    cell: ({ subscriberId }) =>
      subscriberId === null ? words.deleted : <NameOf subscriberId={subscriberId} />,
  },
  {
    id: 'lane',
    head: words.lane,
    width: '110px',
    cell: (one) => <Lane letter={one} />,
  },
  {
    id: 'channel',
    head: words.channel,
    width: '110px',
    cell: ({ channel }) => channelName(channel),
    narrow: 'sub',
  },
  {
    id: 'attempts',
    head: words.attempts,
    width: '80px',
    isNumber: true,
    cell: ({ attempts }) => count(attempts),
  },
  {
    id: 'state',
    head: words.state,
    width: '132px',
    cell: ({ recoveredAt, redrivenAt }) => {
      if (recoveredAt !== null) return <Badge tone="good">{words.recovered}</Badge>;
      if (redrivenAt !== null) return <Badge tone="notice">{words.wasRedriven}</Badge>;
      return <Badge tone="bad">{words.open}</Badge>;
    },
    narrow: 'side',
  },
  {
    id: 'when',
    head: words.when,
    width: '110px',
    cell: ({ at }) => <Time at={at} />,
    narrow: 'side-sub',
  },
];
