// Sends that failed after every retry, by reason and channel. They are counted from dead letters,
// not receipts, because a campaign's funnel counts a letter as failed while it is open. A redriven
// letter without a receipt yet is open; one that bounced since is no longer a failure. Letters of
// tests are left out.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { StopFlag } from '../../../engine/thread/shared-word.ts';
import { zoneOf } from '../../../engine/time/civil-time.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import { type DeadLetterRow, deadLetters } from '../../../storage/tables/send.ts';
import { WalkStopped } from '../../events/read/stored-walk.ts';
import { lastDays } from './buckets.ts';
import type { DeliveryFailures, Facts, Question } from './protocol.ts';

type Asked = Extract<Question, { kind: 'insight.failures' }>;
type FactsOfLetters = Pick<Facts, 'span' | 'nowMs' | 'timezone' | 'goneBeforeMs'>;
type Item = DeliveryFailures['items'][number];

/** Letters per read of the store: a snapshot is held no longer than for these. */
const rowsPerRead = 1_024;

/** Answers `insight.failures`: groups with the most open letters first. Throws `WalkStopped`. */
export function deliveryFailures(
  { limit }: Pick<Asked, 'limit'>,
  { span, nowMs, timezone, goneBeforeMs = 0 }: FactsOfLetters,
  letters: Iterable<DeadLetterRow>,
): DeliveryFailures {
  const days = lastDays('day', span, nowMs, zoneOf(timezone));
  const fromMs = Math.max(days.fromMs, goneBeforeMs);
  const found = new Map<string, Item>();
  for (const { reason, lane, channel, atMs, recoveredMs, test } of letters) {
    if (atMs < fromMs || test === true) continue;
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

/** Every dead letter of an app, oldest first. Throws `WalkStopped` when stopped. */
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
