// Folds which addresses rest.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { GateMemory } from './memory.ts';
import type { GateEntry } from './protocol.ts';

export const gateApplies: Applies<GateEntry, GateMemory> = {
  'device.rested': (state, { owner, person, deviceId, untilMs, atMs }) => {
    const app = state.apps.get(owner);
    app?.resting.rest(app.people.canonical(person), deviceId, untilMs, atMs);
  },
};
