// Reads batches of batch.ts: opens the head, columns on first use. Texts are built per call.

import type { Buffer } from 'node:buffer';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { ByteReader, DamagedEvents } from '../columns/byte-cursor.ts';
import { batchVersion } from './batch.ts';
import { batchFlags } from './batch-sections.ts';
import type { ReferenceName } from './event-rows.ts';
import { references } from './event-rows.ts';
import type { StoredEvents } from './stored-events.ts';
import { mayHoldMark } from './test-mark.ts';

/** The subscriber id: app, `person`, batch time, `high16`. */
interface CreatedPerson {
  readonly person: PersonOrdinal;
  readonly high16: number;
  readonly externalUserId: string;
}

/** `bytes` must not change. Throws `DamagedEvents`. */
export function decodeBatch(bytes: Uint8Array): EventBatch {
  if (newest?.bytes !== bytes) newest = new EventBatch(bytes);
  return newest;
}

/** The fold and followers read one batch in a row. */
let newest: EventBatch | undefined;

export class EventBatch implements StoredEvents {
  readonly count: number;
  readonly firstSeq: number;
  readonly receivedMs: Millis;
  /** Distinct; `nameIndex` points into them. */
  readonly names: readonly string[];
  /** The whole batch, for `idStart` and `idEnd`. */
  readonly bytes: Uint8Array;
  readonly #bytes: Buffer;
  readonly #nameWidth: number;
  readonly #lagWidth: number;
  readonly #nameAt: number;
  readonly #personAt: number;
  readonly #lagAt: number;
  readonly #ids: TextColumn;
  readonly #props: TextColumn;
  readonly #references: Buffer | undefined;
  readonly #channels: Buffer | undefined;
  readonly #meta: Buffer | undefined;
  readonly #people: Buffer | undefined;
  #referenceTexts: (string | undefined)[][] | undefined;
  #metaTexts: string[] | undefined;
  #mayHoldTests: boolean | undefined;

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    this.bytes = reader.bytes;
    this.#bytes = reader.bytes;
    const version = reader.u8();
    if (version !== batchVersion) {
      throw new DamagedEvents(`events have version ${version}, this program reads ${batchVersion}`);
    }
    const flags = reader.u8();
    const widths = reader.u8();
    this.count = reader.varint();
    this.firstSeq = reader.varint();
    this.receivedMs = reader.varint();
    const idBytes = reader.varint();
    const propsBytes = reader.varint();
    const nameCount = reader.varint();
    const names: string[] = [];
    for (let i = 0; i < nameCount; i++) names.push(reader.text());
    this.names = names;

    const count = this.count;
    this.#nameWidth = widths & 3;
    this.#lagWidth = lagWidths[(widths >> 2) & 3] as number;
    this.#nameAt = reader.skip(this.#nameWidth * count);
    this.#personAt = reader.skip(4 * count);
    this.#lagAt = reader.skip(this.#lagWidth * count);
    const idWidth = (widths >> 4) & 3;
    const propsWidth = (widths >> 6) & 3;
    const idLengthAt = reader.skip(idWidth * count);
    const propsLengthAt = reader.skip(propsWidth * count);
    this.#ids = new TextColumn(reader.bytes, count, idWidth, idLengthAt, reader.skip(idBytes));
    this.#props = new TextColumn(
      reader.bytes,
      count,
      propsWidth,
      propsLengthAt,
      reader.skip(propsBytes),
    );
    const section = (flag: number) => ((flags & flag) === 0 ? undefined : reader.run(reader.u32()));
    this.#references = section(batchFlags.references);
    this.#channels = section(batchFlags.channels);
    this.#meta = section(batchFlags.meta);
    this.#people = section(batchFlags.people);
  }

  seq(row: number): number {
    return this.firstSeq + row;
  }

  /** Into `names`: look up a name once per batch. */
  nameIndex(row: number): number {
    if (this.#nameWidth === 0) return 0;
    const at = this.#nameAt + row * this.#nameWidth;
    return this.#nameWidth === 1 ? (this.#bytes[at] as number) : this.#bytes.readUInt16LE(at);
  }

  name(row: number): string {
    return this.names[this.nameIndex(row)] as string;
  }

  person(row: number): PersonOrdinal {
    return this.#bytes.readUInt32LE(this.#personAt + 4 * row);
  }

  atMs(row: number): Millis {
    const at = this.#lagAt + row * this.#lagWidth;
    switch (this.#lagWidth) {
      case 0:
        return this.receivedMs;
      case 2:
        return this.receivedMs + this.#bytes.readInt16LE(at);
      case 4:
        return this.receivedMs + this.#bytes.readInt32LE(at);
      default:
        return this.receivedMs + this.#bytes.readDoubleLE(at);
    }
  }

  receivedAtMs(_row: number): Millis {
    return this.receivedMs;
  }

  id(row: number): string | undefined {
    return this.#ids.text(row);
  }

  /** The id's UTF-8 as a view; empty without one. */
  idBytes(row: number): Uint8Array {
    return this.#bytes.subarray(this.#ids.start(row), this.#ids.end(row));
  }

  /** Start of the id's UTF-8 in `bytes`, for folds without a view per event. */
  idStart(row: number): number {
    return this.#ids.start(row);
  }

  /** `idStart` without an id. */
  idEnd(row: number): number {
    return this.#ids.end(row);
  }

  propsJson(row: number): string | undefined {
    return this.#props.text(row);
  }

  get mayHoldTests(): boolean {
    this.#mayHoldTests ??= mayHoldMark(this.#meta);
    return this.#mayHoldTests;
  }

  metaJson(row: number): string | undefined {
    if (this.#meta === undefined) return undefined;
    this.#metaTexts ??= readTexts(this.#meta, this.count);
    return this.#metaTexts[row] || undefined;
  }

  channel(row: number): number {
    return this.#channels?.[row] ?? 0;
  }

  reference(row: number, name: ReferenceName): string | undefined {
    if (this.#references === undefined) return undefined;
    this.#referenceTexts ??= readReferences(this.#references, this.count);
    return this.#referenceTexts[references.indexOf(name)]?.[row];
  }

  /** In ordinal order. */
  createdPeople(): CreatedPerson[] {
    if (this.#people === undefined) return [];
    const reader = new ByteReader(this.#people);
    const people: CreatedPerson[] = [];
    for (let left = reader.varint(); left > 0; left--) {
      const person = reader.varint();
      const high16 = reader.u8() | (reader.u8() << 8);
      people.push({ person, high16, externalUserId: reader.text() });
    }
    return people;
  }
}

const lagWidths = [0, 2, 4, 8] as const;

/** Adjacent texts after a column of lengths. Sums places on first use. */
class TextColumn {
  readonly #bytes: Buffer;
  readonly #count: number;
  readonly #width: number;
  readonly #lengthAt: number;
  readonly #textAt: number;
  #ends: Uint32Array | undefined;

  constructor(bytes: Buffer, count: number, width: number, lengthAt: number, textAt: number) {
    this.#bytes = bytes;
    this.#count = count;
    this.#width = width;
    this.#lengthAt = lengthAt;
    this.#textAt = textAt;
  }

  text(row: number): string | undefined {
    const start = this.start(row);
    const end = this.end(row);
    return end === start ? undefined : this.#bytes.toString('utf8', start, end);
  }

  start(row: number): number {
    return row === 0 ? this.#textAt : this.end(row - 1);
  }

  end(row: number): number {
    if (this.#width === 0) return this.#textAt;
    this.#ends ??= this.#sum();
    return this.#ends[row] as number;
  }

  #sum(): Uint32Array {
    const ends = new Uint32Array(this.#count);
    let end = this.#textAt;
    for (let row = 0; row < ends.length; row++) {
      const at = this.#lengthAt + row * this.#width;
      end += this.#width === 1 ? (this.#bytes[at] as number) : this.#bytes.readUInt16LE(at);
      ends[row] = end;
    }
    return ends;
  }
}

function readTexts(bytes: Uint8Array, count: number): string[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: count }, () => reader.text());
}

function readReferences(bytes: Uint8Array, count: number): (string | undefined)[][] {
  const reader = new ByteReader(bytes);
  const columns = references.map((): (string | undefined)[] => new Array(count).fill(undefined));
  const last = references.map(() => '');
  for (let row = 0; row < count; row++) {
    const mask = reader.u8();
    columns.forEach((column, which) => {
      if ((mask & (1 << which)) === 0) return;
      const text = reader.text() || (last[which] as string);
      last[which] = text;
      column[row] = text;
    });
  }
  return columns;
}
