// Folds tracked events into memory: new people, activity, ids seen.

import type { Applies } from '../../engine/actor/protocol.ts';
import { hourMs } from '../../engine/base/brand.ts';
import { type Hash64, hash64 } from '../../engine/base/hash.ts';
import { countKeyless } from '../audience/apply.ts';
import type { PartitionState } from '../state.ts';
import { decodeBatch } from './event-batch.ts';
import { saltedKey } from './ingest.ts';
import { countsAsActivity } from './names.ts';
import type { EventsEntry } from './protocol.ts';

const hash: Hash64 = { high: 0, low: 0 };

export const eventsApplies: Applies<EventsEntry, PartitionState> = {
  'events.tracked': (state, { owner, atMs, keyless, batch: bytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const batch = decodeBatch(bytes);
    const created = batch.createdPeople();
    for (const one of created) {
      app.people.add(one.person, one.externalUserId);
      app.traits.addPerson(one.person, atMs);
    }
    if (keyless && created.length > 0) countKeyless(app, atMs, created.length);
    const active = batch.names.map(countsAsActivity);
    const tracks = batch.names.map((name) => app.traits.tracker(name));
    const beacons = app.inApp.beaconsAmong(batch.names);
    const key = state.eventIdKey === undefined ? undefined : saltedKey(state.eventIdKey, owner);
    const hour = Math.floor(atMs / hourMs);
    for (let row = 0; row < batch.count; row++) {
      const name = batch.nameIndex(row);
      const person = batch.person(row);
      const rowMs = batch.atMs(row);
      if (active[name]) app.people.touch(person, rowMs);
      tracks[name]?.(person, rowMs, atMs);
      const beacon = beacons?.[name];
      if (beacon !== undefined && app.traits.alive.test(person))
        app.inApp.note(beacon, batch.reference(row, 'messageId'), person);
      if (key === undefined) continue;
      const id = batch.idBytes(row);
      if (id.length === 0) continue;
      hash64(key, id, 0, id.length, hash);
      state.eventIds.addIfAbsent(hash.high, hash.low, hour);
    }
    app.nextEvent = batch.firstSeq + batch.count;
  },
};
