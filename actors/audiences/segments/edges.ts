// The edges of one followed segment within an hour, in order. Picked ones lie in a bucket per
// minute, sorted when its minute begins, so that a million of them cost no turn much. An edge that
// events add repeatedly is kept once.

import { type Millis, minuteMs, type PersonOrdinal } from '../../../engine/base/brand.ts';

interface Edge {
  readonly dueMs: Millis;
  readonly person: PersonOrdinal;
}

/** A minute's edges; once sorted, by due time descending. */
interface Bucket {
  readonly edges: Edge[];
  isSorted: boolean;
  /** `due:person` of each; made by the first `add`. */
  known: Set<string> | undefined;
}

export class Edges {
  #fromMs: Millis = 0;
  #buckets: (Bucket | undefined)[] = [];
  /** The first bucket that may have edges. */
  #first = 0;

  /** When the first is due, or the start of its minute if unsorted; infinite for none. */
  get nextMs(): Millis {
    for (; this.#first < this.#buckets.length; this.#first++) {
      const bucket = this.#buckets[this.#first];
      if (bucket === undefined || bucket.edges.length === 0) continue;
      if (!bucket.isSorted) return this.#fromMs + this.#first * minuteMs;
      return (bucket.edges[bucket.edges.length - 1] as Edge).dueMs;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Clears all, and makes room for edges after `fromMs`, up to `untilMs`. */
  begin(fromMs: Millis, untilMs: Millis): void {
    this.#fromMs = fromMs;
    this.#first = 0;
    this.#buckets = new Array(Math.max(1, Math.ceil((untilMs - fromMs) / minuteMs) + 1)).fill(
      undefined,
    );
  }

  /** Adds one of many picked together, none of which is there yet. */
  pick(dueMs: Millis, person: PersonOrdinal): void {
    const bucket = this.#bucketOf(dueMs);
    bucket.edges.push({ dueMs, person });
    bucket.isSorted = false;
  }

  /** Adds one that may be there already. */
  add(dueMs: Millis, person: PersonOrdinal): void {
    if (this.#buckets.length === 0) return; // nothing was picked yet: the next pick finds it
    const bucket = this.#bucketOf(dueMs);
    bucket.known ??= new Set(bucket.edges.map(keyOf));
    const edge = { dueMs, person };
    const key = keyOf(edge);
    if (bucket.known.has(key)) return;
    bucket.known.add(key);
    bucket.edges.push(edge);
    bucket.isSorted = false;
    this.#first = Math.min(this.#first, this.#indexOf(dueMs));
  }

  /** Removes and returns people who are due, at most `max`. */
  take(nowMs: Millis, max: number): PersonOrdinal[] {
    const people: PersonOrdinal[] = [];
    while (people.length < max) {
      if (this.nextMs > nowMs) break;
      const bucket = this.#buckets[this.#first] as Bucket;
      if (!bucket.isSorted) {
        bucket.edges.sort((a, b) => b.dueMs - a.dueMs);
        bucket.isSorted = true;
      }
      const edge = bucket.edges[bucket.edges.length - 1] as Edge;
      if (edge.dueMs > nowMs) break;
      bucket.edges.pop();
      people.push(edge.person);
    }
    return people;
  }

  #indexOf(dueMs: Millis): number {
    const index = Math.floor((dueMs - this.#fromMs) / minuteMs);
    return Math.max(0, Math.min(index, this.#buckets.length - 1));
  }

  #bucketOf(dueMs: Millis): Bucket {
    const index = this.#indexOf(dueMs);
    let bucket = this.#buckets[index];
    if (bucket === undefined) {
      bucket = { edges: [], isSorted: true, known: undefined };
      this.#buckets[index] = bucket;
    }
    return bucket;
  }
}

function keyOf({ dueMs, person }: Edge): string {
  return `${dueMs}:${person}`;
}
