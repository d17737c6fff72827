// Rows as bodies of `POST /v1/import/subscribers`, each within the server's bounds. Bytes are not
// the only bound: a body has a bounded number of JSON values, too, and small rows reach that one
// first.

import { limits } from '../../actors/limits.ts';
import type { Person, PersonRow } from './person.ts';

/** Bounds of one body, with room to spare below the server's. */
interface BatchBounds {
  readonly rows: number;
  readonly bytes: number;
  readonly values: number;
}

export const batchBounds: BatchBounds = {
  rows: 1_000,
  bytes: limits.bodyBytesMax - 64 * 1024,
  values: limits.jsonNodesMax - 1_000,
};

/** The lines of a row: the first of them, and how many. */
export interface RowOrigin {
  readonly line: number;
  readonly lines: number;
}

/** One request: its body, and the lines of its rows, in order. */
export interface Batch {
  readonly body: string;
  readonly origins: readonly RowOrigin[];
}

/** A person whose row no server would accept. */
export interface TooLarge {
  readonly tooLarge: RowOrigin;
}

/**
 * Puts people into batches, in order. A row above the size of a subscriber's record is returned
 * alone as `TooLarge`, after the batch with the rows before it, and counts as a row.
 */
export function* batchesOf(
  appId: string,
  people: Iterable<Person>,
  bounds: BatchBounds = batchBounds,
): Generator<Batch | TooLarge> {
  const head = `{"appId":${JSON.stringify(appId)},"rows":[`;
  let parts: string[] = [];
  let origins: RowOrigin[] = [];
  let bytes = 0;
  let values = 0;
  const cut = (): Batch => {
    const batch = { body: `${head}${parts.join(',')}]}`, origins };
    parts = [];
    origins = [];
    bytes = 0;
    values = 0;
    return batch;
  };
  for (const person of people) {
    const { line, lines } = person;
    const row = person.row();
    const text = JSON.stringify(row);
    const size = Buffer.byteLength(text) + 1;
    const count = valuesIn(row);
    if (size > limits.subscriberBytesMax) {
      if (parts.length > 0) yield cut();
      yield { tooLarge: { line, lines } };
      continue;
    }
    const isFull =
      parts.length >= bounds.rows || bytes + size > bounds.bytes || values + count > bounds.values;
    if (isFull && parts.length > 0) yield cut();
    parts.push(text);
    origins.push({ line, lines });
    bytes += size;
    values += count;
  }
  if (parts.length > 0) yield cut();
}

/** JSON values of a row: itself, its members, and what is in them. */
function valuesIn({ tags, devices }: PersonRow): number {
  let values = 5; // the row, its id, its zone, and the two that hold others
  for (const device of devices ?? []) values += 1 + Object.keys(device).length;
  for (const key in tags) {
    const tag = tags[key];
    values += 1 + (Array.isArray(tag) ? tag.length : 0);
  }
  return values;
}
