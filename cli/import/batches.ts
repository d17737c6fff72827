// Rows as `POST /v1/import/subscribers` bodies, bounded by bytes and JSON values (small rows).

import { limits } from '../../actors/limits.ts';
import type { Consent } from '../../actors/people/audience/protocol.ts';
import type { PersonRow } from './person.ts';

/** Below the server's bounds. */
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

/** The first line, and the number of lines. */
export interface RowOrigin {
  readonly line: number;
  readonly lines: number;
  /** Where an import has several. */
  readonly file?: string;
}

/** What becomes a row. */
export interface RowSource extends RowOrigin {
  row(): PersonRow;
}

/** A body, and its rows' lines in order. */
export interface Batch {
  readonly body: string;
  readonly origins: readonly RowOrigin[];
}

/** A person too large for any server. */
export interface TooLarge {
  readonly tooLarge: RowOrigin;
}

/**
 * Batches in order, with what their people have agreed to. A too large row comes alone after the
 * batch before it, and counts as one.
 */
export function* batchesOf(
  appId: string,
  people: Iterable<RowSource>,
  bounds: BatchBounds = batchBounds,
  consent: Consent = 'confirmed',
): Generator<Batch | TooLarge> {
  const asked = consent === 'confirmed' ? '' : `"consent":"${consent}",`;
  const head = `{"appId":${JSON.stringify(appId)},${asked}"rows":[`;
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

/** A row's JSON values, nested ones included. */
function valuesIn({ tags, devices, topics = {} }: PersonRow): number {
  // The row, its id, its zone, and the three that hold others.
  let values = 6 + Object.keys(topics).length;
  for (const device of devices ?? []) values += 1 + Object.keys(device).length;
  for (const key in tags) {
    const tag = tags[key];
    values += 1 + (Array.isArray(tag) ? tag.length : 0);
  }
  return values;
}
