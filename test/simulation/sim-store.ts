// A partition's store in the simulator: the memory twin, with commits that take virtual time, and a
// look at every turn on its way: whose documents it writes, and, once it is durable, what its
// entries say.

import { decodeBlock } from '../../engine/actor/block.ts';
import type { Entry } from '../../engine/actor/message.ts';
import type { KeyRange, PartitionStore, StoredRow, TurnWrite } from '../../engine/actor/store.ts';
import type { Seq } from '../../engine/base/brand.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { decodeKey } from '../../storage/keys.ts';
import type { MemoryStore } from '../../storage/memory.ts';
import { tableById } from '../../storage/table.ts';
import { auditNotes } from '../../storage/tables/audit-note.ts';
import { invoices } from '../../storage/tables/invoice.ts';
import { type SubscriberRow, subscribers } from '../../storage/tables/subscriber.ts';
import type { Findings } from './invariants.ts';
import type { WrittenPerson } from './log-facts.ts';
import { ordinalOfId } from './tenants.ts';

/** A turn that is durable, or on its way. */
export interface SeenTurn {
  readonly seq: Seq;
  readonly atMs: number;
  /** How far the wall clock was behind `atMs`. */
  readonly behindMs: number;
  readonly entries: readonly Entry[];
  readonly checksum: number;
  /** People's records that it writes. */
  readonly written: readonly WrittenPerson[];
}

interface SimStoreOptions {
  readonly inner: MemoryStore;
  readonly findings: Findings;
  readonly clock: Clock;
  /**
   * Makes the oldest turn in flight durable when its time has come: calls `settleNext`, or fails
   * the commit.
   */
  readonly plan: (store: SimStore) => void;
  /** A turn is durable; told before anything of it leaves. */
  readonly onDurable: (turn: SeenTurn) => void;
  /** For a sabotage: answers without waiting for the disk. */
  readonly hasty?: boolean;
}

/** One partition's store under observation. */
export class SimStore implements PartitionStore {
  readonly #options: SimStoreOptions;
  readonly #inner: MemoryStore;
  #flights: SeenTurn[] = [];
  /** A commit has failed: what memory holds beyond the disk is lost. */
  failed = false;

  constructor(options: SimStoreOptions) {
    this.#options = options;
    this.#inner = options.inner;
  }

  get epoch(): number {
    return this.#inner.epoch;
  }

  get durableSeq(): Seq {
    return this.#inner.durableSeq;
  }

  get oldestSeq(): Seq {
    return this.#inner.oldestSeq;
  }

  /** Where a shared log has the newest turn. */
  get place(): Uint8Array | undefined {
    return this.#inner.place;
  }

  get inFlight(): number {
    return this.#flights.length;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(key);
  }

  range(range: KeyRange): StoredRow[] {
    return this.#inner.range(range);
  }

  blocks(from: Seq, limit: number): { readonly seq: Seq; readonly block: Uint8Array }[] {
    return this.#inner.blocks(from, limit);
  }

  dropBlocks(through: Seq, limit: number): Promise<number> {
    return this.#inner.dropBlocks(through, limit);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  commit(lent: TurnWrite, durable: () => void, stored?: () => void): void {
    // What was seen is kept for as long as the world is, and the block's bytes were lent.
    const turn = { ...lent, block: Buffer.from(lent.block) };
    this.#flights.push(seenTurn(turn, this.#options.findings, this.#options.clock));
    const { hasty } = this.#options;
    this.#inner.commit(turn, hasty ? () => {} : durable, stored);
    this.#options.plan(this);
    if (hasty) durable();
  }

  /** Makes the oldest turn in flight durable and lets what it caused leave. */
  settleNext(): void {
    const turn = this.#flights.shift();
    if (turn === undefined) return;
    this.#options.onDurable(turn);
    this.#inner.settleNext();
  }

  /**
   * Fails the oldest commit, which may have reached the disk all the same; the process has to end.
   */
  failNext(written: boolean): void {
    const turn = this.#flights.shift();
    if (turn === undefined) return;
    if (written) this.#options.onDurable(turn);
    this.failed = true;
    this.#flights = [];
    this.#inner.failNext(new Error('simulated commit failure'), written);
  }

  /**
   * What is on the disk after the process died, when the oldest `survivors` turns in flight had
   * reached it.
   */
  crash(survivors: number): MemoryStore {
    for (const turn of this.#flights.slice(0, survivors)) this.#options.onDurable(turn);
    this.#flights = [];
    return this.#inner.crash(survivors);
  }
}

/** A turn as the world's accounts take it in. Its block must stay as it is. */
export function seenTurn(turn: TurnWrite, findings: Findings, clock: Clock): SeenTurn {
  const { atMs, entries } = decodeBlock(turn.block);
  const written = checkOwners(turn, entries, findings);
  const checksum = Buffer.from(turn.block.buffer, turn.block.byteOffset).readUInt32LE(1);
  const behindMs = Math.max(0, atMs - clock.now());
  return { seq: turn.seq, atMs, behindMs, entries, checksum, written };
}

/** Holds that rows are their owners'; gives back the people among them. */
function checkOwners(
  turn: TurnWrite,
  entries: readonly Entry[],
  findings: Findings,
): WrittenPerson[] {
  const written: WrittenPerson[] = [];
  const owners = new Set(entries.map(({ owner }) => owner));
  for (const { key, value } of turn.documents) {
    const { table, owner, parts } = decodeKey(key);
    findings.expect(
      owners.has(owner),
      'owner_in_key',
      () =>
        `turn ${turn.seq} writes table ${table} of owner ${owner} without an entry of that owner`,
    );
    const row =
      value === undefined
        ? undefined
        : (tableById(table)?.decode(value, key) as { readonly id?: string } | undefined);
    if (table === subscribers.id)
      written.push({ owner, person: parts[0] as number, row: row as SubscriberRow | undefined });
    if (value === undefined) continue;
    // Ids of what belongs to an org have no ordinal.
    const isOrgs = table === auditNotes.id || table === invoices.id;
    const named = row?.id === undefined || isOrgs ? owner : ordinalOfId(row.id);
    findings.expect(
      named === owner,
      'owner_in_key',
      () => `turn ${turn.seq} writes ${row?.id}, which is of owner ${named}, under owner ${owner}`,
    );
  }
  return written;
}
