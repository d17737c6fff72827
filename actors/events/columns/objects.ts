// A column of JSON objects (props, meta). Equal keys form a shape; each key of a shape is a column
// of numbers, texts, booleans or JSON. Rare shapes stay JSON. Values are exact; spaces, repeated
// keys and number notation are not.

import type { ByteReader } from './byte-cursor.ts';
import { DamagedEvents } from './byte-cursor.ts';
import type { ByteWriter } from './byte-writer.ts';
import { openIntegers, readIntegers, writeIntegers } from './integers.ts';
import { openPlane, readPlane, writePlane } from './plane.ts';
import { readTexts, type TextColumn, writeTexts } from './texts.ts';

const absentShape = 0;
const jsonShape = 1;
const firstShape = 2;
// Fewer objects of a shape are larger as columns than as text.
const shapeRowsMin = 8;
const shapesMax = 4096;
const keysMax = 128;
// JSON.parse may read these as infinite; keep their text.
const hugeNumber = /[eE]\+?\d{3}|\d{300}/;

const textsForm = 0;
const integersForm = 1;
const decimalsForm = 2;
const doublesForm = 3;
const booleansForm = 4;
const jsonForm = 5;
const decimalsMax = 6;

type Parsed = { readonly [key: string]: unknown };

/** JSON texts of objects; other texts are kept unchanged. */
export function writeObjects(writer: ByteWriter, texts: readonly (string | undefined)[]): void {
  const shapes = new Map<string, { readonly keys: readonly string[]; readonly rows: number[] }>();
  const objects: (Parsed | undefined)[] = [];
  texts.forEach((text, row) => {
    const object = text === undefined ? undefined : parse(text);
    objects.push(object);
    if (object === undefined) return;
    const keys = Object.keys(object);
    const id = JSON.stringify(keys);
    const shape = shapes.get(id);
    if (shape !== undefined) shape.rows.push(row);
    else if (keys.length <= keysMax && shapes.size < shapesMax)
      shapes.set(id, { keys, rows: [row] });
  });
  const kept = [...shapes.values()].filter(({ rows }) => rows.length >= shapeRowsMin);
  const shapeOf = Float64Array.from(texts, (text) =>
    text === undefined ? absentShape : jsonShape,
  );
  kept.forEach(({ rows }, index) => {
    for (const row of rows) shapeOf[row] = firstShape + index;
  });
  writeIntegers(writer, shapeOf, 'values');
  writeTexts(
    writer,
    texts.filter((_, row) => shapeOf[row] === jsonShape),
  );
  writer.varint(kept.length);
  for (const { keys, rows } of kept) {
    writer.varint(keys.length);
    for (const key of keys) writer.text(key);
    for (const key of keys) {
      writeValues(
        writer,
        rows.map((row) => (objects[row] as Parsed)[key]),
      );
    }
  }
}

/** `count` rows, built on request. */
export function readObjects(reader: ByteReader, count: number): TextColumn {
  const shapeOf = readIntegers(reader, count);
  // Each row's place within its shape.
  const places = new Uint32Array(count);
  const counts: number[] = [];
  for (let row = 0; row < count; row++) {
    const shape = shapeOf[row] as number;
    const place = counts[shape] ?? 0;
    places[row] = place;
    counts[shape] = place + 1;
  }
  const json = readTexts(reader, counts[jsonShape] ?? 0);
  const shapeCount = reader.varint();
  const shapes: ((place: number) => string)[] = [];
  for (let i = 0; i < shapeCount; i++) shapes.push(readShape(reader, counts[firstShape + i] ?? 0));
  return (row) => {
    const shape = shapeOf[row] as number;
    const place = places[row] as number;
    if (shape === absentShape) return undefined;
    return shape === jsonShape ? json(place) : shapes[shape - firstShape]?.(place);
  };
}

function readShape(reader: ByteReader, count: number): (place: number) => string {
  const keyCount = reader.varint();
  const keys: string[] = [];
  for (let i = 0; i < keyCount; i++) {
    keys.push(`${i === 0 ? '{' : ','}${JSON.stringify(reader.text())}:`);
  }
  const columns = keys.map(() => readValues(reader, count));
  if (keyCount === 0) return () => '{}';
  return (place) => {
    let text = '';
    for (let i = 0; i < columns.length; i++) {
      text += (keys[i] as string) + (columns[i] as (place: number) => string)(place);
    }
    return `${text}}`;
  };
}

function parse(text: string): Parsed | undefined {
  if (hugeNumber.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Parsed)
      : undefined;
  } catch {
    return undefined;
  }
}

function writeValues(writer: ByteWriter, values: readonly unknown[]): void {
  if (values.every((value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value))) {
    writer.u8(textsForm);
    writeTexts(writer, values as string[]);
  } else if (values.every((value) => typeof value === 'number')) {
    writeNumbers(writer, values as number[]);
  } else if (values.every((value) => typeof value === 'boolean')) {
    writer.u8(booleansForm);
    writePlane(
      writer,
      Uint8Array.from(values, (value) => (value === true ? 1 : 0)),
    );
  } else {
    writer.u8(jsonForm);
    writeTexts(
      writer,
      values.map((value) => JSON.stringify(value)),
    );
  }
}

function writeNumbers(writer: ByteWriter, values: readonly number[]): void {
  const decimals = decimalsOf(values);
  if (decimals < 0) {
    writer.u8(doublesForm);
    const bytes = new Uint8Array(Float64Array.from(values).buffer);
    const plane = new Uint8Array(values.length);
    for (let byte = 0; byte < 8; byte++) {
      for (let i = 0; i < plane.length; i++) plane[i] = bytes[i * 8 + byte] as number;
      writePlane(writer, plane);
    }
    return;
  }
  writer.u8(decimals === 0 ? integersForm : decimalsForm);
  if (decimals > 0) writer.u8(decimals);
  const scale = 10 ** decimals;
  writeIntegers(
    writer,
    Float64Array.from(values, (value) => Math.round(value * scale)),
    'values',
  );
}

/** Decimals that make all values exact integers; -1 above six. */
function decimalsOf(values: readonly number[]): number {
  let decimals = 0;
  for (const value of values) {
    if (Object.is(value, -0)) return -1;
    for (;;) {
      const scale = 10 ** decimals;
      const whole = Math.round(value * scale);
      if (Math.abs(whole) > 2 ** 51) return -1;
      if (whole / scale === value && !Object.is(whole, -0)) break;
      if (++decimals > decimalsMax) return -1;
    }
  }
  // The last value's digits may be too many for the first.
  const scale = 10 ** decimals;
  return values.every(
    (value) => Math.abs(value * scale) <= 2 ** 51 && Math.round(value * scale) / scale === value,
  )
    ? decimals
    : -1;
}

function readValues(reader: ByteReader, count: number): (place: number) => string {
  const form = reader.u8();
  switch (form) {
    case textsForm: {
      const texts = readTexts(reader, count);
      return (place) => JSON.stringify(texts(place));
    }
    case integersForm:
    case decimalsForm: {
      const scale = form === integersForm ? 1 : 10 ** reader.u8();
      const numbers = openIntegers(reader, count);
      return (place) => String(numbers(place) / scale);
    }
    case doublesForm: {
      const doubles = new Float64Array(count);
      const bytes = new Uint8Array(doubles.buffer);
      for (let byte = 0; byte < 8; byte++) {
        const plane = readPlane(reader, count);
        for (let i = 0; i < count; i++) bytes[i * 8 + byte] = plane[i] as number;
      }
      return (place) => {
        const value = doubles[place] as number;
        return Object.is(value, -0) ? '-0' : String(value);
      };
    }
    case booleansForm: {
      const flags = openPlane(reader, count);
      return (place) => (flags.at(place) === 1 ? 'true' : 'false');
    }
    case jsonForm: {
      const texts = readTexts(reader, count);
      return (place) => texts(place) ?? 'null';
    }
    default:
      throw new DamagedEvents('a column of props has an unknown form');
  }
}
