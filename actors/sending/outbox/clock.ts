// When sends begin: at the end of each turn, those that are due; after a start, what was in flight
// is reported as interrupted.

import type { Tell } from '../../../engine/actor/message.ts';
import type { AreaClock } from '../../area-clock.ts';
import type { Sealer } from '../../sealer.ts';
import { OrgRooms } from '../gate/org-room.ts';
import { type CredentialCache, type DispatchPlan, pumpApp } from './pump.ts';
import type { SendsMemory, SendsView } from './reads.ts';

interface SendsClockRules {
  readonly plan: DispatchPlan;
  readonly sealer: Sealer;
  readonly credentials: CredentialCache;
}

export const sendsClock = ({
  plan,
  sealer,
  credentials,
}: SendsClockRules): AreaClock<SendsMemory, SendsView> => ({
  start: (state, app, { context, left }) => {
    const room = OrgRooms.ofTurn(context, state).of(app.record.org);
    return pumpApp(app, plan, sealer, credentials, room, context, left);
  },
  resumeApp: (state, { record, outbox }) => {
    const to = record.ordinal;
    if (outbox.readyCount > 0) state.ready.add(to);
    return Array.from(outbox.interrupted(), ([channel, reports]) => ({
      to,
      message: { kind: 'dispatch.report', by: -1, channel, reports } as Tell['message'],
    }));
  },
});
