// Recalls of granted rows. A shard raises its count in shared memory before it answers an erasure,
// an opt-out, a pause or a cancel, and its message follows. Until the message is here, no row of
// that shard begins: nobody can tell yet which ones may.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { SharedCounts } from '../../../engine/thread/shared-word.ts';
import type { Attempt } from '../../channels/port/attempt.ts';
import type { DispatchRecall } from './protocol.ts';
import type { RelayWay } from './relay-ways.ts';

/** A row in the hands of an adapter. */
export class RowCall {
  readonly person: PersonOrdinal;
  readonly campaignId: string | undefined;
  readonly journeyId: string | undefined;
  readonly endpoint: Attempt['endpoint'] | undefined;
  readonly by: RelayWay | undefined;
  isRecalled = false;
  /** Its account or domain asked for fewer calls before it began. */
  isSlowed = false;
  /** Kept from beginning: nothing was sent. */
  isKept = false;

  constructor(
    person: PersonOrdinal,
    endpoint: Attempt['endpoint'] | undefined,
    campaignId: string | undefined,
    journeyId?: string,
    by?: RelayWay,
  ) {
    this.person = person;
    this.endpoint = endpoint;
    this.campaignId = campaignId;
    this.journeyId = journeyId;
    this.by = by;
  }
}

export class Recalls {
  readonly #raised: SharedCounts | undefined;
  /** By shard. */
  readonly #received: number[] = [];

  /** Without counts, as in tests, nothing is awaited. */
  constructor(counts: SharedArrayBuffer | undefined) {
    this.#raised = counts && new SharedCounts(counts);
  }

  received(shard: number): void {
    this.#received[shard] = ((this.#received[shard] ?? 0) + 1) | 0;
  }

  /** Whether a recall of this shard is on its way. */
  isAwaited(shard: number): boolean {
    return this.#raised?.isAbove(shard, this.#received[shard] ?? 0) ?? false;
  }
}

interface Named {
  readonly person: PersonOrdinal;
  readonly campaignId?: string | undefined;
  readonly journeyId?: string | undefined;
}

/** Whether a recall names a row. */
export function recalledBy({
  people,
  campaignId,
  journeyId,
}: DispatchRecall): (row: Named) => boolean {
  if (people !== undefined) {
    const all = new Set(people);
    return ({ person }) => all.has(person);
  }
  if (campaignId !== undefined) return (row) => campaignId === row.campaignId;
  return (row) => journeyId === undefined || journeyId === row.journeyId;
}
