// Ends the rest of an address after soft bounces, for somebody who knows that it takes mail again.
// The count begins anew: bounces during a rest are not counted, so it could not rest again soon.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { notFound } from '../../faults.ts';
import { withPerson } from '../../people/audience/find-person.ts';
import { shownDevice } from '../../people/audience/people-page.ts';
import type { GateEntry } from '../gate/protocol.ts';
import { DeviceSends } from '../outbox/device-sends.ts';
import type { CallbacksMemory } from './memory.ts';
import type { ResumeProtocol } from './resume-protocol.ts';

export const resumeDecisions: Decisions<ResumeProtocol, CallbacksMemory> = {
  'device.resume': (state, { ref, deviceId }, context) =>
    withPerson(state, ref, context, (app, { person, devices }) => {
      const { owner, nowMs: atMs } = context;
      const device = devices.find((one) => one.id === deviceId);
      if (device === undefined) return refused(notFound('device'));
      const shown = shownDevice(app, device, context);
      if (shown.restingUntilMs === undefined) return accepted(shown);
      const { restingUntilMs: _, ...awake } = shown;
      const kept = new DeviceSends(app, context);
      const { soft: _soft, ...row } = kept.of(deviceId);
      kept.put(deviceId, row);
      const entry: GateEntry = {
        kind: 'device.rested',
        owner,
        person,
        deviceId,
        untilMs: atMs,
        atMs,
      };
      return accepted(awake, { entries: [entry], documents: kept.documents() });
    }),
};
