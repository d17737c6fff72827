// Which sends failed after every retry, by what and where: from the dead letters, not from
// receipts, because a letter is what a campaign's funnel counts as failed for as long as it is
// open. What a reader would get wrong: a letter that was sent again and has not landed yet is open,
// and one that bounced since is no failure any more.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { StopFlag } from '../../../engine/thread/shared-word.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import { type DeadLetterRow, deadLetters } from '../../../storage/tables/send.ts';
import { WalkStopped } from '../../events/stored-walk.ts';
import { lastDays } from './buckets.ts';
import type { DeliveryFailures, Facts, Question } from './protocol.ts';

type Asked = Extract<Question, { kind: 'insight.failures' }>;
type Item = DeliveryFailures['items'][number];

/** Letters of one read of the store: a snapshot is held no longer than for these. */
const rowsPerRead = 1_024;

/** Answers `insight.failures`: those with the most open letters first. Throws `WalkStopped`. */
export function deliveryFailures(
  { limit }: Pick<Asked, 'limit'>,
  { span, nowMs, timezone }: Pick<Facts, 'span' | 'nowMs' | 'timezone'>,
  letters: Iterable<DeadLetterRow>,
): DeliveryFailures {
  const { fromMs } = lastDays('day', span, nowMs, zoneOf(timezone));
  const found = new Map<string, Item>();
  for (const { reason, lane, channel, atMs, recoveredMs } of letters) {
    if (atMs < fromMs) continue;
    const place = JSON.stringify([reason, lane, channel]);
    const item = found.get(place) ?? { reason, lane, channel, count: 0, recovered: 0, lastAtMs: 0 };
    found.set(place, {
      ...item,
      count: item.count + 1,
      recovered: item.recovered + (recoveredMs === undefined ? 0 : 1),
      lastAtMs: Math.max(item.lastAtMs, atMs),
    });
  }
  const items = [...found.values()].sort(
    (a, b) =>
      b.count - b.recovered - (a.count - a.recovered) ||
      b.count - a.count ||
      b.lastAtMs - a.lastAtMs,
  );
  return { items: items.slice(0, limit) };
}

/** Every dead letter of an app, oldest first. Throws `WalkStopped` where it was told to stop. */
export function* storedLetters(
  app: Ordinal,
  store: DocumentStore,
  stop: Pick<StopFlag, 'isSet'>,
): Generator<DeadLetterRow> {
  const documents = new Documents(store).bound(app);
  let from: readonly [string] | undefined;
  for (;;) {
    if (stop.isSet) throw new WalkStopped('an insight was stopped');
    const rows = documents.range(deadLetters, {
      ...(from === undefined ? {} : { from }),
      limit: rowsPerRead,
    });
    const isMore = rows.length === rowsPerRead;
    const last = isMore ? rows.pop() : undefined;
    for (const { value } of rows) yield value;
    if (last === undefined) return;
    from = [last.value.id];
  }
}
