// The table of texts whose outcome a gateway tells only when it is asked: a row each at the instant
// when it is due, so that a relay's rows are read in the order in which they are asked for.

import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type AwaitedResultRow, awaitedResults } from '../../../storage/tables/awaited-result.ts';
import { readableRow } from '../../readable-row.ts';

type Documents = Context['documents'];

/** A row's place among those of its relay. */
export interface AwaitedPlace extends Pick<AwaitedResultRow, 'sendId' | 'deviceId'> {
  readonly dueMs: Millis;
}

export interface AwaitedRow {
  readonly dueMs: Millis;
  readonly value: AwaitedResultRow;
}

/** Rows that one turn reads, and may give up. */
export const awaitedRowsMax = 500;
/** Later than every row. */
export const lastMs: Millis = Number.MAX_SAFE_INTEGER;

export function awaited(relayId: string, dueMs: Millis, value: AwaitedResultRow): DocumentWrite {
  return { table: awaitedResults, key: keyOf(relayId, { ...value, dueMs }), value };
}

export function noLongerAwaited(relayId: string, place: AwaitedPlace): DocumentWrite {
  return { table: awaitedResults, key: keyOf(relayId, place), value: undefined };
}

export function awaitedAt(
  documents: Documents,
  relayId: string,
  place: AwaitedPlace,
): AwaitedResultRow | undefined {
  return readableRow(documents, awaitedResults, keyOf(relayId, place));
}

/** The first that are due, a turn's worth, and the removal of those that cannot be read. */
export function dueRows(
  documents: Documents,
  relayId: string,
  untilMs: Millis,
): { readonly rows: readonly AwaitedRow[]; readonly damaged: readonly DocumentWrite[] } {
  const damaged: DocumentWrite[] = [];
  const rows = documents.range(awaitedResults, {
    from: [relayId],
    to: [relayId, Math.min(untilMs + 1, lastMs)],
    limit: awaitedRowsMax,
    damaged: (key) => damaged.push({ table: awaitedResults, key, value: undefined }),
  });
  return { rows: rows.map(({ key, value }) => ({ dueMs: key[1] as Millis, value })), damaged };
}

/** When the first text is due, besides these. */
export function firstDueMs(
  documents: Documents,
  relayId: string,
  besides: readonly AwaitedPlace[],
): Millis | undefined {
  const gone = new Set(besides.map(nameOf));
  const range = { from: [relayId], to: [relayId, lastMs], limit: gone.size + 1, damaged: () => {} };
  const rows = documents.range(awaitedResults, range);
  const found = rows.find(({ key, value }) => {
    return !gone.has(nameOf({ ...value, dueMs: key[1] as Millis }));
  });
  return found?.key[1] as Millis | undefined;
}

function keyOf(relayId: string, { dueMs, sendId, deviceId }: AwaitedPlace) {
  return [relayId, dueMs, sendId, deviceId] as const;
}

function nameOf({ dueMs, sendId, deviceId }: AwaitedPlace): string {
  return `${dueMs} ${sendId} ${deviceId}`;
}
