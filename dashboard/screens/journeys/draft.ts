// A journey as it is edited, and the forms in which it goes to the API.

import type { ArgumentsOf } from '../../api/client.ts';
import type { Journey } from '../../api/generated.ts';
import { isComplete } from '../../canvas/kinds.ts';
import { allSteps, asSent, type Step, stepsOf } from '../../canvas/model.ts';

export interface Draft {
  readonly name: string;
  readonly triggerEvent: string | null;
  readonly triggerSegmentId: string | null;
  readonly reentry: Journey['reentry'];
  readonly steps: readonly Step[];
}

export function draftOf(journey: Journey): Draft {
  const { name, triggerEvent, triggerSegmentId, reentry, steps } = journey;
  return { name, triggerEvent, triggerSegmentId, reentry, steps: stepsOf(steps) };
}

type Created = ArgumentsOf<'createJourney'>['body'];
type Changed = ArgumentsOf<'updateJourney'>['body'];

export function createdBody({
  name,
  triggerEvent,
  triggerSegmentId,
  reentry,
  steps,
}: Draft): Created {
  return {
    name,
    reentry,
    steps: asSent(steps),
    ...(triggerEvent === null ? {} : { triggerEvent }),
    ...(triggerSegmentId === null ? {} : { triggerSegmentId }),
  };
}

/** Steps and trigger of a live journey are frozen. */
export function changedBody(draft: Draft, isLive: boolean): Changed {
  const { name, reentry } = draft;
  return isLive ? { name, reentry } : { ...draft, steps: asSent(draft.steps) };
}

export interface Lacks {
  readonly steps: number;
  readonly trigger: boolean;
  readonly anyStep: boolean;
}

/** What must be filled in before the API takes it; `undefined` if nothing. */
export function lacksOf({ steps, triggerEvent, triggerSegmentId }: Draft): Lacks | undefined {
  const lacks = {
    steps: allSteps(steps).filter(({ step }) => !isComplete(step)).length,
    trigger: !triggerEvent && !triggerSegmentId,
    anyStep: steps.length === 0,
  };
  return lacks.steps > 0 || lacks.trigger || lacks.anyStep ? lacks : undefined;
}
