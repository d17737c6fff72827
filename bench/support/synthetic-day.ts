// One day's events generated on read, for archives too large to send: each value is a hash of the
// event's number. They match the ingest benches: an id, five scalar props, ten names (and one that
// a ten thousandth of the events have), random people, received in batches a little late.

import type { StoredEvents } from '../../actors/events/log/stored-events.ts';
import { dayMs } from '../../engine/base/brand.ts';
import { currencies, ingestNames } from './events.ts';

const perBatch = 100;

interface SyntheticDayOptions {
  /** Days since the epoch. */
  readonly day: number;
  readonly firstSeq: number;
  readonly count: number;
  /** The part of the day when they were received. */
  readonly share: readonly [from: number, to: number];
  readonly people: number;
}

export class SyntheticDay implements StoredEvents {
  readonly mayHoldTests = false;
  readonly count: number;
  readonly day: number;
  readonly #options: SyntheticDayOptions;

  constructor(options: SyntheticDayOptions) {
    this.#options = options;
    this.count = options.count;
    this.day = options.day;
  }

  seq(row: number): number {
    return this.#options.firstSeq + row;
  }

  name(row: number): string {
    const hash = this.#hash(row, 1);
    return hash % 10_000 === 0
      ? 'account_closed'
      : (ingestNames[hash % ingestNames.length] as string);
  }

  person(row: number): number {
    return this.#hash(row, 2) % this.#options.people;
  }

  receivedAtMs(row: number): number {
    const [from, to] = this.#options.share;
    const batch = Math.floor(row / perBatch) / Math.ceil(this.count / perBatch);
    return this.day * dayMs + Math.floor((from + (to - from) * batch) * dayMs);
  }

  atMs(row: number): number {
    return Math.max(this.day * dayMs, this.receivedAtMs(row) - (this.#hash(row, 3) % 60_000));
  }

  id(row: number): string {
    const seq = this.seq(row).toString(16).padStart(8, '0');
    return `1-${this.#hash(row, 4).toString(16).padStart(8, '0')}${seq}`;
  }

  propsJson(row: number): string {
    const sku = this.#hash(row, 5) % 5000;
    const price = (this.#hash(row, 6) % 10_000) / 100;
    const currency = currencies[this.#hash(row, 7) % currencies.length];
    const more = this.#hash(row, 8);
    return `{"sku":"SKU-${sku}","price":${price},"currency":"${currency}","qty":${1 + (more % 5)},"member":${more % 2 === 0}}`;
  }

  metaJson(): undefined {
    return undefined;
  }

  channel(): number {
    return 0;
  }

  reference(): undefined {
    return undefined;
  }

  #hash(row: number, salt: number): number {
    let x = (Math.imul(this.#options.firstSeq + row, 0x9e3779b1) + Math.imul(salt, 0x85ebca6b)) | 0;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }
}
