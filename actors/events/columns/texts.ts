// A column of texts, some absent. Counters after a common prefix become numbers, few distinct texts
// a dictionary, ASCII of one length (UUIDs, ULIDs, hashes) planes, others a deflated blob. In
// planes, dashes and slow time digits take no space, a random hexadecimal digit half a byte.

import { Buffer } from 'node:buffer';
import type { ByteReader } from './byte-cursor.ts';
import { DamagedEvents } from './byte-cursor.ts';
import type { ByteWriter } from './byte-writer.ts';
import { openIntegers, readIntegers, writeIntegers } from './integers.ts';
import { openPlane, type Plane, readBlob, readPlane, writeBlob, writePlane } from './plane.ts';

const counterForm = 0;
const dictionaryForm = 1;
const planesForm = 2;
const blobForm = 3;

/** More single reads unpack all texts. */
const singleReadsMax = 8;

const allPresent = 0;
const somePresent = 1;
const nonePresent = 2;

export type TextColumn = (row: number) => string | undefined;

/** `undefined` (absent) and empty differ. */
export function writeTexts(writer: ByteWriter, texts: readonly (string | undefined)[]): void {
  const present = texts.filter((text) => text !== undefined);
  if (present.length === 0) {
    writer.u8(nonePresent);
    return;
  }
  writer.u8(present.length === texts.length ? allPresent : somePresent);
  if (present.length < texts.length) {
    writePlane(
      writer,
      Uint8Array.from(texts, (text) => (text === undefined ? 0 : 1)),
    );
    writer.varint(present.length);
  }
  if (writeCounters(writer, present)) return;
  if (writeDictionary(writer, present)) return;
  if (writePlanes(writer, present)) return;
  writer.u8(blobForm);
  writeList(writer, present);
}

/** `count` rows, packed where possible; texts are built on request. */
export function readTexts(reader: ByteReader, count: number): TextColumn {
  const presence = reader.u8();
  if (presence === nonePresent) return () => undefined;
  if (presence === allPresent) return readPresent(reader, count);
  const flags = readPlane(reader, count);
  const present = readPresent(reader, reader.varint());
  const places = new Int32Array(count);
  for (let row = 0, next = 0; row < count; row++) places[row] = flags[row] === 1 ? next++ : -1;
  return (row) => {
    const place = places[row] as number;
    return place < 0 ? undefined : present(place);
  };
}

function readPresent(reader: ByteReader, count: number): TextColumn {
  switch (reader.u8()) {
    case counterForm: {
      const prefix = reader.text();
      const numbers = openIntegers(reader, count);
      return (row) => `${prefix}${numbers(row)}`;
    }
    case dictionaryForm: {
      const texts = readList(reader, reader.varint());
      const indexes = openIntegers(reader, count);
      const made: string[] = [];
      return (row) => {
        const index = indexes(row);
        return (made[index] ??= texts(index));
      };
    }
    case planesForm: {
      const length = reader.varint();
      const planes: Plane[] = [];
      for (let i = 0; i < length; i++) planes.push(openPlane(reader, count));
      return readPlanes(planes, count);
    }
    case blobForm:
      return readList(reader, count);
    default:
      throw new DamagedEvents('a column of events has an unknown form');
  }
}

/** Like numbers: one by one at first, then all at once. */
function readPlanes(planes: readonly Plane[], count: number): TextColumn {
  const length = planes.length;
  const one = Buffer.allocUnsafe(length);
  let all: Buffer | undefined;
  let reads = 0;
  return (row) => {
    if (all === undefined) {
      if (reads < singleReadsMax) {
        reads++;
        for (let i = 0; i < length; i++) one[i] = (planes[i] as Plane).at(row);
        return one.toString('latin1');
      }
      all = Buffer.allocUnsafe(length * count);
      for (let i = 0; i < length; i++) {
        const plane = (planes[i] as Plane).bytes();
        for (let k = 0; k < count; k++) all[k * length + i] = plane[k] as number;
      }
    }
    return all.toString('latin1', row * length, (row + 1) * length);
  };
}

function writeCounters(writer: ByteWriter, texts: readonly string[]): boolean {
  const prefix = counterPrefix(texts[0] as string);
  if (prefix === undefined) return false;
  const numbers = new Float64Array(texts.length);
  let steps = 0;
  let lowest = Number.MAX_SAFE_INTEGER;
  let highest = 0;
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i] as string;
    if (!text.startsWith(prefix)) return false;
    const number = counterAt(text, prefix.length);
    if (number < 0) return false;
    if (i > 0) steps += Math.abs(number - (numbers[i - 1] as number));
    numbers[i] = number;
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  writer.u8(counterForm);
  writer.text(prefix);
  // Random numbers differ by a third of their range on average, a counter's far less.
  const grows = (steps / texts.length) * 64 < highest - lowest;
  writeIntegers(writer, numbers, grows ? 'steps' : 'values');
  return true;
}

// Every integer of this many digits is exact.
const counterDigitsMax = 15;

/** The text before a final number; `undefined` without one. */
function counterPrefix(text: string): string | undefined {
  let start = text.length;
  while (start > 0 && text.length - start < counterDigitsMax && isDigit(text, start - 1)) start--;
  // Leading zeros belong to the prefix: a number would lose them.
  while (start < text.length - 1 && text[start] === '0') start++;
  return start === text.length ? undefined : text.slice(0, start);
}

/** The number from `start` on, if `String` writes it the same way; else -1. */
function counterAt(text: string, start: number): number {
  const digits = text.length - start;
  if (digits === 0 || digits > counterDigitsMax) return -1;
  if (digits > 1 && text[start] === '0') return -1;
  let number = 0;
  for (let i = start; i < text.length; i++) {
    if (!isDigit(text, i)) return -1;
    number = number * 10 + text.charCodeAt(i) - 48;
  }
  return number;
}

function isDigit(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  return code >= 48 && code <= 57;
}

function writeDictionary(writer: ByteWriter, texts: readonly string[]): boolean {
  const indexes = new Map<string, number>();
  const most = Math.max(1, texts.length >> 2);
  for (const text of texts) {
    indexes.set(text, 0);
    if (indexes.size > most) return false;
  }
  const distinct = [...indexes.keys()].sort();
  distinct.forEach((text, index) => {
    indexes.set(text, index);
  });
  writer.u8(dictionaryForm);
  writer.varint(distinct.length);
  writeList(writer, distinct);
  writeIntegers(
    writer,
    Float64Array.from(texts, (text) => indexes.get(text) as number),
    'values',
  );
  return true;
}

function writePlanes(writer: ByteWriter, texts: readonly string[]): boolean {
  const length = (texts[0] as string).length;
  if (length === 0 || length > 64 || texts.length < 32) return false;
  const bytes = Buffer.allocUnsafe(length * texts.length);
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row] as string;
    if (text.length !== length || bytes.write(text, row * length) !== length) return false;
  }
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 0x7f) return false;
  writer.u8(planesForm);
  writer.varint(length);
  const plane = new Uint8Array(texts.length);
  for (let i = 0; i < length; i++) {
    for (let row = 0; row < texts.length; row++) plane[row] = bytes[row * length + i] as number;
    writePlane(writer, plane);
  }
  return true;
}

function writeList(writer: ByteWriter, texts: readonly string[]): void {
  const blob = Buffer.from(texts.join(''));
  writeIntegers(
    writer,
    Float64Array.from(texts, (text) => Buffer.byteLength(text)),
    'values',
  );
  writeBlob(writer, blob);
}

function readList(reader: ByteReader, count: number): (row: number) => string {
  const lengths = readIntegers(reader, count);
  const blob = readBlob(reader);
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.length);
  const ends = new Uint32Array(count);
  for (let row = 0, end = 0; row < count; row++) ends[row] = end += lengths[row] as number;
  return (row) => bytes.toString('utf8', row === 0 ? 0 : ends[row - 1], ends[row]);
}
