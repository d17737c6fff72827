// The memory of one journey: who is under way, who ever was, and what it came to. A fold of what
// `advance.ts` returned, so running on and restarting cannot differ. What a reader would get wrong:
// pausing touches no run. Whoever enrolled up to then is leaving, whatever becomes of the journey:
// paused, changed or live again, they exit at their next wake, and until then they have their run,
// so they cannot enrol a second time.

import { assert } from '../../../engine/base/assert.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Advanced, exited, hear, type Surroundings, wake } from './advance.ts';
import type { Program } from './program.ts';
import type { Reentry } from './records.ts';
import { type Run, Runs } from './runs.ts';
import { Counters, type CountersSnapshot, type JourneyStats } from './stats.ts';

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
  /** Whoever enrolled up to then is leaving: when it was last paused; 0 for never. */
  #pausedMs: Millis = 0;

  constructor(program: Program) {
    this.#counters = new Counters(program);
  }

  /** To be read, and looked through for wakes; nobody else changes it. */
  get runs(): Runs {
    return this.#runs;
  }

  get stats(): JourneyStats {
    return this.#counters.stats;
  }

  get byteLength(): Bytes {
    return this.#runs.byteLength + this.#ever.byteLength;
  }

  /** Whether somebody may begin: never twice at a time, and with `once` never again. */
  mayEnroll(person: PersonOrdinal, reentry: Reentry): boolean {
    return reentry === 'once' ? !this.#ever.test(person) : !this.#runs.has(person);
  }

  /** Whether all that is left for a run is to exit at its wake. */
  isLeaving({ enrolledMs }: Run): boolean {
    return enrolledMs <= this.#pausedMs;
  }

  /** What becomes of a run whose wake has come. */
  wake(program: Program, run: Run, surroundings: Surroundings): Advanced {
    return this.isLeaving(run) ? exited : wake(program, run.operation, surroundings);
  }

  /**
   * What an event makes of its person's run; nothing of one that is leaving, since no step waits
   * for it any more.
   */
  hear(
    program: Program,
    run: Run,
    event: { readonly name: string; readonly atMs: Millis },
  ): Advanced | undefined {
    return this.isLeaving(run) ? undefined : hear(program, run, event);
  }

  /** Folds that somebody enrolled, and how far they came at once. */
  enroll(person: PersonOrdinal, nowMs: Millis, advanced: Advanced): void {
    this.#ever.set(person);
    this.#counters.count(undefined, advanced);
    const { outcome } = advanced;
    if (outcome.kind !== 'waits') return;
    const { operation, wakeMs } = outcome;
    // Who enrols in the millisecond of a pause that is over already does not leave with those
    // before them.
    const enrolledMs = Math.max(nowMs, this.#pausedMs + 1);
    this.#runs.add({ person, operation, wakeMs, enrolledMs });
  }

  /** Folds what became of a run. */
  advance(person: PersonOrdinal, advanced: Advanced): void {
    const run = this.#runs.find(person);
    assert(run !== undefined, 'only a person in the journey can continue');
    const { outcome } = advanced;
    if (this.isLeaving(run)) this.#counters.countExit();
    else this.#counters.count(run.operation, advanced);
    if (outcome.kind === 'waits') this.#runs.move(person, outcome.operation, outcome.wakeMs);
    else this.#runs.remove(person);
  }

  /** Folds that the journey is no longer live. */
  pause(nowMs: Millis): void {
    // Paused, live and paused again within a millisecond: who enrolled in between is a millisecond
    // ahead.
    this.#pausedMs = Math.max(nowMs, this.#pausedMs + 1);
    this.#counters.pause();
  }

  /** Folds that the graph of a journey that is not live was changed. */
  adopt(program: Program): void {
    this.#counters.adopt(program);
  }

  /**
   * Folds that a person was erased: a run that they had exits, and nothing says that they were ever
   * here.
   */
  forget(person: PersonOrdinal): void {
    if (this.#runs.has(person)) this.advance(person, exited);
    this.#ever.clear(person);
  }

  /**
   * Folds that one person turned out to be another: of two runs, that of the one who stays goes on.
   * One that was taken over wakes under its new number only when `Wakes.add` is told so.
   */
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
