// An app's bulk changes: those that run with who is left, and the newest that are done; and what
// bulk changes see of a partition's memory.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import { limits } from '../../limits.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { UpsertReads } from '../../people/audience/upsert.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SegmentsReads } from '../segments/reads.ts';
import type { BulkChange } from './protocol.ts';

interface KeptChange {
  readonly change: BulkChange;
  /** Everyone it is about; absent once it is done. */
  readonly members?: Bitset;
  /** The first person who is left. */
  readonly from: PersonOrdinal;
}

interface KeptSnapshot {
  readonly change: BulkChange;
  readonly members?: Uint8Array;
  readonly from: PersonOrdinal;
}

class BulkChanges {
  /** The number of the next one. */
  next = 1;
  readonly #kept = new Map<number, KeptChange>();

  get running(): number {
    let count = 0;
    for (const { change } of this.#kept.values()) if (change.state === 'running') count++;
    return count;
  }

  get(number: number): KeptChange | undefined {
    return this.#kept.get(number);
  }

  find(id: string): BulkChange | undefined {
    for (const { change } of this.#kept.values()) if (change.id === id) return change;
    return undefined;
  }

  /** Drops the oldest that is done, beyond what is kept. */
  put(kept: KeptChange): void {
    const { number } = kept.change;
    this.next = Math.max(this.next, number + 1);
    this.#kept.set(number, kept);
    if (this.#kept.size <= limits.bulkChangesKept) return;
    for (const [oldest, { change }] of this.#kept)
      if (change.state === 'done') {
        this.#kept.delete(oldest);
        return;
      }
  }

  snapshot(): readonly KeptSnapshot[] {
    return [...this.#kept.values()].map(({ change, members, from }) => ({
      change,
      ...(members === undefined ? {} : { members: members.snapshot() }),
      from,
    }));
  }

  static restore(kept: readonly KeptSnapshot[], next: number): BulkChanges {
    const changes = new BulkChanges();
    for (const { change, members, from } of kept)
      changes.put({
        change,
        ...(members === undefined ? {} : { members: Bitset.restore(members) }),
        from,
      });
    changes.next = next;
    return changes;
  }
}

export interface BulkApp {
  readonly bulk: BulkChanges;
}

interface Snapshot {
  /** Absent in checkpoints of earlier builds. */
  readonly bulkKept?: readonly KeptSnapshot[];
  readonly bulkNext?: number;
}

export const bulkOfApp: Slice<BulkApp, Snapshot, NewApp> = {
  make: () => ({ bulk: new BulkChanges() }),
  snapshot: ({ bulk }) => ({ bulkKept: bulk.snapshot(), bulkNext: bulk.next }),
  restore: ({ bulkKept = [], bulkNext = 1 }) => ({ bulk: BulkChanges.restore(bulkKept, bulkNext) }),
};

export type BulkView = BulkApp & AccountsReads & AudienceReads & SegmentsReads & UpsertReads;

export type BulkMemory = AppsOf<BulkView>;
