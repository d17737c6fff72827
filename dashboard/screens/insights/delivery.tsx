// What became of messages by channel, and why the others failed.

import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { ChannelHealth } from '../../kit/channel-health.tsx';
import { PlainTable } from '../../kit/plain-table.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { count } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { channelName } from '../../words/channels.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { words } from './words.ts';

export function Delivery({ days }: { readonly days: number }) {
  const app = useApp();
  const health = useRead('readChannelHealth', { query: { appId: app.id, days } });
  const failures = useRead('readDeliveryFailures', { query: { appId: app.id, days, limit: 100 } });
  return (
    <>
      <ChannelHealth result={health} none={<Empty icon="channels" title={words.nothingSent} />} />
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
                  cell: ({ channel }) => channelName(channel),
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
