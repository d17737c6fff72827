// What became of messages, a row for each channel that sent some.

import type { ReactNode } from 'react';
import type { AnswerOf } from '../api/client.ts';
import type { ApiError } from '../api/errors.ts';
import { count, rate } from '../ui/figure.tsx';
import { Answer } from '../ui/note.tsx';
import { channelName, healthWords as words } from '../words/channels.ts';
import { PlainTable } from './plain-table.tsx';

type Health = AnswerOf<'readChannelHealth'>;

export function ChannelHealth({
  result,
  none,
  ...grey
}: {
  readonly result: {
    readonly data: Health | undefined;
    readonly error: ApiError | undefined;
    refetch(): unknown;
  };
  readonly none: ReactNode;
  readonly rows?: number;
}) {
  return (
    <Answer result={result} {...grey}>
      {({ channels }) => {
        const rows = Object.entries(channels).filter(([, one]) =>
          [one.delivered, one.bounced, one.failed, one.suppressed].some((some) => some > 0),
        );
        if (rows.length === 0) return none;
        return <PlainTable isCard columns={columns} rows={rows} keyOf={([channel]) => channel} />;
      }}
    </Answer>
  );
}

type Row = readonly [channel: string, Health['channels'][string]];

const columns = [
  { head: words.channel, isHead: true, cell: ([channel]: Row) => channelName(channel) },
  { head: words.delivered, isNumber: true, cell: ([, one]: Row) => count(one.delivered) },
  { head: words.bounced, isNumber: true, cell: ([, one]: Row) => count(one.bounced) },
  { head: words.failed, isNumber: true, cell: ([, one]: Row) => count(one.failed) },
  { head: words.suppressed, isNumber: true, cell: ([, one]: Row) => count(one.suppressed) },
  { head: words.bounceRate, isNumber: true, cell: ([, one]: Row) => rate(one.bounceRate, 1) },
];
