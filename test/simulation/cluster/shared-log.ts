// The log of one partition as the world sees it: every valid frame once, at the instant at which
// the log has it and before anybody was told. Holds that terms only rise, that every timer fires
// once and not before its time, and that nothing but owners answers.

import { decodeBlock } from '../../../engine/actor/block.ts';
import type { TimerSet } from '../../../engine/actor/machine.ts';
import type { Entry } from '../../../engine/actor/message.ts';
import type { TimerFired } from '../../../engine/actor/runtime-memory.ts';
import type { TurnWrite } from '../../../engine/actor/store.ts';
import { type Frame, turnOf } from '../../../engine/log/frame.ts';
import { LogReader } from '../../../engine/log/log-reader.ts';
import { MemoryStream } from '../../../engine/log/memory-log.ts';
import { TimerWheel } from '../../../engine/time/timer-wheel.ts';
import type { Findings } from '../invariants.ts';

interface SharedLogOptions {
  readonly partition: number;
  readonly findings: Findings;
  readonly onTurn: (turn: TurnWrite, frame: Frame) => void;
  /** Of an owner of before: it counts for nobody. */
  readonly onVoid: () => void;
  readonly onClaim: (frame: Frame) => void;
}

export class SharedLog {
  readonly stream = new MemoryStream();
  /** Timers that fired. */
  fired = 0;
  readonly #options: SharedLogOptions;
  readonly #reader = new LogReader();
  readonly #wheel = new TimerWheel();
  /** The process that has acknowledged something in a term. */
  readonly #answeredBy = new Map<number, number>();

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.stream.watch(() => this.#readOn());
  }

  get term(): number {
    return this.#reader.place.term;
  }

  get seq(): number {
    return this.#reader.place.seq;
  }

  /** The process that owns it. */
  get writer(): number {
    return this.#reader.place.writer;
  }

  /** A process that takes itself for the owner in `term` has answered. */
  answered(term: number, writer: number): void {
    const other = this.#answeredBy.get(term);
    if (other === undefined) this.#answeredBy.set(term, writer);
    this.#options.findings.expect(
      other === undefined || other === writer,
      'one_owner_a_term',
      () =>
        `processes ${other} and ${writer} answer in term ${term} of partition ${this.#options.partition}`,
    );
  }

  #readOn(): void {
    const { onTurn, onClaim, onVoid, findings, partition } = this.#options;
    const { position } = this.#reader.place;
    for (const found of this.stream.read(position, Number.POSITIVE_INFINITY) ?? []) {
      const { term } = this.#reader.place;
      const frame = this.#reader.take(found.position, found.bytes);
      if (frame === undefined) {
        onVoid();
        continue;
      }
      findings.expect(
        frame.term >= term,
        'terms_rise',
        () => `term ${frame.term} of partition ${partition} comes behind ${term}`,
      );
      if (frame.kind === 'claim') onClaim(frame);
      if (frame.kind !== 'turn') continue;
      const turn = turnOf(frame);
      const { entries, atMs } = decodeBlock(turn.block);
      for (const entry of entries) this.#timer(entry, atMs);
      onTurn(turn, frame);
    }
  }

  #timer(entry: Entry, atMs: number): void {
    if (entry.kind === 'timer.set') {
      const { dueMs, timer, owner, ref } = entry as TimerSet;
      this.#wheel.schedule(dueMs, timer, owner, ref[0], ref[1], ref[2], ref[3]);
    } else if (entry.kind === 'timer.fired') {
      const { handle } = entry as TimerFired;
      const isSet = this.#wheel.has(handle);
      this.#options.findings.expect(
        isSet && this.#wheel.dueMs(handle) <= atMs,
        'timers_fire_once',
        () =>
          `timer ${handle} of partition ${this.#options.partition} ${isSet ? 'fires early' : 'is not set, and fires'}`,
      );
      if (isSet) this.#wheel.remove(handle);
      this.fired++;
    }
  }
}
