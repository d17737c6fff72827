// The journeys of one app in memory: records, runs, and who listens for which event. A fold.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { assert } from '../../../engine/base/assert.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import { limits } from '../../limits.ts';
import { journeyInIds, namedStep } from '../../sending/journey-send-id.ts';
import type { Sender } from '../../sending/mailboxes/figures.ts';
import { bytesOfRecord } from '../../weight.ts';
import { Flow, type FlowSnapshot } from './flow.ts';
import { JourneyListeners } from './listeners.ts';
import { filtersOf } from './program.ts';
import type { JourneyRecord } from './records.ts';
import { StepAnswers, type StepAnswersSnapshot } from './step-answers.ts';
import { eachStep } from './steps.ts';
import { Triggered, type TriggeredSnapshot } from './triggered.ts';

export interface Journey {
  record: JourneyRecord;
  readonly flow: Flow;
  readonly answers: StepAnswers;
  /** People to enroll in later turns. */
  awaited: Bitset;
  readonly triggered: Triggered;
  /** After a restore: runs due up to this instant wait until released; 0 for none. */
  heldMs: Millis;
  /** Length of its steps as JSON. */
  chars: number;
  /** Of its record. */
  weight: Bytes;
}

export interface JourneysSnapshot {
  readonly nextNumber: number;
  readonly nextSend: number;
  readonly journeys: readonly {
    readonly record: JourneyRecord;
    readonly flow: FlowSnapshot;
    /** Absent in checkpoints of earlier builds. */
    readonly answers?: StepAnswersSnapshot;
    readonly awaited: Uint8Array;
    readonly triggered?: TriggeredSnapshot;
    readonly heldMs: Millis;
  }[];
}

export class Journeys {
  readonly #byId = new Map<string, Journey>();
  /** Derived: by number, as ids of sends name it. */
  readonly #byNumber = new Map<number, Journey>();
  /** Derived from the records. */
  readonly listeners = new JourneyListeners();
  #nextNumber = 1;
  #recordBytes: Bytes = 0;
  /** The number of the next send. */
  nextSend = 1;

  get size(): number {
    return this.#byId.size;
  }

  /** Higher than any number before, those of deleted journeys included. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** What their records weigh. */
  get recordBytes(): Bytes {
    return this.#recordBytes;
  }

  growth(record: JourneyRecord): Bytes {
    return bytesOfRecord(record) - (this.#byId.get(record.id)?.weight ?? 0);
  }

  get byteLength(): Bytes {
    let bytes = 0;
    for (const { flow, awaited, triggered } of this.#byId.values())
      bytes += flow.byteLength + awaited.byteLength + triggered.byteLength;
    return bytes;
  }

  get(id: string): Journey | undefined {
    return this.#byId.get(id);
  }

  /** The journey and step that a send's id names. */
  stepOfSend(
    sendId: string | undefined,
  ): { readonly journey: Journey; readonly step: string } | undefined {
    const named = sendId === undefined ? undefined : namedStep(sendId);
    if (named === undefined || named.step === 0) return undefined;
    const journey = this.#byNumber.get(named.journey);
    const step = journey?.answers.stepAt(named.step);
    return journey === undefined || step === undefined ? undefined : { journey, step };
  }

  /** Whether a relay has yet to report on a send. */
  awaits(sendId: string, person: PersonOrdinal): boolean {
    const found = this.stepOfSend(sendId);
    return found?.journey.answers.awaits(found.step, person) === true;
  }

  /** Who sent an email of a step, and by which relay. */
  senderOf(sendId: string, person: PersonOrdinal): Sender | undefined {
    const found = this.stepOfSend(sendId);
    return found?.journey.answers.senderOf(found.step, person);
  }

  /** What events about a send refer to. */
  sendNamed(
    sendId: string,
  ): { readonly journeyId: string; readonly messageId?: string } | undefined {
    const found = this.stepOfSend(sendId);
    if (found === undefined) return undefined;
    const { id: journeyId, program } = found.journey.record;
    for (const operation of program.operations)
      if (operation.kind === 'send' && operation.step === found.step)
        return 'messageId' in operation.message
          ? { journeyId, messageId: operation.message.messageId }
          : { journeyId };
    return { journeyId };
  }

  /** In the order of creation. */
  all(): Iterable<Journey> {
    return this.#byId.values();
  }

  /** Live journeys triggered by entering this segment. */
  liveOfSegment(segmentId: string): readonly Journey[] {
    return [...this.#byId.values()].filter(
      ({ record }) => record.active && record.triggerSegmentId === segmentId,
    );
  }

  /** Length of all steps as JSON. */
  get chars(): number {
    let sum = 0;
    for (const { chars } of this.#byId.values()) sum += chars;
    return sum;
  }

  /** A journey that sends this saved message, named to begin a sentence. */
  userOfMessage(messageId: string): string | undefined {
    for (const { record } of this.#byId.values())
      if (uses(record, messageId)) return wordsFor(record);
    return undefined;
  }

  /** Live journeys that send this saved message. */
  liveOfMessage(messageId: string): readonly JourneyRecord[] {
    return this.recordsOfMessage(messageId).filter(({ active }) => active);
  }

  /** Journeys that send this saved message, live or not. */
  recordsOfMessage(messageId: string): readonly JourneyRecord[] {
    const records = [...this.#byId.values()].map(({ record }) => record);
    return records.filter((record) => uses(record, messageId));
  }

  /** Journeys triggered by this segment, live or not. */
  recordsOfSegment(segmentId: string): readonly JourneyRecord[] {
    const records = [...this.#byId.values()].map(({ record }) => record);
    return records.filter(({ triggerSegmentId }) => triggerSegmentId === segmentId);
  }

  /** A journey triggered by this segment. */
  userOfSegment(segmentId: string): string | undefined {
    for (const { record } of this.#byId.values())
      if (record.triggerSegmentId === segmentId) return wordsFor(record);
    return undefined;
  }

  /** A journey with a send about this topic. */
  userOfTopic(key: string): string | undefined {
    for (const { record } of this.#byId.values()) if (isAbout(record, key)) return wordsFor(record);
    return undefined;
  }

  /** The filters of all conditions, with the name of their journey. */
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
      const rest = { awaited: new Bitset(0), triggered: new Triggered(), heldMs: 0 };
      const answers = new StepAnswers(record.program);
      const journey = { record, flow, answers, ...rest, ...sizesOf(record) };
      this.#put(journey);
      return journey;
    }
    const { flow } = before;
    if (before.record.active && !record.active) {
      flow.pause(record.updatedMs);
      before.awaited = new Bitset(0);
    } else if (!before.record.active) {
      flow.adopt(record.program);
      before.answers.adopt(record.program);
    }
    this.#recordBytes -= before.weight;
    Object.assign(before, { record, ...sizesOf(record) });
    this.#recordBytes += before.weight;
    return before;
  }

  /** The new journey treats people enrolled in the old one as enrolled, and enrolls the waiting. */
  takeOver(id: string, replaced: string): void {
    const into = this.#byId.get(id);
    const from = this.#byId.get(replaced);
    if (into === undefined || from === undefined) return;
    into.flow.takeOver(from.flow);
    into.triggered.takeOver(from.triggered);
    if (hasSameTrigger(into.record, from.record)) into.awaited.or(from.awaited);
  }

  delete(id: string): void {
    this.listeners.remove(id);
    const number = journeyInIds(this.#byId.get(id)?.record.number ?? 0);
    if (this.#byNumber.get(number)?.record.id === id) this.#byNumber.delete(number);
    this.#recordBytes -= this.#byId.get(id)?.weight ?? 0;
    this.#byId.delete(id);
  }

  rebase(to: Rebase): void {
    for (const journey of this.#byId.values()) {
      journey.heldMs = to.stamp(journey.heldMs);
      journey.flow.rebase(journey.record.program, to);
    }
  }

  /** Holds every run due up to `untilMs`. */
  hold(untilMs: Millis): void {
    for (const journey of this.#byId.values()) journey.heldMs = untilMs;
  }

  forget(person: PersonOrdinal): void {
    for (const { flow, answers, awaited, triggered } of this.#byId.values()) {
      flow.forget(person);
      answers.forget(person);
      awaited.clear(person);
      triggered.forget(person);
    }
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const { flow, answers, awaited, triggered } of this.#byId.values()) {
      flow.merge(from, into);
      answers.merge(from, into);
      triggered.merge(from, into);
      if (awaited.test(from)) awaited.set(into);
      awaited.clear(from);
    }
  }

  snapshot(): JourneysSnapshot {
    return {
      nextNumber: this.#nextNumber,
      nextSend: this.nextSend,
      journeys: [...this.#byId.values()].map((one) => ({
        record: one.record,
        flow: one.flow.snapshot(),
        answers: one.answers.snapshot(),
        awaited: one.awaited.snapshot(),
        triggered: one.triggered.snapshot(),
        heldMs: one.heldMs,
      })),
    };
  }

  #put(journey: Journey): void {
    this.#byId.set(journey.record.id, journey);
    this.#byNumber.set(journeyInIds(journey.record.number), journey);
    this.#recordBytes += journey.weight;
  }

  /** Checkpoints older than journeys have none. */
  static restore(from: JourneysSnapshot | undefined): Journeys {
    const journeys = new Journeys();
    if (from === undefined) return journeys;
    for (const { record, flow, answers, awaited, triggered, heldMs } of from.journeys) {
      assert(!journeys.#byId.has(record.id), 'a journey is written once');
      journeys.listeners.put(record);
      journeys.#put({
        record,
        flow: Flow.restore(flow),
        answers: StepAnswers.restore(record.program, answers),
        awaited: Bitset.restore(awaited),
        triggered: Triggered.restore(triggered),
        heldMs,
        ...sizesOf(record),
      });
    }
    journeys.#nextNumber = from.nextNumber;
    journeys.nextSend = from.nextSend;
    return journeys;
  }
}

/** How many people one decision moves: fewer if each may be tested on many conditions. */
export function sliceOf({ record }: Pick<Journey, 'record'>): number {
  const conditions = record.program.operations.reduce(
    (sum, one) => sum + (one.kind === 'condition' ? one.conditions : 0),
    0,
  );
  return Math.max(20, Math.floor(limits.journeySliceMax / (1 + conditions / 20)));
}

function hasSameTrigger(one: JourneyRecord, other: JourneyRecord): boolean {
  return one.triggerEvent === other.triggerEvent && one.triggerSegmentId === other.triggerSegmentId;
}

function uses({ steps }: JourneyRecord, messageId: string): boolean {
  let isUsed = false;
  eachStep(steps, (step) => {
    if (step.type === 'send' && 'messageId' in step && step.messageId === messageId) isUsed = true;
  });
  return isUsed;
}

function isAbout({ steps }: JourneyRecord, topic: string): boolean {
  let isNamed = false;
  eachStep(steps, (step) => {
    if (step.type === 'send' && step.topic === topic) isNamed = true;
  });
  return isNamed;
}

function sizesOf(record: JourneyRecord): Pick<Journey, 'chars' | 'weight'> {
  return { chars: JSON.stringify(record.steps).length, weight: bytesOfRecord(record) };
}

/** `the journey "Welcome" (jrn_…)`. */
function wordsFor({ name, id }: Pick<JourneyRecord, 'name' | 'id'>): string {
  return `the journey "${name}" (${id})`;
}
