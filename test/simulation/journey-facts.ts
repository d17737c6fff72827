// What the log of a world tells of journeys: plain facts, kept by their audit. The way through the
// steps is worked out here once more, by ids and from the steps as they are nested; no program of
// the product is read.

import type { Move } from '../../actors/programs/journeys/entries.ts';
import type { JourneyRecord } from '../../actors/programs/journeys/records.ts';
import type { Step } from '../../actors/programs/journeys/steps.ts';
import { dayMs, hourMs, type Millis, minuteMs } from '../../engine/base/brand.ts';

/** Somebody under way. */
interface RunFact {
  readonly step: string;
  readonly wakeMs: Millis;
  /** They enrolled before the journey was paused: all that is left is to exit. */
  readonly isLeaving: boolean;
}

/** A step, with the number that ids of its sends hold. */
export interface StepFact {
  entered: number;
  sent: number;
  readonly number: number;
}

/** One journey, as the log tells it. */
export interface JourneyFact {
  record: JourneyRecord;
  readonly runs: Map<number, RunFact>;
  readonly ever: Set<number>;
  awaited: Set<number>;
  /** By person: the hour in which an event without a key last enrolled them. */
  readonly triggered: Map<number, number>;
  readonly counts: { enrolled: number; completed: number; converted: number; exited: number };
  steps: Map<string, StepFact>;
  /** The number that ids of sends give to the next new step. */
  nextStep: number;
}

/** Where a walk goes behind each step, and where it begins; `undefined` is the end. */
interface Ways {
  readonly first: string | undefined;
  readonly steps: ReadonlyMap<string, Step>;
  readonly next: ReadonlyMap<string, string | undefined>;
}

/** Ids in the order in which the steps are written. */
export function idsOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) =>
    step.type === 'condition'
      ? [step.id, ...idsOf(step.then), ...idsOf(step.else ?? [])]
      : [step.id],
  );
}

/**
 * What is wrong with a move that began at `from` (nowhere: who enrolls), in words; `undefined`
 * where the steps lead that way.
 */
export function strayed(
  { steps: nested }: JourneyRecord,
  from: string | undefined,
  { happened, outcome }: Move,
  atMs: Millis,
): string | undefined {
  const ways = waysOf(nested);
  const ids = idsOf(nested);
  const told = happened.map(({ operation, ...one }) => ({ ...one, step: ids[operation] }));
  const take = (kinds: readonly string[], step: string) => {
    const one = told.shift();
    if (one !== undefined && one.step === step && kinds.includes(one.kind)) return one;
    throw new Error(`${JSON.stringify(one)}, where ${kinds} of ${step} was to come`);
  };
  const ends = (kind: string) => {
    if (told.length > 0 || outcome.kind !== kind)
      throw new Error(`${JSON.stringify([outcome, ...told])}, where it ${kind}`);
  };
  const waits = (step: string, untilMs: Millis) => {
    ends('waits');
    if (outcome.kind !== 'waits' || ids[outcome.operation] !== step || outcome.wakeMs !== untilMs)
      throw new Error(`${JSON.stringify(outcome)}, where it waits at ${step} until ${untilMs}`);
  };
  try {
    let isWoken = from !== undefined;
    for (let at = from ?? ways.first; ; isWoken = false) {
      const step = at === undefined ? undefined : ways.steps.get(at);
      if (at === undefined || step === undefined) return void ends('completed');
      if (!isWoken) take(['entered'], at);
      if (step.type === 'wait' || step.type === 'goal') {
        if (!isWoken) return void waits(at, atMs + lengthOf(step));
        if (step.type === 'goal') take(['timed_out'], at);
        at = ways.next.get(at);
        continue;
      }
      const sends = step.type === 'send';
      const one = take(sends ? ['sent', 'suppressed', 'held'] : ['branched', 'held'], at);
      if (one.kind === 'held') {
        if (one.untilMs <= atMs) throw new Error(`held until ${one.untilMs} at ${atMs}`);
        return void waits(at, one.untilMs);
      }
      const branch =
        one.kind === 'branched' && step.type === 'condition'
          ? (one.holds ? step.then : (step.else ?? [])).at(0)?.id
          : undefined;
      at = branch ?? ways.next.get(at);
    }
  } catch (error) {
    return (error as Error).message;
  }
}

function waysOf(nested: readonly Step[]): Ways {
  const steps = new Map<string, Step>();
  const next = new Map<string, string | undefined>();
  const visit = (list: readonly Step[], after: string | undefined) =>
    list.forEach((step, i) => {
      const follows = list[i + 1]?.id ?? after;
      steps.set(step.id, step);
      next.set(step.id, follows);
      if (step.type !== 'condition') return;
      visit(step.then, follows);
      visit(step.else ?? [], follows);
    });
  visit(nested, undefined);
  return { first: nested[0]?.id, steps, next };
}

/** How long a wait or a goal takes. */
export function lengthOf(step: Extract<Step, { type: 'wait' | 'goal' }>): Millis {
  if (step.type === 'goal') return step.timeoutHours * hourMs;
  if ('minutes' in step) return step.minutes * minuteMs;
  return 'hours' in step ? step.hours * hourMs : step.days * dayMs;
}

/** The step with this id, wherever it is nested. */
export function stepOf(record: JourneyRecord, id: string | undefined): Step | undefined {
  return id === undefined ? undefined : waysOf(record.steps).steps.get(id);
}
