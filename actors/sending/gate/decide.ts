// Tells what the gate's limits stand at: the figures that it refuses by.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { withOrg } from '../../tenants/accounts/with-app.ts';
import type { GateMemory } from './memory.ts';
import { emailsCounted } from './org-room.ts';
import type { GateProtocol } from './protocol.ts';

export const gateDecisions: Decisions<GateProtocol, GateMemory> = {
  'org.emails': (state, _message, context) =>
    withOrg(state, context, (org) => accepted(emailsCounted(state, org, context.nowMs))),
};
