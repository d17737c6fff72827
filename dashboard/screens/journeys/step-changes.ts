// What is different between two journeys, step by step. Steps are the same if they have one name.

import { allSteps, type Found, isCondition, type Step } from '../../canvas/model.ts';

export interface StepChange {
  readonly id: string;
  readonly what: 'added' | 'removed' | 'changed' | 'moved';
  readonly before?: Step;
  readonly after?: Step;
}

export function stepChanges(
  before: readonly Step[],
  after: readonly Step[],
): readonly StepChange[] {
  const old = new Map(allSteps(before).map((found) => [found.step.id, found]));
  const now = new Map(allSteps(after).map((found) => [found.step.id, found]));
  const changes: StepChange[] = [];
  for (const [id, found] of now) {
    const was = old.get(id);
    if (was === undefined) changes.push({ id, what: 'added', after: found.step });
    else if (!isSameStep(was.step, found.step))
      changes.push({ id, what: 'changed', before: was.step, after: found.step });
    else if (placeOf(was, now) !== placeOf(found, old))
      changes.push({ id, what: 'moved', before: was.step, after: found.step });
  }
  for (const [id, { step }] of old)
    if (!now.has(id)) changes.push({ id, what: 'removed', before: step });
  return changes;
}

/** Without the steps below, which are compared by themselves. */
function isSameStep(one: Step, other: Step): boolean {
  return JSON.stringify(alone(one)) === JSON.stringify(alone(other));
}

function alone(step: Step): unknown {
  if (!isCondition(step)) return sorted(step);
  const { then: _then, else: _else, ...own } = step;
  return sorted(own);
}

function sorted(value: object): unknown {
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The list that it is in, and the step before it that both have. */
function placeOf({ gap, siblings }: Found, other: ReadonlyMap<string, Found>): string {
  const before = siblings.slice(0, gap.index).findLast(({ id }) => other.has(id));
  return JSON.stringify([gap.parent, gap.branch, before?.id]);
}
