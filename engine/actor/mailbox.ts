// Express before bulk, but a turn with room handles some bulk, so that express cannot starve it.

import { type Envelope, weightOf } from './message.ts';

/** A ring that doubles; cheaper than shifting an array. */
class Fifo<T> {
  #ring: (T | undefined)[] = new Array(64);
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(value: T): void {
    if (this.#size === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#size) & (this.#ring.length - 1)] = value;
    this.#size++;
  }

  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const value = this.#ring[this.#head];
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#size--;
    return value;
  }

  #grow(): void {
    const old = this.#ring;
    this.#ring = new Array(old.length * 2);
    for (let i = 0; i < this.#size; i++) this.#ring[i] = old[(this.#head + i) & (old.length - 1)];
    this.#head = 0;
  }
}

/** Both lanes count against both. */
export interface MailboxLimits {
  readonly messagesMax: number;
  readonly bytesMax: number;
}

/** When full, senders are refused at once; it never exceeds its bounds. */
export class Mailbox {
  readonly #express = new Fifo<Envelope>();
  readonly #bulk = new Fifo<Envelope>();
  readonly #limits: MailboxLimits;
  #bytes = 0;
  #expressRun = 0;

  constructor(limits: MailboxLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#express.size + this.#bulk.size;
  }

  get expressSize(): number {
    return this.#express.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False if full. Bulk may fill three quarters. */
  push(envelope: Envelope): boolean {
    const express = envelope.lane === 'express';
    const room = express ? 1 : 0.75;
    const bytes = weightOf(envelope);
    if (this.size >= this.#limits.messagesMax * room) return false;
    if (bytes > 0 && this.#bytes + bytes > this.#limits.bytesMax * room) return false;
    this.#bytes += bytes;
    (express ? this.#express : this.#bulk).push(envelope);
    return true;
  }

  /** Ignores the bounds, for messages bounded by the sender's credit that must not be lost. */
  pushAlways(envelope: Envelope): void {
    this.#bytes += weightOf(envelope);
    (envelope.lane === 'express' ? this.#express : this.#bulk).push(envelope);
  }

  /** Express first, with one bulk message after every eight. */
  shift(): Envelope | undefined {
    const bulkDue = this.#expressRun >= 8 && this.#bulk.size > 0;
    let envelope = bulkDue ? undefined : this.#express.shift();
    if (envelope === undefined) {
      envelope = this.#bulk.shift() ?? this.#express.shift();
      this.#expressRun = 0;
    } else this.#expressRun++;
    if (envelope !== undefined) this.#bytes -= weightOf(envelope);
    return envelope;
  }
}
