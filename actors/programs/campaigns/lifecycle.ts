// The state table of campaigns; `docs/STATES.md` draws it. `send` leads to `scheduled` for any
// recurring or future schedule; a past instant means now. Source: specification, "States and
// transitions"; contract, section 6.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { fault } from '../../faults.ts';
import type { CampaignRecord, CampaignState } from './records.ts';

/** In the order in which refusals list them. */
export const campaignVerbs = ['send', 'pause', 'resume', 'cancel', 'change', 'delete'] as const;
export type CampaignVerb = (typeof campaignVerbs)[number];

/** A state, one chosen by the schedule, the state before the pause, or deletion. */
type Step = CampaignState | 'by_schedule' | 'where_it_was' | 'gone';

const steps: Readonly<Record<CampaignState, Readonly<Partial<Record<CampaignVerb, Step>>>>> = {
  draft: { send: 'by_schedule', cancel: 'canceled', change: 'draft', delete: 'gone' },
  scheduled: { pause: 'paused', cancel: 'canceled' },
  sending: { pause: 'paused', cancel: 'canceled' },
  paused: { resume: 'where_it_was', cancel: 'canceled' },
  completed: { delete: 'gone' },
  // So that a retried call succeeds.
  canceled: { cancel: 'canceled', delete: 'gone' },
  failed: { delete: 'gone' },
};

const done: Readonly<Record<CampaignVerb, string>> = {
  send: 'sent',
  pause: 'paused',
  resume: 'resumed',
  cancel: 'canceled',
  change: 'changed',
  delete: 'deleted',
};

type Transition = { readonly to: CampaignState | 'gone' } | { readonly fault: Fault };

/** The state after a verb, or a `conflict` that lists what the current state allows. */
export function transition(
  campaign: Pick<CampaignRecord, 'state' | 'pausedFrom' | 'schedule'>,
  verb: CampaignVerb,
  nowMs: Millis,
): Transition {
  const step = steps[campaign.state][verb];
  if (step === undefined) return { fault: notNow(campaign.state, verb) };
  if (step === 'by_schedule') return { to: firstState(campaign, nowMs) };
  if (step === 'where_it_was') return { to: campaign.pausedFrom ?? 'sending' };
  return { to: step };
}

export function allowedIn(state: CampaignState): readonly CampaignVerb[] {
  return campaignVerbs.filter((verb) => steps[state][verb] !== undefined);
}

function firstState({ schedule }: Pick<CampaignRecord, 'schedule'>, nowMs: Millis) {
  if (schedule.type === 'recurring') return 'scheduled';
  return schedule.type === 'at' && schedule.atMs > nowMs ? 'scheduled' : 'sending';
}

function notNow(state: CampaignState, verb: CampaignVerb): Fault {
  const allowed = allowedIn(state).join(', ') || 'nothing';
  const is = state === 'draft' ? 'a draft' : state;
  return fault(
    'conflict',
    `this campaign is ${is}; it cannot be ${done[verb]}. Allowed in this state: ${allowed}`,
  );
}
