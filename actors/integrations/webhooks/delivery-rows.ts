// The deliveries of one chunk to one destination, sixteen bytes each:
//   state u8 · attempts u8 · error u8 · answer u8 · status u16 · duration u16 (ms)
//   due u32 · ended u32, both in milliseconds since the chunk's instant, or since another one where
//   a clock was wrong or the process was off for weeks

import { Buffer } from 'node:buffer';
import type { Millis } from '../../../engine/base/brand.ts';
import type { WebhookDeliveriesRow } from '../../../storage/tables/webhook.ts';
import type { WebhookError } from './call/attempt.ts';

/** By place in records: append only. */
export const deliveryStates = ['pending', 'retrying', 'delivered', 'stopped', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** By place plus one in records: append only. */
export const callErrors = [
  'timeout',
  'dns',
  'refused',
  'tls',
  'private_address',
  'redirect',
  'status',
  'too_large',
  'internal',
] as const satisfies readonly WebhookError[];

const rowBytes = 16;
const u16Max = 0xffff;
const u32Max = 0xffff_ffff;
/** Distinct answers to first attempts that a record keeps, and their bytes. */
const answersMax = 64;
const answersCharsMax = 4_096;

export interface Delivery {
  readonly state: DeliveryState;
  /** Of its newest series. */
  readonly attempts: number;
  readonly error?: WebhookError;
  readonly status?: number;
  readonly durationMs?: Millis;
  /** When it is due; only of an open one. */
  readonly dueMs?: Millis;
  /** When its newest attempt ended. */
  readonly endedMs?: Millis;
  readonly answer?: string;
}

export class DeliveryRows {
  readonly #atMs: Millis;
  #baseMs: Millis;
  readonly #kinds: number;
  readonly #rows: Buffer;
  readonly #events: Uint8Array | undefined;
  readonly #answers: string[];
  #answersChars: number;

  constructor(atMs: Millis, row: WebhookDeliveriesRow) {
    this.#atMs = atMs;
    this.#baseMs = row.baseMs ?? atMs;
    this.#kinds = row.kinds;
    this.#rows = Buffer.from(row.rows);
    this.#events = row.events;
    this.#answers = [...(row.answers ?? [])];
    this.#answersChars = this.#answers.reduce((sum, one) => sum + one.length, 0);
  }

  /** New ones, all pending and due at the chunk's instant, or all stopped. */
  static make(
    atMs: Millis,
    kinds: number,
    events: readonly number[],
    isAll: boolean,
    isStopped = false,
  ): DeliveryRows {
    const rows = new Uint8Array(events.length * rowBytes);
    const some = isAll ? {} : { events: Uint8Array.from(events) };
    const state = isStopped ? deliveryStates.indexOf('stopped') : 0;
    for (let at = 0; at < rows.length; at += rowBytes) rows[at] = state;
    return new DeliveryRows(atMs, { kinds, states: 1 << state, rows, ...some });
  }

  get count(): number {
    return this.#rows.length / rowBytes;
  }

  get kinds(): number {
    return this.#kinds;
  }

  /** The place of the event of the i-th delivery. */
  placeAt(i: number): number {
    return this.#events === undefined ? i : (this.#events[i] as number);
  }

  /** Of the event at this place; −1 if this destination does not get it. */
  indexOf(place: number): number {
    if (this.#events === undefined) return place < this.count ? place : -1;
    return this.#events.indexOf(place);
  }

  stateAt(i: number): DeliveryState {
    return deliveryStates[this.#rows[i * rowBytes] as number] as DeliveryState;
  }

  isOpenAt(i: number): boolean {
    return (this.#rows[i * rowBytes] as number) <= 1;
  }

  dueAt(i: number): Millis {
    return this.#baseMs + this.#rows.readUInt32LE(i * rowBytes + 8);
  }

  attemptsAt(i: number): number {
    return this.#rows[i * rowBytes + 1] as number;
  }

  at(i: number): Delivery {
    const at = i * rowBytes;
    const rows = this.#rows;
    const state = this.stateAt(i);
    const error = callErrors[(rows[at + 2] as number) - 1];
    const answer = this.#answers[(rows[at + 3] as number) - 1];
    const status = rows.readUInt16LE(at + 4);
    const ended = rows.readUInt32LE(at + 12);
    return {
      state,
      attempts: this.attemptsAt(i),
      ...(error === undefined ? {} : { error }),
      ...(answer === undefined ? {} : { answer }),
      ...(status === 0 ? {} : { status }),
      ...(ended === 0
        ? {}
        : { durationMs: rows.readUInt16LE(at + 6), endedMs: this.#baseMs + ended }),
      ...(this.isOpenAt(i) ? { dueMs: this.dueAt(i) } : {}),
    };
  }

  set(i: number, one: Delivery): void {
    for (const atMs of [one.endedMs, one.dueMs]) if (atMs !== undefined) this.#reach(atMs);
    const at = i * rowBytes;
    const rows = this.#rows;
    rows[at] = deliveryStates.indexOf(one.state);
    rows[at + 1] = Math.min(one.attempts, 255);
    rows[at + 2] = one.error === undefined ? 0 : callErrors.indexOf(one.error) + 1;
    rows[at + 3] = this.#keepAnswer(one.answer);
    rows.writeUInt16LE(Math.min(one.status ?? 0, u16Max), at + 4);
    rows.writeUInt16LE(Math.min(Math.max(0, Math.round(one.durationMs ?? 0)), u16Max), at + 6);
    rows.writeUInt32LE(this.#since(one.dueMs), at + 8);
    // 0 is "never": an end in the instant of the chunk counts as a millisecond later.
    rows.writeUInt32LE(
      one.endedMs === undefined ? 0 : Math.max(1, this.#since(one.endedMs)),
      at + 12,
    );
  }

  /** The distinct instants at which open ones are due, with how many are. */
  dues(): Map<Millis, number> {
    const dues = new Map<Millis, number>();
    for (let i = 0; i < this.count; i++) {
      if (!this.isOpenAt(i)) continue;
      const dueMs = this.dueAt(i);
      dues.set(dueMs, (dues.get(dueMs) ?? 0) + 1);
    }
    return dues;
  }

  row(): WebhookDeliveriesRow {
    let states = 0;
    for (let i = 0; i < this.count; i++) states |= 1 << (this.#rows[i * rowBytes] as number);
    return {
      kinds: this.#kinds,
      states,
      rows: this.#rows,
      ...(this.#events === undefined ? {} : { events: this.#events }),
      ...(this.#answers.length === 0 ? {} : { answers: this.#answers }),
      ...(this.#baseMs === this.#atMs ? {} : { baseMs: this.#baseMs }),
    };
  }

  /** Moves what instants count from so that this one fits; others stay, as far as they fit. */
  #reach(atMs: Millis): void {
    const since = atMs - this.#baseMs;
    if (since >= 0 && since <= u32Max) return;
    const before = this.#baseMs;
    this.#baseMs = since < 0 ? atMs : atMs - Math.floor(u32Max / 2);
    for (let at = 0; at < this.#rows.length; at += rowBytes) {
      const ended = this.#rows.readUInt32LE(at + 12);
      const due = this.#rows.readUInt32LE(at + 8);
      this.#rows.writeUInt32LE(this.#since(before + due), at + 8);
      if (ended > 0) this.#rows.writeUInt32LE(Math.max(1, this.#since(before + ended)), at + 12);
    }
  }

  #since(atMs: Millis | undefined): number {
    return Math.min(Math.max(0, (atMs ?? this.#baseMs) - this.#baseMs), u32Max);
  }

  /** Its place plus one; 0 for none, or where there is no room for another. */
  #keepAnswer(answer: string | undefined): number {
    if (answer === undefined || answer === '') return 0;
    const known = this.#answers.indexOf(answer);
    if (known >= 0) return known + 1;
    const chars = this.#answersChars + answer.length;
    if (this.#answers.length === answersMax || chars > answersCharsMax) return 0;
    this.#answersChars = chars;
    return this.#answers.push(answer);
  }
}
