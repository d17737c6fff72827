// Retention of sends, in bounded turns that continue where the previous one stopped. Open sends
// stay, however old. A damaged record is removed by its key, which holds its age. A row goes
// together with its chunk: the chunk alone would present the send as pending.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentRow,
  type DocumentWrite,
  type KeyPart,
  type TypedTable,
} from '../../../engine/actor/message.ts';
import { dayMs, hourMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import { formatId, parseId } from '../../../engine/base/id.ts';
import { providerReceipts } from '../../../storage/tables/provider-receipt.ts';
import { deadLetters, sends } from '../../../storage/tables/send.ts';
import { sendChunks } from '../../../storage/tables/send-chunk.ts';
import { droppedFiles } from '../../content/files/keep.ts';
import { readableRow } from '../../readable-row.ts';
import { keptFromMs } from '../../tenants/accounts/records.ts';
import { sweptActivities } from './activity-push.ts';
import type { OutboxEntry } from './protocol.ts';
import type { SendsView } from './reads.ts';
import { chunkKeyOf, chunkSends, idsOfChunk } from './send-chunk.ts';
import { partsOfKey, sendKey, sendKeyFrom } from './send-key.ts';
import { sendsSweepTimer } from './timers.ts';

const sweepRows = 1_000;
const sweepChunks = Math.floor(sweepRows / chunkSends);
/** A letter is younger than its send by as long as it was tried; a later pass finds others. */
const letterLagMs = 31 * dayMs;

export function sweep(app: SendsView, after: string | undefined, context: Context): Decision<null> {
  const { owner, nowMs, ages, documents } = context;
  const cutMs = keptFromMs(app.settings, ages, nowMs);
  const page = new SweptPage(context, after, cutMs);
  const isOpen = (id: string) => app.outbox.jobs.has(id);
  const isAnyOpen = (key: readonly KeyPart[]) => {
    const chunk = readableRow(documents, sendChunks, key);
    return chunk !== undefined && idsOfChunk(partsOfKey(key), chunk).some(isOpen);
  };
  page.sweep(sends, sweepRows, ({ key, value }) => {
    return !isOpen(value.id) && !isAnyOpen(chunkKeyOf(partsOfKey(key)));
  });
  page.sweep(sendChunks, sweepChunks, ({ key }) => !isAnyOpen(key));
  page.sweep(providerReceipts, sweepRows, () => true);
  page.sweepLetters(cutMs, isOpen);
  const activities = sweptActivities(documents, owner, cutMs, sweepRows);
  const old = droppedFiles(cutMs, sweepRows, context);
  const files = old.entries.length > 0 && isAnyOlder(app, cutMs) ? undefined : old;
  const dropped = files?.documents ?? [];
  const writes = [...page.documents, ...activities.documents, ...dropped];
  const isMore = page.isMore || activities.count === sweepRows || dropped.length >= sweepRows;
  // A full page means there is more: continue in a second, otherwise in an hour.
  const nextMs = nowMs + (isMore ? 1_000 : hourMs);
  const swept: OutboxEntry = { kind: 'sends.swept', owner, count: writes.length };
  return accepted(null, {
    entries: [...(files?.entries ?? []), swept, sendsSweepTimer(owner, nextMs, page.reached)],
    documents: writes,
  });
}

/** Whether an open send, which keeps its files however old they are, was accepted before. */
function isAnyOlder({ outbox }: SendsView, cutMs: number): boolean {
  for (const { acceptedMs } of outbox.jobs.values()) if (acceptedMs < cutMs) return true;
  return false;
}

/** What one turn reads and removes. */
class SweptPage {
  readonly documents: DocumentWrite[] = [];
  readonly #context: Context;
  readonly #after: string | undefined;
  readonly #from: readonly [Uint8Array];
  readonly #to: readonly [Uint8Array];
  /** Where each table that has more stopped. */
  readonly #ends: string[] = [];
  #isMore = false;

  constructor(context: Context, after: string | undefined, cutMs: number) {
    const { owner } = context;
    this.#context = context;
    this.#after = after;
    this.#from = (after === undefined ? undefined : sendKey(owner, after)) ?? sendKeyFrom(owner, 0);
    this.#to = sendKeyFrom(owner, cutMs);
  }

  get isMore(): boolean {
    return this.#isMore;
  }

  /** The first send that some table has not passed; `undefined` if all are done. */
  get reached(): string | undefined {
    return this.#ends.toSorted()[0];
  }

  /** Removes the old rows that `goes` accepts. */
  sweep<Row extends object>(
    table: TypedTable<Row>,
    limit: number,
    goes: (row: DocumentRow<Row>) => boolean,
  ): void {
    // The letters of a pass go further.
    if (Buffer.compare(this.#from[0], this.#to[0]) >= 0) return;
    const damaged = (key: readonly KeyPart[]) => this.#drop(table, key);
    const range = { from: this.#from, to: this.#to, limit, damaged };
    const rows = this.#context.documents.range(table, range);
    for (const row of rows)
      if (goes(row)) this.documents.push({ table, key: row.key, value: undefined });
    const last = rows.length === limit ? rows.at(-1) : undefined;
    if (last === undefined) return;
    this.#isMore = true;
    this.#ends.push(formatId('ntf', partsOfKey(last.key)));
  }

  /** A letter goes with its send, even if a redrive has opened it again. */
  sweepLetters(cutMs: number, isOpen: (sendId: string) => boolean): void {
    const { owner, documents } = this.#context;
    const to = letterIdFrom(owner, cutMs + letterLagMs);
    const from =
      this.#after === undefined ? letterIdFrom(owner, 0) : `dl${this.#after.slice('ntf'.length)}`;
    if (from >= to) return;
    const read: string[] = [];
    const damaged = ([id]: readonly KeyPart[]) => {
      read.push(id as string);
      if ((parseId('dl', id as string)?.atMs ?? 0) < cutMs) this.#drop(deadLetters, [id as string]);
    };
    const range = { from: [from], to: [to], limit: sweepRows, damaged };
    for (const { key, value } of documents.range(deadLetters, range)) {
      read.push(key[0] as string);
      const isOld = (parseId('ntf', value.sendId)?.atMs ?? 0) < cutMs;
      if (isOld && !isOpen(value.sendId))
        this.documents.push({ table: deadLetters, key, value: undefined });
    }
    const last = read.length < sweepRows ? undefined : read.sort().at(-1);
    if (last === undefined) return;
    this.#isMore = true;
    this.#ends.push(`ntf${last.slice('dl'.length)}`);
  }

  #drop(table: DocumentWrite['table'], key: readonly KeyPart[]): void {
    this.#isMore = true;
    this.documents.push({ table, key, value: undefined });
  }
}

/** The smallest id of a letter written at or after `atMs`. Ids sort as their parts do. */
function letterIdFrom(ordinal: Ordinal, atMs: Millis): string {
  return formatId('dl', { ordinal, atMs: Math.max(0, atMs), high16: 0, low32: 0 });
}
