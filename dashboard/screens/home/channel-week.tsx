// What became of the last seven days' messages, by channel.

import type { AnswerOf } from '../../api/client.ts';
import type { Channel } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { PlainTable } from '../../kit/plain-table.tsx';
import { count, rate } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
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
            <PlainTable isCard columns={ofChannels} rows={rows} keyOf={([channel]) => channel} />
          );
        }}
      </Answer>
    </section>
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
  { head: words.failedFigure, isNumber: true, cell: ([, one]: OfChannel) => count(one.failed) },
  { head: words.suppressed, isNumber: true, cell: ([, one]: OfChannel) => count(one.suppressed) },
  {
    head: words.bouncedColumn,
    isNumber: true,
    cell: ([, one]: OfChannel) => rate(one.bounceRate, 1),
  },
];
