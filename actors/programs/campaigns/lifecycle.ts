// The state table of campaigns; `docs/STATES.md` draws it. `send` leads to `scheduled` for any
// recurring or future schedule; a past instant means now. A campaign that recurs may be changed or
// unscheduled between two occurrences. Source: specification, "States and transitions"; contract,
// section 6.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { fault } from '../../faults.ts';
import type { CampaignRecord, CampaignState } from './records.ts';

/** In the order in which refusals list them. */
export const campaignVerbs = [
  'send',
  'unschedule',
  'pause',
  'resume',
  'cancel',
  'change',
  'archive',
  'delete',
] as const;
export type CampaignVerb = (typeof campaignVerbs)[number];

/** A state, one chosen by the schedule, the state before the pause, no other one, or deletion. */
type Step = CampaignState | 'by_schedule' | 'where_it_was' | 'same' | 'gone';
type Steps = Readonly<Partial<Record<CampaignVerb, Step>>>;

const steps: Readonly<Record<CampaignState, Steps>> = {
  draft: {
    send: 'by_schedule',
    cancel: 'canceled',
    change: 'draft',
    archive: 'same',
    delete: 'gone',
  },
  scheduled: { unschedule: 'draft', pause: 'paused', cancel: 'canceled' },
  sending: { pause: 'paused', cancel: 'canceled' },
  paused: { resume: 'where_it_was', cancel: 'canceled' },
  completed: { archive: 'same', delete: 'gone' },
  // Canceled again, so that a retried call succeeds.
  canceled: { cancel: 'canceled', archive: 'same', delete: 'gone' },
  failed: { archive: 'same', delete: 'gone' },
};

/** Also allowed while a recurring campaign waits for its next occurrence, paused or not. */
const betweenOccurrences: Steps = { unschedule: 'draft', change: 'same' };

const done: Readonly<Record<CampaignVerb, string>> = {
  send: 'sent',
  unschedule: 'unscheduled',
  pause: 'paused',
  resume: 'resumed',
  cancel: 'canceled',
  change: 'changed',
  archive: 'archived',
  delete: 'deleted',
};

type Transition = { readonly to: CampaignState | 'gone' } | { readonly fault: Fault };

/** `isUnderWay`: an occurrence has begun and not ended. */
type Standing = Pick<CampaignRecord, 'state' | 'pausedFrom' | 'schedule' | 'archivedMs'> & {
  readonly isUnderWay?: boolean;
};

/** The state after a verb, or a `conflict` that lists what the current state allows. */
export function transition(campaign: Standing, verb: CampaignVerb, nowMs: Millis): Transition {
  const { state, pausedFrom, archivedMs } = campaign;
  const step = stepsOf(campaign)[verb];
  if (step === undefined) return { fault: notNow(campaign, verb) };
  if (step === 'by_schedule')
    return archivedMs === undefined ? { to: firstState(campaign, nowMs) } : { fault: archived };
  if (step === 'where_it_was') return { to: pausedFrom ?? 'sending' };
  return { to: step === 'same' ? state : step };
}

export function allowedIn(campaign: Standing): readonly CampaignVerb[] {
  const allowed = stepsOf(campaign);
  const isArchived = campaign.archivedMs !== undefined;
  return campaignVerbs.filter(
    (verb) => allowed[verb] !== undefined && !(isArchived && verb === 'archive'),
  );
}

function stepsOf({ state, pausedFrom, schedule, isUnderWay = false }: Standing): Steps {
  const own = steps[state];
  if (isUnderWay || !['scheduled', 'sending', 'paused'].includes(state)) return own;
  if (schedule.type === 'recurring') return { ...own, ...betweenOccurrences };
  return pausedFrom === 'scheduled' && state === 'paused' ? { ...own, unschedule: 'draft' } : own;
}

const archived = fault('wrong_state', 'this campaign is archived; unarchive it before you send it');

function firstState({ schedule }: Pick<CampaignRecord, 'schedule'>, nowMs: Millis) {
  if (schedule.type === 'recurring') return 'scheduled';
  return schedule.type === 'at' && schedule.atMs > nowMs ? 'scheduled' : 'sending';
}

function notNow(campaign: Standing, verb: CampaignVerb): Fault {
  const { state, schedule, isUnderWay = false } = campaign;
  const allowed = allowedIn(campaign).join(', ') || 'nothing';
  const is = state === 'draft' ? 'a draft' : state;
  const isOnlyNow =
    isUnderWay && schedule.type === 'recurring' && betweenOccurrences[verb] !== undefined;
  const until = isOnlyNow ? ' until its current occurrence has ended' : '';
  return fault(
    'wrong_state',
    `this campaign is ${is}; it cannot be ${done[verb]}${until}. Allowed in this state: ${allowed}`,
  );
}
