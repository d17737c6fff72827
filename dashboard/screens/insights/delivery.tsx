// What became of messages by channel, and why the others failed.

import { Link } from 'wouter';
import type { Channel } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { count, rate } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
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
            <ScrollX isCard>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{words.channel}</th>
                    {[words.delivered, words.bounced, words.failed, words.suppressed].map((one) => (
                      <th key={one} scope="col" className="end">
                        {one}
                      </th>
                    ))}
                    <th scope="col" className="end">
                      {words.bounceRate}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([channel, one]) => (
                    <tr key={channel}>
                      <th scope="row">{channelNames[channel as Channel]}</th>
                      <td className="end">{count(one.delivered)}</td>
                      <td className="end">{count(one.bounced)}</td>
                      <td className="end">{count(one.failed)}</td>
                      <td className="end">{count(one.suppressed)}</td>
                      <td className="end">{rate(one.bounceRate, 1)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
          );
        }}
      </Answer>
      <h2>{words.failures}</h2>
      <Answer result={failures}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{words.noFailures}</p>
          ) : (
            <ScrollX isCard>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{words.reason}</th>
                    <th scope="col">{words.channel}</th>
                    <th scope="col">{words.lane}</th>
                    <th scope="col" className="end">
                      {words.count}
                    </th>
                    <th scope="col" className="end">
                      {words.recovered}
                    </th>
                    <th scope="col">{words.last}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ reason, channel, lane, count: all, recovered, lastAt }) => (
                    <tr key={`${reason} ${channel} ${lane}`}>
                      <td>
                        <Link
                          to={withParams(appPath(app.id, 'activity'), { tab: 'failures', reason })}
                        >
                          {reasonText(reason, channel ?? undefined)}
                        </Link>
                      </td>
                      <td>{channelNames[channel as Channel] ?? channel}</td>
                      <td>{words.lanes[lane]}</td>
                      <td className="end">{count(all)}</td>
                      <td className="end">{count(recovered)}</td>
                      <td>
                        <Time at={lastAt} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
          )
        }
      </Answer>
    </>
  );
}
