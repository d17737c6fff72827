// The ids of events that an app or org has seen lately, asked for one at a time. They are hashed
// with a key of the partition, so that nobody outside can choose two that collide.

import type { Ages, Context } from '../../engine/actor/message.ts';
import { hourMs, type Millis } from '../../engine/base/brand.ts';
import { type Hash64, hash64 } from '../../engine/base/hash.ts';
import { saltedKey } from './ingest/ingest.ts';
import type { SeenEventIds, SeenEventIdsFolds } from './reads.ts';
import { oldestIdHour } from './retention.ts';

/** `undefined` before the partition has its key. */
export function seenIdOf(
  { eventIdKey }: Pick<SeenEventIds, 'eventIdKey'>,
  text: string,
  { owner }: Pick<Context, 'owner'>,
): Hash64 | undefined {
  if (eventIdKey === undefined) return undefined;
  const bytes = Buffer.from(text);
  const id: Hash64 = { high: 0, low: 0 };
  hash64(saltedKey(eventIdKey, owner), bytes, 0, bytes.length, id);
  return id;
}

/** Whether it was noted within the last day. */
export function wasSeen(
  { eventIds }: Pick<SeenEventIds, 'eventIds'>,
  { high, low }: Hash64,
  { nowMs, ages }: Pick<Context, 'nowMs' | 'ages'>,
): boolean {
  return eventIds.has(high, low, Math.floor(nowMs / hourMs), oldestIdHour(ages, nowMs));
}

/** Folds an entry that notes ids: two words of each. */
export function noteSeen(
  { eventIds, ages }: SeenEventIdsFolds & { readonly ages: Ages },
  { atMs, hashes }: { readonly atMs: Millis; readonly hashes: readonly number[] },
): void {
  const hour = Math.floor(atMs / hourMs);
  const oldest = oldestIdHour(ages, atMs);
  for (let i = 0; i < hashes.length; i += 2)
    eventIds.addIfAbsent(hashes[i] as number, hashes[i + 1] as number, hour, oldest);
}
