// When sends begin: at the end of each turn, those that are due; after a start, what was in flight
// is reported as interrupted.

import type { Context, Tell } from '../../../engine/actor/message.ts';
import type { AreaClock } from '../../area-clock.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Sealer } from '../../sealer.ts';
import { OrgRooms } from '../gate/org-room.ts';
import type { AttemptReport } from './protocol.ts';
import { type CredentialCache, type DispatchPlan, pumpApp } from './pump.ts';
import type { SendsMemory, SendsView } from './reads.ts';
import { boundedRelayDays } from './relay-days.ts';
import { isInterrupted } from './settle.ts';
import type { WaveShares } from './wave-shares.ts';

interface SendsClockRules {
  readonly plan: DispatchPlan;
  readonly sealer: Sealer;
  readonly credentials: CredentialCache;
  readonly shares: WaveShares;
}

interface Reported {
  readonly channel: ChannelId;
  readonly reports: readonly AttemptReport[];
}

export const sendsClock = ({
  plan,
  sealer,
  credentials,
  shares,
}: SendsClockRules): AreaClock<SendsMemory, SendsView> => ({
  begin: ({ apps }) =>
    plan.addRelayDays?.([...apps.values()].flatMap((app) => [...boundedRelayDays(app)])),
  start: (state, app, { context, left }) => {
    const room = OrgRooms.ofTurn(context, state).of(app.record.org);
    const roomOn = (channel: ChannelId) => shares.singlesRoomOn(app.record.ordinal, channel);
    const begun = pumpApp(app, plan, sealer, credentials, room, context, left, roomOn);
    return begun && { ...begun, effects: shares.leaving(begun.effects) };
  },
  before: {
    'dispatch.report': (_app: SendsView | undefined, reported: Reported, { owner }: Context) => {
      const { channel, reports } = reported;
      // Those that the last process did not report were not granted by this one.
      const count = reports.filter(({ outcome }) => !isInterrupted(outcome)).length;
      shares.singlesBack(owner, channel, count);
    },
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
