// Rows of an import about people who are stored as the rows say but for values of tags: what a file
// that comes every night changes most. Their entry has the changed values in columns.

import type { Context } from '../../../../engine/actor/message.ts';
import type { Bytes, PersonOrdinal } from '../../../../engine/base/brand.ts';
import { DamagedRecord, orDamaged } from '../../../../storage/codec.ts';
import {
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../../storage/tables/subscriber.ts';
import { countedBytes } from '../counted-bytes.ts';
import type { PackedRows, RetaggedEntry } from '../protocol.ts';
import { recoded } from './recoded.ts';
import { unpackedRow } from './unpack-row.ts';

const noKey = new Uint8Array(0);

interface Retagged {
  readonly row: number;
  readonly person: PersonOrdinal;
  /** Names of tags with another value. */
  readonly names: ReadonlySet<string>;
}

export class RetaggedRows {
  readonly #packed: PackedRows;
  readonly #changed: Retagged[] = [];
  #grewBytes: Bytes = 0;

  constructor(packed: PackedRows) {
    this.#packed = packed;
  }

  /** The stored person, whose devices must be those of the row; `undefined` for the upsert. */
  add(record: Uint8Array, row: number, person: PersonOrdinal): SubscriberRow | undefined {
    const stored = orDamaged(() => subscribers.decode(record, noKey));
    if (stored instanceof DamagedRecord) return undefined; // the upsert says so, with its key
    const { tags = {}, timezone, preferredChannels } = unpackedRow(this.#packed, row);
    if (stored.timezone !== timezone) return undefined;
    if (!isSame(stored.preferredChannels, preferredChannels)) return undefined;
    const names = Object.keys(stored.tags);
    if (!isSame(names, Object.keys(tags))) return undefined;
    const changed = new Set(names.filter((name) => !isSame(stored.tags[name], tags[name])));
    if (changed.size === 0) return undefined;
    this.#changed.push({ row, person, names: changed });
    this.#grewBytes += (this.#packed.counted[row] as number) - countedBytes(stored);
    return stored;
  }

  entry({ owner, nowMs }: Pick<Context, 'owner' | 'nowMs'>): RetaggedEntry | undefined {
    const changed = this.#changed;
    if (changed.length === 0) return undefined;
    const places = changed.map((_, place) => place);
    const tags = this.#packed.tags.flatMap(({ name, ...column }) => {
      const codeOf = (place: number): number => {
        const { row, names } = changed[place] as Retagged;
        return names.has(name) ? (column.codes[row] as number) : 0;
      };
      const own = recoded<TagValue>(column, places, codeOf);
      return own.values.length === 0 ? [] : [{ name, ...own }];
    });
    return {
      kind: 'subscribers.retagged',
      owner,
      people: Uint32Array.from(changed, ({ person }) => person),
      atMs: nowMs,
      tags,
      grewBytes: this.#grewBytes,
    };
  }
}

type Value = TagValue | null | undefined;

function isSame(one: Value, other: Value): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((element, i) => element === other[i]);
}
