// The decision about waves: what dispatchers report of their rows.

import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { WaveReport } from '../../sending/dispatch/protocol.ts';
import type { RelayRules } from '../../sending/outbox/relay-rules.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { CampaignsMemory } from './memory.ts';
import { settleWave } from './settle-wave.ts';

export interface WavesInside {
  'dispatch.wave_report': { body: Omit<WaveReport, 'kind'> & Caller; reply: null };
}

/** `plan`: the operator's settings for channels. */
export interface WavesRules {
  readonly plan: RelayRules;
}

export const wavesDecisions = ({ plan }: WavesRules): Decisions<WavesInside, CampaignsMemory> => ({
  'dispatch.wave_report': (state, report, context) =>
    withApp(state, context, (app) => settleWave(app, plan, report, context)),
});
