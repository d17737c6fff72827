// One walk on a virtual clock with the functions of live runs; nothing is sent or stored. It runs
// to the end, years ahead if need be, and conditions see both elapsed time windows and the caller's
// events. Source: contract, section 8.

import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { limits } from '../../limits.ts';
import {
  enter,
  handleEvent,
  type RunOutcome,
  type SendAnswer,
  type StepResult,
  type Surroundings,
  type WalkResult,
  wake,
} from './advance.ts';
import { type OperationIndex, type Program, type SendOperation, stepOf } from './program.ts';

/** The person at an instant of the walk. Called in the order of time. */
export interface WalkedPerson {
  test(filter: Filter, atMs: Millis): boolean;
  send(operation: SendOperation, index: OperationIndex, atMs: Millis): SendAnswer;
  /** Records an event that later tests see. */
  track(name: string, atMs: Millis): void;
}

export interface WalkRequest {
  readonly fromMs: Millis;
  /** The event that enrolls them, then part of their past; absent for segment triggers. */
  readonly triggerEvent?: string;
  readonly events: readonly { readonly name: string; readonly afterMinutes: number }[];
}

interface WalkLine {
  readonly atMs: Millis;
  readonly what: 'enrolled' | 'event' | 'waits' | 'completed' | 'converted' | StepResult['kind'];
  readonly step?: string;
  /** For waits, goals and held sends. */
  readonly untilMs?: Millis;
  /** For held and suppressed sends. */
  readonly reason?: string;
  /** For conditions. */
  readonly branch?: 'then' | 'else';
  /** For events. */
  readonly event?: string;
}

export interface Walk {
  readonly lines: readonly WalkLine[];
  /** `waits` if held again and again, without an end after 10,000 wakes. */
  readonly outcome: RunOutcome;
}

/** Walks a person who enrolls at `fromMs`. A wake precedes an event of the same instant. */
export function simulate(program: Program, person: WalkedPerson, request: WalkRequest): Walk {
  const { fromMs, triggerEvent } = request;
  const lines: WalkLine[] = [{ atMs: fromMs, what: 'enrolled' }];
  if (triggerEvent !== undefined) person.track(triggerEvent, fromMs);
  const take = (atMs: Millis, { happened, outcome }: WalkResult): RunOutcome => {
    for (const one of happened) lines.push(lineOf(program, atMs, one));
    const last = happened.at(-1);
    // A held step already has its line.
    if (outcome.kind !== 'waits') lines.push({ atMs, what: endOf(outcome) });
    else if (last?.kind !== 'held')
      lines.push({ atMs, what: 'waits', ...atStep(program, outcome), untilMs: outcome.wakeMs });
    return outcome;
  };
  let outcome = take(fromMs, enter(program, around(person, fromMs)));
  person.track('journey_enrolled', fromMs);
  const coming = request.events
    .map(({ name, afterMinutes }) => ({ name, atMs: fromMs + afterMinutes * minuteMs }))
    .toSorted((a, b) => a.atMs - b.atMs);
  let wakesLeft = limits.simulatedWakesMax;
  for (const event of [...coming, undefined]) {
    while (
      outcome.kind === 'waits' &&
      outcome.wakeMs <= (event?.atMs ?? Number.POSITIVE_INFINITY)
    ) {
      if (wakesLeft-- === 0) return { lines, outcome };
      const { operation, wakeMs } = outcome;
      outcome = take(wakeMs, wake(program, operation, around(person, wakeMs)));
    }
    if (outcome.kind !== 'waits' || event === undefined) break;
    const { name, atMs } = event;
    person.track(name, atMs);
    lines.push({ atMs, what: 'event', event: name });
    const converted = handleEvent(program, outcome, event);
    if (converted !== undefined) outcome = take(atMs, converted);
  }
  return { lines, outcome };
}

/** The surroundings of one instant. */
export function around(person: WalkedPerson, nowMs: Millis): Surroundings {
  return {
    nowMs,
    test: (filter) => person.test(filter, nowMs),
    send: (operation, index) => person.send(operation, index, nowMs),
  };
}

function lineOf(program: Program, atMs: Millis, one: StepResult): WalkLine {
  const base = { atMs, what: one.kind, ...atStep(program, one) };
  switch (one.kind) {
    case 'branched':
      return { ...base, branch: one.holds ? 'then' : 'else' };
    case 'held':
      return { ...base, untilMs: one.untilMs, reason: one.reason };
    case 'suppressed':
      return { ...base, reason: one.reason };
    default:
      return base;
  }
}

function atStep(program: Program, { operation }: { readonly operation: OperationIndex }) {
  const step = stepOf(program, operation);
  return step === undefined ? {} : { step };
}

/** Simulated journeys are never paused, so nobody exits. */
function endOf({ kind }: Exclude<RunOutcome, { kind: 'waits' }>): 'completed' | 'converted' {
  return kind === 'converted' ? 'converted' : 'completed';
}
