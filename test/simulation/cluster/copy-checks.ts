// Holds the copies of a partition against one another: memory at the same turn, now and then while
// everything goes wrong, and memory and files at rest.

import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Partition } from '../../../engine/actor/partition.ts';
import type { PartitionStore } from '../../../engine/actor/store.ts';
import type { MemoryStore } from '../../../storage/memory.ts';
import type { Findings } from '../invariants.ts';
import { memoryOf } from '../partition-life.ts';

/** Of this many turns, one is compared. */
const compared = 16;
/** A copy that is further behind than so many of them is not. */
const kept = 24;

export class CopyChecks {
  /** Memories that were held against an earlier one. */
  count = 0;
  readonly #findings: Findings;
  /** By partition and turn. */
  readonly #memories = new Map<string, { readonly whose: string; readonly memory: unknown }>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** A copy's memory is that of turn `seq` now. */
  at(index: number, seq: number, block: Uint8Array, partition: Partition, whose: string): void {
    if (isCompared(block)) this.#compare(index, seq, memoryOf(partition), whose);
  }

  /** The first to get to a turn says how memory must be. */
  #compare(index: number, seq: number, memory: unknown, whose: string): void {
    const name = `${index} ${seq}`;
    const before = this.#memories.get(name);
    if (before === undefined) {
      this.#memories.set(name, { whose, memory });
      const [oldest] = this.#memories.keys();
      if (this.#memories.size > kept) this.#memories.delete(oldest as string);
      return;
    }
    this.count++;
    this.#findings.expect(
      isDeepStrictEqual(memory, before.memory),
      'copies_agree',
      () =>
        `partition ${index} at turn ${seq}, ${whose} against ${before.whose}: ${difference(memory, before.memory)}`,
    );
  }

  /**
   * The store of a partition that is, or may become, an owner's: looks at what it commits. What an
   * owner of before decides and the log refuses is no turn.
   */
  watched(
    index: number,
    store: PartitionStore,
    partition: () => Partition,
    whose: string,
  ): PartitionStore {
    return changedStore(store, {
      commit: (turn, durable, stored) => {
        const memory = isCompared(turn.block) ? memoryOf(partition()) : undefined;
        const committed = () => {
          if (memory !== undefined) this.#compare(index, turn.seq, memory, whose);
          durable();
        };
        store.commit(turn, committed, stored);
      },
    });
  }

  /** Nothing is under way. */
  atRest(index: number, copies: readonly RestingCopy[]): void {
    const [first, ...others] = copies;
    if (first === undefined) return;
    const [memory, files] = [memoryOf(first.partition), filesOf(first.files)];
    for (const [at, other] of others.entries()) {
      const differs =
        other.partition.seq !== first.partition.seq
          ? `is at turn ${other.partition.seq} and not ${first.partition.seq}`
          : !isDeepStrictEqual(memoryOf(other.partition), memory)
            ? `has another memory: ${difference(memoryOf(other.partition), memory)}`
            : filesOf(other.files) !== files
              ? 'has other files'
              : undefined;
      this.#findings.expect(
        differs === undefined,
        'copies_agree',
        () => `copy ${at + 1} of partition ${index} ${differs}`,
      );
    }
  }
}

function isCompared(block: Uint8Array): boolean {
  return crc32(block) % compared === 0;
}

/** Where two values differ first. */
function difference(one: unknown, other: unknown, path = ''): string {
  const isBranch = [one, other].every((value) => typeof value === 'object' && value !== null);
  if (!isBranch) return `${path} is ${String(one)} and ${String(other)}`;
  const [members, others] = [Object.entries(one as object), Object.entries(other as object)];
  for (const [name, value] of members) {
    const matching = (other as Record<string, unknown>)[name];
    if (!isDeepStrictEqual(value, matching)) return difference(value, matching, `${path}/${name}`);
  }
  return `${path} has ${members.length} and ${others.length} members`;
}

interface RestingCopy {
  readonly partition: Partition;
  readonly files: MemoryStore;
}

/** A checksum over every document, and the newest turn. Copies may keep more or less of the log. */
function filesOf(files: MemoryStore): number {
  let sum = files.durableSeq;
  let start: Uint8Array = new Uint8Array(0);
  const end = new Uint8Array(64).fill(255);
  for (;;) {
    const rows = files.range({ start, end });
    for (const { key, value } of rows) sum = crc32(value, crc32(key, sum));
    const last = rows.at(-1);
    if (last === undefined) return sum;
    start = Buffer.concat([last.key, new Uint8Array(1)]);
  }
}

/** A store of which some calls do something else. */
export function changedStore(
  store: PartitionStore,
  changes: Partial<Pick<PartitionStore, 'commit'>>,
): PartitionStore {
  return new Proxy(store, {
    get: (target, name) => {
      const changed = name === 'commit' ? changes.commit : undefined;
      const value: unknown = changed ?? Reflect.get(target, name, target);
      return typeof value === 'function' && changed === undefined ? value.bind(target) : value;
    },
  });
}
