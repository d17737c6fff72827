// Folds a batch of tracked events: new people, and the ids seen.

import type { Applies } from '../../engine/actor/protocol.ts';
import { hourMs, type Millis } from '../../engine/base/brand.ts';
import { type Hash64, type HashKey, hash64 } from '../../engine/base/hash.ts';
import { countKeyless } from '../people/audience/folds.ts';
import { saltedKey } from './ingest/ingest.ts';
import { decodeBatch, type EventBatch } from './log/event-batch.ts';
import { rowsMax } from './log/event-rows.ts';
import type { EventsMemory } from './memory.ts';
import type { EventsEntry, FoundingEntry } from './protocol.ts';
import { oldestIdHour } from './retention.ts';

const hash: Hash64 = { high: 0, low: 0 };
const idHigh = new Uint32Array(rowsMax);
const idLow = new Uint32Array(rowsMax);

export const eventsApplies: Applies<EventsEntry | FoundingEntry, EventsMemory> = {
  'partition.founded': (state, { eventIdKey }) => {
    state.eventIdKey = eventIdKey;
  },

  'events.tracked': (state, { owner, atMs, keyless, batch: bytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const batch = decodeBatch(bytes);
    const created = batch.createdPeople();
    for (const one of created) {
      app.people.add(one.person, one.externalUserId);
      app.traits.addPerson(one.person, atMs);
    }
    if (keyless && created.length > 0) {
      countKeyless(app, atMs, created.length);
      for (const { person } of created) app.monthlyActive.noteUnvouched(person);
    }
    if (state.eventIdKey !== undefined)
      noteIds(state, saltedKey(state.eventIdKey, owner), batch, atMs);
  },
};

/** Hashes all first, so that cache misses overlap. */
function noteIds(state: EventsMemory, key: HashKey, batch: EventBatch, atMs: Millis): void {
  let count = 0;
  for (let row = 0; row < batch.count; row++) {
    const start = batch.idStart(row);
    const end = batch.idEnd(row);
    if (start === end) continue;
    hash64(key, batch.bytes, start, end, hash);
    idHigh[count] = hash.high;
    idLow[count++] = hash.low;
  }
  const { eventIds, ages } = state;
  eventIds.touch(idHigh, count);
  const hour = Math.floor(atMs / hourMs);
  const oldest = oldestIdHour(ages, atMs);
  for (let i = 0; i < count; i++)
    eventIds.addIfAbsent(idHigh[i] as number, idLow[i] as number, hour, oldest);
}
