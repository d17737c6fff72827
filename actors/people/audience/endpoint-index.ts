// Who has which address, in memory: 64 bits of a keyed hash for each, 12 bytes with the person's
// ordinal. A table on the disk would touch a page of its own for each address of an import.
// It says who to ask; the person's record says which device it is (`endpoint-rows.ts`).

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Hash64, type HashKey, hash64 } from '../../../engine/base/hash.ts';
import { RowTable } from '../../../engine/base/row-table.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { EndpointsEntry } from './protocol.ts';

/** A channel, or `as <channel>` for what a provider calls an address, and 16 bytes of SHA-256. */
export type EndpointKey = readonly [kind: string, digest: Uint8Array];

export const endpointDigestBytes = 16;

export interface EndpointIndexSnapshot {
  readonly key: HashKey | null;
  /** Hash, ordinal plus one, and the rest of the hash, in the order of the table. */
  readonly rows: Uint32Array;
  readonly isWhole: boolean;
}

/** A row: the hash's first word, the ordinal plus one, the hash's second word. */
const width = 3;
const noTags = new Uint8Array(0);

export class EndpointIndex {
  /** Secret, and the app's own for good: entries have its hashes. */
  key: HashKey | undefined;
  /** Whether the table of earlier builds has no rows of the app any more. */
  isWhole = false;
  readonly #rows = new RowTable({ width });
  readonly #hash: Hash64 = { high: 0, low: 0 };

  get count(): number {
    return this.#rows.count;
  }

  get byteLength(): number {
    return this.#rows.byteLength;
  }

  find(key: EndpointKey): PersonOrdinal | undefined {
    if (this.key === undefined) return undefined;
    hashEndpoint(this.key, kindCode(key[0]), key[1], 0, this.#hash);
    return this.findHash(this.#hash.high, this.#hash.low);
  }

  findHash(high: number, low: number): PersonOrdinal | undefined {
    const segment = this.#rows.segmentOf(high);
    const { words } = segment;
    for (let at = this.#rows.seek(segment, high, 1); words[at] === high; at += width) {
      const person = words[at + 1] as number;
      if (person === 0) return undefined;
      if (words[at + 2] === low) return person - 1;
    }
    return undefined;
  }

  /** Brings the start of a later search into the cache. */
  touch(high: number): void {
    this.#rows.touch(high);
  }

  fold({ hashes, people }: Pick<EndpointsEntry, 'hashes' | 'people'>): void {
    for (let i = 0; i < people.length; i++) this.#rows.touch(hashes[2 * i] as number);
    for (let i = 0; i < people.length; i++)
      this.#set(hashes[2 * i] as number, hashes[2 * i + 1] as number, people[i] as number);
  }

  snapshot(): EndpointIndexSnapshot {
    const rows = new Uint32Array(this.#rows.count * width);
    let to = 0;
    for (const { words } of this.#rows.segments())
      for (let at = 0; at < words.length; at += width) {
        if (words[at + 1] === 0) continue;
        for (let i = 0; i < width; i++) rows[to++] = words[at + i] as number;
      }
    return { key: this.key ?? null, rows, isWhole: this.isWhole };
  }

  static restore(from: EndpointIndexSnapshot | undefined): EndpointIndex {
    const index = new EndpointIndex();
    if (from === undefined) return index;
    index.key = from.key ?? undefined;
    index.isWhole = from.isWhole;
    index.#rows.load(from.rows, noTags);
    return index;
  }

  /** `person` as in a row. An address has one owner, so whoever had it is forgotten. */
  #set(high: number, low: number, person: number): void {
    const segment = this.#rows.segmentOf(high);
    const { words } = segment;
    for (let at = this.#rows.seek(segment, high, 1); words[at] === high; at += width) {
      if (words[at + 1] === 0) break;
      if (words[at + 2] !== low) continue;
      if (words[at + 1] === person) return;
      this.#rows.removeAt(segment, at);
      break;
    }
    if (person === 0) return;
    const into = this.#rows.reserve(high);
    const at = this.#rows.seek(into, high, person);
    this.#rows.insertAt(into, at, high, person);
    into.words[at + 2] = low;
  }
}

const scratch = new Uint8Array(endpointDigestBytes + 1);

/** The hash of an address, whose digest begins at `bytes[at]`. `kind`: from `kindCode`. */
export function hashEndpoint(
  key: HashKey,
  kind: number,
  bytes: Uint8Array,
  at: number,
  out: Hash64,
): void {
  for (let i = 0; i < endpointDigestBytes; i++) scratch[i] = bytes[at + i] as number;
  scratch[endpointDigestBytes] = kind;
  hash64(key, scratch, 0, scratch.length, out);
}

const asPrefix = 'as ';
const kinds = new Map<string, number>(
  channelIds.flatMap((channel: ChannelId, at) => [
    [channel, at],
    [`${asPrefix}${channel}`, at + 128],
  ]),
);

/** A byte for the first part of a key; of a channel its index in `channelIds`. */
export function kindCode(name: string): number {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no endpoint is of the kind ${name}`);
  return kind;
}
