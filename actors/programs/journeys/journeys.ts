// The journeys of one app in memory: what their authors made of them, who is under way in each, and
// who listens for which event. A fold. What a reader would get wrong: pausing moves nobody here;
// whoever is under way finds out at their wake.

import { assert } from '../../../engine/base/assert.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { limits } from '../../limits.ts';
import { Flow, type FlowSnapshot } from './flow.ts';
import { JourneyListeners } from './listeners.ts';
import { filtersOf } from './program.ts';
import type { JourneyRecord } from './records.ts';
import { eachStep } from './steps.ts';

/** One journey. */
export interface Journey {
  record: JourneyRecord;
  readonly flow: Flow;
  /** Who shall enrol and has not had their turn. */
  awaited: Bitset;
  /**
   * Who was due by then waits until somebody says otherwise: since a restore that gave up what was
   * pending; 0 for none.
   */
  heldMs: Millis;
  /** Of its steps as JSON. */
  chars: number;
}

export interface JourneysSnapshot {
  readonly nextNumber: number;
  readonly nextSend: number;
  readonly journeys: readonly {
    readonly record: JourneyRecord;
    readonly flow: FlowSnapshot;
    readonly awaited: Uint8Array;
    readonly heldMs: Millis;
  }[];
}

/** See the head of this file. */
export class Journeys {
  readonly #byId = new Map<string, Journey>();
  /** Derived from the records. */
  readonly listeners = new JourneyListeners();
  #nextNumber = 1;
  /** What the next send is numbered. */
  nextSend = 1;

  get size(): number {
    return this.#byId.size;
  }

  /** Higher than the number of any before, deleted ones included. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get byteLength(): Bytes {
    let bytes = 0;
    for (const { flow, awaited } of this.#byId.values())
      bytes += flow.byteLength + awaited.byteLength;
    return bytes;
  }

  get(id: string): Journey | undefined {
    return this.#byId.get(id);
  }

  /** All of them, in the order they were made. */
  all(): Iterable<Journey> {
    return this.#byId.values();
  }

  /** Live journeys that somebody enters by entering this segment. */
  liveOfSegment(segmentId: string): readonly Journey[] {
    return [...this.#byId.values()].filter(
      ({ record }) => record.active && record.triggerSegmentId === segmentId,
    );
  }

  /** Characters of the steps of all of them as JSON. */
  get chars(): number {
    let sum = 0;
    for (const { chars } of this.#byId.values()) sum += chars;
    return sum;
  }

  /** A journey that sends this saved message, in words that can begin a sentence. */
  userOfMessage(messageId: string): string | undefined {
    for (const { record } of this.#byId.values()) {
      let isUsed = false;
      eachStep(record.steps, (step) => {
        if (step.type === 'send' && 'messageId' in step && step.messageId === messageId)
          isUsed = true;
      });
      if (isUsed) return wordsFor(record);
    }
    return undefined;
  }

  /** A journey whose trigger this segment is. */
  userOfSegment(segmentId: string): string | undefined {
    for (const { record } of this.#byId.values())
      if (record.triggerSegmentId === segmentId) return wordsFor(record);
    return undefined;
  }

  /** The filters of all conditions, and whose they are. */
  *filters(): Generator<{ readonly filter: Filter; readonly what: string }> {
    for (const { record } of this.#byId.values()) {
      const what = wordsFor(record);
      for (const filter of filtersOf(record.program)) yield { filter, what };
    }
  }

  save(record: JourneyRecord): Journey {
    const before = this.#byId.get(record.id);
    this.#nextNumber = Math.max(this.#nextNumber, record.number + 1);
    this.listeners.put(record);
    if (before === undefined) {
      const flow = new Flow(record.program);
      const rest = { awaited: new Bitset(0), heldMs: 0, chars: charsOf(record) };
      const journey = { record, flow, ...rest };
      this.#byId.set(record.id, journey);
      return journey;
    }
    const { flow } = before;
    if (before.record.active && !record.active) {
      flow.pause(record.updatedMs);
      before.awaited = new Bitset(0);
    } else if (!before.record.active) flow.adopt(record.program);
    before.record = record;
    before.chars = charsOf(record);
    return before;
  }

  delete(id: string): void {
    this.listeners.remove(id);
    this.#byId.delete(id);
  }

  /** Holds everybody who was due by then. */
  hold(untilMs: Millis): void {
    for (const journey of this.#byId.values()) journey.heldMs = untilMs;
  }

  forget(person: PersonOrdinal): void {
    for (const { flow, awaited } of this.#byId.values()) {
      flow.forget(person);
      awaited.clear(person);
    }
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const { flow, awaited } of this.#byId.values()) {
      flow.merge(from, into);
      if (awaited.test(from)) awaited.set(into);
      awaited.clear(from);
    }
  }

  snapshot(): JourneysSnapshot {
    return {
      nextNumber: this.#nextNumber,
      nextSend: this.nextSend,
      journeys: [...this.#byId.values()].map(({ record, flow, awaited, heldMs }) => ({
        record,
        flow: flow.snapshot(),
        awaited: awaited.snapshot(),
        heldMs,
      })),
    };
  }

  /** Older checkpoints have no journeys. */
  static restore(from: JourneysSnapshot | undefined): Journeys {
    const journeys = new Journeys();
    if (from === undefined) return journeys;
    for (const { record, flow, awaited, heldMs } of from.journeys) {
      assert(!journeys.#byId.has(record.id), 'a journey is written once');
      journeys.listeners.put(record);
      journeys.#byId.set(record.id, {
        record,
        flow: Flow.restore(flow),
        awaited: Bitset.restore(awaited),
        heldMs,
        chars: charsOf(record),
      });
    }
    journeys.#nextNumber = from.nextNumber;
    journeys.nextSend = from.nextSend;
    return journeys;
  }
}

/** People of a journey that one decision moves: fewer where each may be asked many conditions. */
export function sliceOf({ record }: Pick<Journey, 'record'>): number {
  const conditions = record.program.operations.reduce(
    (sum, one) => sum + (one.kind === 'condition' ? one.conditions : 0),
    0,
  );
  return Math.max(20, Math.floor(limits.journeySliceMax / (1 + conditions / 20)));
}

function charsOf({ steps }: JourneyRecord): number {
  return JSON.stringify(steps).length;
}

/** `the journey "Welcome" (jrn_…)`. */
function wordsFor({ name, id }: Pick<JourneyRecord, 'name' | 'id'>): string {
  return `the journey "${name}" (${id})`;
}
