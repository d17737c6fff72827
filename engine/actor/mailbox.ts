// Express before bulk, but a turn with room handles some bulk, so that express cannot starve it. A
// tenant may take no more room than is free, so that one who floods a partition leaves half of it
// to the next, and that one a half of the rest: whoever has nothing waiting finds room.

import { type Envelope, weightOf } from './message.ts';
import { slotCount, slotOf } from './placement.ts';

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
  /** Of each slot, which is an org with its apps. */
  readonly #sizes = new Uint32Array(slotCount);
  readonly #bytesOf = new Float64Array(slotCount);
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

  /** False if full, for everybody or for its tenant. Bulk may fill three quarters. */
  push(envelope: Envelope): boolean {
    const room = envelope.lane === 'express' ? 1 : 0.75;
    const slot = slotOf(envelope.to);
    const bytes = weightOf(envelope);
    const free = this.#limits.messagesMax * room - this.size;
    if (free <= (this.#sizes[slot] as number)) return false;
    const freeBytes = this.#limits.bytesMax * room - this.#bytes - bytes;
    if (bytes > 0 && freeBytes < (this.#bytesOf[slot] as number)) return false;
    this.#add(envelope, slot, bytes);
    return true;
  }

  /** Ignores the bounds, for messages bounded by the sender's credit that must not be lost. */
  pushAlways(envelope: Envelope): void {
    this.#add(envelope, slotOf(envelope.to), weightOf(envelope));
  }

  /** Express first, with one bulk message after every eight. */
  shift(): Envelope | undefined {
    const bulkDue = this.#expressRun >= 8 && this.#bulk.size > 0;
    let envelope = bulkDue ? undefined : this.#express.shift();
    if (envelope === undefined) {
      envelope = this.#bulk.shift() ?? this.#express.shift();
      this.#expressRun = 0;
    } else this.#expressRun++;
    if (envelope !== undefined) this.#tally(slotOf(envelope.to), -1, -weightOf(envelope));
    return envelope;
  }

  #add(envelope: Envelope, slot: number, bytes: number): void {
    this.#tally(slot, 1, bytes);
    (envelope.lane === 'express' ? this.#express : this.#bulk).push(envelope);
  }

  #tally(slot: number, messages: 1 | -1, bytes: number): void {
    this.#bytes += bytes;
    this.#sizes[slot] = (this.#sizes[slot] as number) + messages;
    this.#bytesOf[slot] = (this.#bytesOf[slot] as number) + bytes;
  }
}
