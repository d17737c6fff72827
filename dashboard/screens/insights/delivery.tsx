// What became of messages by channel, and why the others failed.

import { Link } from 'wouter';
import type { AnswerOf } from '../../api/client.ts';
import type { Channel } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { PlainTable } from '../../kit/plain-table.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { count, rate } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { channelNames } from '../../words/channels.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { words } from './words.ts';

export function Delivery({ days }: { readonly days: number }) {
  const app = useApp();
  const health = useRead('readChannelHealth', { query: { appId: app.id, days } });
  const failures = useRead('readDeliveryFailures', { query: { appId: app.id, days, limit: 100 } });
  return (
    <>
      <Answer result={health}>
        {({ channels }) => {
          const rows = Object.entries(channels).filter(([, one]) =>
            [one.delivered, one.bounced, one.failed, one.suppressed].some((some) => some > 0),
          );
          if (rows.length === 0) return <Empty icon="channels" title={words.nothingSent} />;
          return (
            <PlainTable isCard columns={ofChannels} rows={rows} keyOf={([channel]) => channel} />
          );
        }}
      </Answer>
      <h2>{words.failures}</h2>
      <Answer result={failures}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{words.noFailures}</p>
          ) : (
            <PlainTable
              isCard
              columns={[
                {
                  head: words.reason,
                  cell: ({ reason, channel }) => (
                    <Link to={withParams(appPath(app.id, 'activity'), { tab: 'failures', reason })}>
                      {reasonText(reason, channel ?? undefined)}
                    </Link>
                  ),
                },
                {
                  head: words.channel,
                  cell: ({ channel }) => channelNames[channel as Channel] ?? channel,
                },
                { head: words.lane, cell: ({ lane }) => words.lanes[lane] },
                { head: words.count, isNumber: true, cell: (one) => count(one.count) },
                { head: words.recovered, isNumber: true, cell: (one) => count(one.recovered) },
                { head: words.last, cell: ({ lastAt }) => <Time at={lastAt} /> },
              ]}
              rows={items}
              keyOf={({ reason, channel, lane }) => `${reason} ${channel} ${lane}`}
            />
          )
        }
      </Answer>
    </>
  );
}

type OfChannel = readonly [string, AnswerOf<'readChannelHealth'>['channels'][string]];

const ofChannels = [
  {
    head: words.channel,
    isHead: true,
    cell: ([channel]: OfChannel) => channelNames[channel as Channel],
  },
  { head: words.delivered, isNumber: true, cell: ([, one]: OfChannel) => count(one.delivered) },
  { head: words.bounced, isNumber: true, cell: ([, one]: OfChannel) => count(one.bounced) },
  { head: words.failed, isNumber: true, cell: ([, one]: OfChannel) => count(one.failed) },
  { head: words.suppressed, isNumber: true, cell: ([, one]: OfChannel) => count(one.suppressed) },
  { head: words.bounceRate, isNumber: true, cell: ([, one]: OfChannel) => rate(one.bounceRate, 1) },
];
