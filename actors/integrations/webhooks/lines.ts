// What of each destination's line is out with dispatchers, and how much may be. Not durable: a
// restart begins with nothing out. The room grows while deliveries come back fast.

import { type Millis, type Ordinal, secondMs } from '../../../engine/base/brand.ts';
import type { ChunkName } from './delivery-id.ts';
import type { WebhookReport } from './protocol.ts';

const roomMin = 64;
const roomMax = 2_048;
const strictRoom = 32;
const quickMs: Millis = 250;
const slowMs: Millis = 2 * secondMs;

/** One destination's. */
export class Line {
  /** When to look at it; 0 for at once. */
  nextMs: Millis = 0;
  readonly #out = new Map<string, { readonly places: Set<number>; readonly sinceMs: Millis }>();
  readonly #skipped = new Set<string>();
  /** What is due there must not begin; until when nothing else of the chunk is due. */
  readonly #aside = new Map<string, Millis>();
  #count = 0;
  #room = roomMin;

  /** How many more may go out. In strict order, nothing follows what is out. */
  room(isStrict: boolean): number {
    if (isStrict) return this.#count === 0 ? strictRoom : 0;
    return this.#room - this.#count;
  }

  get chunksOut(): number {
    return this.#out.size + this.#skipped.size + this.#aside.size;
  }

  /** Places of a chunk that are out. */
  placesOut(chunk: string): ReadonlySet<number> | undefined {
    return this.#out.get(chunk)?.places;
  }

  /** Notes in `nextMs` when it is no longer set aside. */
  isSkipped(chunk: string, nowMs: Millis): boolean {
    const untilMs = this.#aside.get(chunk);
    if (untilMs === undefined) return this.#skipped.has(chunk);
    if (untilMs <= nowMs) return !this.#aside.delete(chunk);
    this.nextMs = Math.min(this.nextMs, untilMs);
    return true;
  }

  /** It cannot be read: until the next start it is left alone. */
  skip(chunk: string): void {
    this.#skipped.add(chunk);
  }

  setAside(chunk: string, untilMs: Millis): void {
    this.#aside.set(chunk, untilMs);
  }

  /** A pass has stopped what must not begin. */
  lookAgain(): void {
    this.#aside.clear();
    this.nextMs = 0;
  }

  takeOut(chunk: string, places: readonly number[], nowMs: Millis): void {
    const out = this.#out.get(chunk) ?? { places: new Set<number>(), sinceMs: nowMs };
    this.#out.set(chunk, out);
    for (const place of places) out.places.add(place);
    this.#count += places.length;
  }

  returned(reports: readonly WebhookReport[], nowMs: Millis): void {
    let oldestMs = nowMs;
    for (const { place, ...chunk } of reports) {
      const name = nameOf(chunk);
      const out = this.#out.get(name);
      if (out === undefined || !out.places.delete(place)) continue;
      this.#count--;
      oldestMs = Math.min(oldestMs, out.sinceMs);
      if (out.places.size === 0) this.#out.delete(name);
    }
    const isGood = reports.every(({ result }) => result?.error === undefined);
    const tookMs = nowMs - oldestMs;
    if (!isGood || tookMs > slowMs) this.#room = Math.max(roomMin, this.#room / 2);
    else if (tookMs <= quickMs && reports.length * 4 >= this.#room)
      this.#room = Math.min(roomMax, this.#room * 2);
    this.nextMs = 0;
  }
}

export function nameOf({ atMs, chunk }: ChunkName): string {
  return `${atMs}|${chunk}`;
}

/** Of a partition. */
export class Lines {
  readonly #lines = new Map<string, Line>();

  of(owner: Ordinal, destination: number): Line {
    const key = `${owner}|${destination}`;
    let line = this.#lines.get(key);
    if (line === undefined) {
      line = new Line();
      this.#lines.set(key, line);
    }
    return line;
  }

  /** After instants changed. */
  lookAgain(): void {
    for (const line of this.#lines.values()) line.lookAgain();
  }

  forget(owner: Ordinal, destination: number): void {
    this.#lines.delete(`${owner}|${destination}`);
  }
}
