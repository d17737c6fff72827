// The memory of one journey: its runs, everyone who ever enrolled, and counters. A fold of what
// `advance.ts` returned. Pausing touches no run: runs enrolled before are leaving, even if the
// journey goes live again. They exit at their next wake and block a second enrollment until then.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { assert } from '../../../engine/base/assert.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { exited, handleEvent, type Surroundings, type WalkResult, wake } from './advance.ts';
import type { Program } from './program.ts';
import type { Reentry } from './records.ts';
import { type Run, Runs } from './runs.ts';
import { Counters, type CountersSnapshot, type FlowStats } from './stats.ts';

export interface FlowSnapshot {
  readonly runs: Uint32Array;
  readonly ever: Uint8Array;
  readonly pausedMs: Millis;
  readonly counters: CountersSnapshot;
}

export class Flow {
  #runs = new Runs();
  #ever = new Bitset();
  #counters: Counters;
  /** Runs enrolled up to this instant are leaving: the last pause, 0 for none. */
  #pausedMs: Millis = 0;

  constructor(program: Program) {
    this.#counters = new Counters(program);
  }

  /** Read-only outside of this class. */
  get runs(): Runs {
    return this.#runs;
  }

  get stats(): FlowStats {
    return this.#counters.stats;
  }

  get byteLength(): Bytes {
    return this.#runs.byteLength + this.#ever.byteLength;
  }

  /** No two runs at a time; with `once` no second run ever. */
  mayEnroll(person: PersonOrdinal, reentry: Reentry): boolean {
    return reentry === 'once' ? !this.#ever.test(person) : !this.#runs.has(person);
  }

  /** Whether a run will only exit at its wake. */
  isLeaving({ enrolledMs }: Run): boolean {
    return enrolledMs <= this.#pausedMs;
  }

  wake(program: Program, run: Run, surroundings: Surroundings): WalkResult {
    return this.isLeaving(run) ? exited : wake(program, run.operation, surroundings);
  }

  /** A leaving run ignores events. */
  handleEvent(
    program: Program,
    run: Run,
    event: { readonly name: string; readonly atMs: Millis },
  ): WalkResult | undefined {
    return this.isLeaving(run) ? undefined : handleEvent(program, run, event);
  }

  enroll(person: PersonOrdinal, nowMs: Millis, advanced: WalkResult): void {
    this.#ever.set(person);
    this.#counters.count(undefined, advanced);
    const { outcome } = advanced;
    if (outcome.kind !== 'waits') return;
    const { operation, wakeMs } = outcome;
    // So that enrolling in the millisecond of a finished pause does not count as before it.
    const enrolledMs = Math.max(nowMs, this.#pausedMs + 1);
    this.#runs.add({ person, operation, wakeMs, enrolledMs });
  }

  advance(person: PersonOrdinal, advanced: WalkResult): void {
    const run = this.#runs.find(person);
    assert(run !== undefined, 'only a person in the journey can continue');
    const { outcome } = advanced;
    if (this.isLeaving(run)) this.#counters.countExit();
    else this.#counters.count(run.operation, advanced);
    if (outcome.kind === 'waits') this.#runs.move(person, outcome.operation, outcome.wakeMs);
    else this.#runs.remove(person);
  }

  rebase({ operations }: Program, to: Rebase): void {
    this.#pausedMs = to.stamp(this.#pausedMs);
    this.#runs.rebase(({ operation, wakeMs, enrolledMs }) => {
      // A wait that began before the clock was wrong ends when it always would.
      const at = operations[operation];
      const lengthMs = at?.kind === 'wait' ? at.waitMs : at?.kind === 'goal' ? at.timeoutMs : 0;
      const isOfWrongTime = lengthMs === 0 || wakeMs - lengthMs >= to.sinceMs;
      return {
        wakeMs: isOfWrongTime ? to.due(wakeMs) : wakeMs,
        enrolledMs: to.stamp(enrolledMs),
      };
    });
  }

  pause(nowMs: Millis): void {
    // So that a second pause in one millisecond covers those enrolled in between.
    this.#pausedMs = Math.max(nowMs, this.#pausedMs + 1);
    this.#counters.pause();
  }

  /** Takes over the changed program of a journey that is not live. */
  adopt(program: Program): void {
    this.#counters.adopt(program);
  }

  /** Whoever ever enrolled in `replaced` enrolled here, for `once`. */
  takeOver(replaced: Flow): void {
    this.#ever.or(replaced.#ever);
  }

  /** Erases a person: their run exits, and no trace of their enrollment stays. */
  forget(person: PersonOrdinal): void {
    if (this.#runs.has(person)) this.advance(person, exited);
    this.#ever.clear(person);
  }

  /** If both have a run, `into`'s goes on. A run taken over wakes only after `Wakes.add`. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    if (this.#ever.test(from)) this.#ever.set(into);
    this.#ever.clear(from);
    const run = this.#runs.find(from);
    if (run === undefined) return;
    if (this.#runs.has(into)) this.advance(from, exited);
    else {
      this.#runs.remove(from);
      this.#runs.add({ ...run, person: into });
    }
  }

  snapshot(): FlowSnapshot {
    return {
      runs: this.#runs.snapshot(),
      ever: this.#ever.snapshot(),
      pausedMs: this.#pausedMs,
      counters: this.#counters.snapshot(),
    };
  }

  static restore({ runs, ever, pausedMs, counters }: FlowSnapshot): Flow {
    const flow = new Flow({ operations: [] });
    flow.#runs = Runs.restore(runs);
    flow.#ever = Bitset.restore(ever);
    flow.#pausedMs = pausedMs;
    flow.#counters = Counters.restore(counters);
    return flow;
  }
}
