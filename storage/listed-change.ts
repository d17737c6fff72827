// Changes that a restore must not undo (a key deleted, a secret replaced, an opt-out), as lines of
// the same files as erasures. Entries are plain data; their bytes are written as base64.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../engine/actor/message.ts';
import type { Millis } from '../engine/base/brand.ts';
import { isListFile } from './erasures.ts';

export interface ListedChange {
  readonly entry: Entry;
  readonly atMs: Millis;
}

/** All changes on a directory's lists, in the order they were made for each owner. */
export function* readChanges(directory: string): Generator<ListedChange> {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory).sort()) {
    if (!isListFile(name)) continue;
    for (const line of readFileSync(join(directory, name), 'utf8').split('\n')) {
      const change = parsed(line);
      if (change !== undefined) yield change;
    }
  }
}

/** As it is written: JSON keeps it. */
export function lineOf({ entry, atMs }: ListedChange): {
  readonly entry: unknown;
  readonly atMs: Millis;
} {
  return { entry: plain(entry), atMs };
}

function parsed(line: string): ListedChange | undefined {
  if (!line.startsWith('{"entry":')) return undefined; // empty, or an erasure
  try {
    const { entry, atMs } = JSON.parse(line) as { entry: unknown; atMs: number };
    const read = whole(entry) as Entry;
    const isChange = typeof read.kind === 'string' && typeof read.owner === 'number';
    return isChange ? { entry: read, atMs } : undefined;
  } catch {
    return undefined; // torn
  }
}

const bytesKey = 'base64:bytes';

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [bytesKey]: Buffer.from(value).toString('base64') };
  return mapped(value, plain);
}

function whole(value: unknown): unknown {
  const text = (value as { readonly [bytesKey]?: unknown } | null)?.[bytesKey];
  if (typeof text === 'string') return new Uint8Array(Buffer.from(text, 'base64'));
  return mapped(value, whole);
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]));
}
