// What became of the last seven days' messages, by channel.

import { useLiveRead } from '../../api/live.ts';
import { count, rate } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { channelNames } from '../../words/channels.ts';
import { words } from './words.ts';

export function ChannelWeek({ appId }: { readonly appId: string }) {
  const health = useLiveRead(
    appId,
    'readChannelHealth',
    { query: { appId, days: 7 } },
    { topics: ['limits', 'newest-event'], isLive: () => true },
  );
  return (
    <section aria-labelledby="week" className="stack-tight">
      <h2 id="week">{words.week}</h2>
      <Answer result={health} rows={3}>
        {({ channels }) => {
          const rows = Object.entries(channels).filter(([, one]) =>
            [one.delivered, one.bounced, one.failed, one.suppressed].some((some) => some > 0),
          );
          if (rows.length === 0) return <p className="soft">{words.none}</p>;
          return (
            <ScrollX isCard>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{words.channel}</th>
                    <th scope="col" className="end">
                      {words.delivered}
                    </th>
                    <th scope="col" className="end">
                      {words.bounced}
                    </th>
                    <th scope="col" className="end">
                      {words.failedFigure}
                    </th>
                    <th scope="col" className="end">
                      {words.suppressed}
                    </th>
                    <th scope="col" className="end">
                      {words.bouncedColumn}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([channel, one]) => (
                    <tr key={channel}>
                      <th scope="row">{channelNames[channel as keyof typeof channelNames]}</th>
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
    </section>
  );
}
