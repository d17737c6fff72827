// A column of integers in byte planes: distances from the smallest, or steps.

import type { ByteReader } from './byte-cursor.ts';
import { DamagedEvents } from './byte-cursor.ts';
import type { ByteWriter } from './byte-writer.ts';
import { openPlane, type Plane, writePlane } from './plane.ts';

/** `values` for any order, `steps` for mostly growing numbers. */
export type IntegerOrder = 'values' | 'steps';

// Head: width in bytes, then flags.
const widthMask = 15;
/** Two bits: the steps' start value follows the smallest step. */
const stepsBits = 16 | 64;
const negativeBit = 32;
const firstNegativeBit = 128;

/** Safe integers of any sign, with safe steps. */
export function writeIntegers(
  writer: ByteWriter,
  values: ArrayLike<number>,
  order: IntegerOrder,
): void {
  const isSteps = order === 'steps' && values.length > 1;
  const list = isSteps ? stepsOf(values) : values;
  const count = list.length;
  let min = count === 0 ? 0 : Number.MAX_SAFE_INTEGER;
  let max = count === 0 ? 0 : Number.MIN_SAFE_INTEGER;
  for (let i = 0; i < count; i++) {
    const value = list[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  let width = 0;
  for (let range = max - min; range > 0; range = Math.floor(range / 256)) width++;
  const first = values[0] as number;
  const steps = isSteps ? stepsBits | (first < 0 ? firstNegativeBit : 0) : 0;
  writer.u8(steps | (min < 0 ? negativeBit : 0) | width);
  writer.varint(Math.abs(min));
  if (isSteps) writer.varint(Math.abs(first));
  const plane = new Uint8Array(count);
  for (let byte = 0, scale = 1; byte < width; byte++, scale *= 256) {
    for (let i = 0; i < count; i++)
      plane[i] = Math.floor(((list[i] as number) - min) / scale) % 256;
    writePlane(writer, plane);
  }
}

export type IntegerColumn = (row: number) => number;

/** More single reads cost more than unpacking all rows. */
const singleReadsMax = 16;

/** `count` numbers from `writeIntegers`: single reads first, later all unpacked at once. */
export function openIntegers(reader: ByteReader, count: number): IntegerColumn {
  const column = openColumn(reader, count);
  const { min, planes } = column;
  if (column.first !== undefined) {
    const values = summed(column, column.first, count);
    return (row) => values[row] as number;
  }
  if (planes.length === 0) return () => min;
  let values: Float64Array | undefined;
  let reads = 0;
  return (row) => {
    if (values === undefined) {
      if (reads < singleReadsMax) {
        reads++;
        return oneOf(min, planes, row);
      }
      values = joined(min, planes, count);
    }
    return values[row] as number;
  };
}

/** The same, unpacked at once. */
export function readIntegers(reader: ByteReader, count: number): Float64Array {
  const column = openColumn(reader, count);
  const { first, min, planes } = column;
  return first === undefined ? joined(min, planes, count) : summed(column, first, count);
}

interface OpenColumn {
  readonly min: number;
  /** Where steps start; `undefined` for values. */
  readonly first: number | undefined;
  /** Lowest byte first. */
  readonly planes: readonly Plane[];
}

function openColumn(reader: ByteReader, count: number): OpenColumn {
  const head = reader.u8();
  const min = reader.varint() * ((head & negativeBit) === 0 ? 1 : -1);
  const first =
    (head & stepsBits) !== stepsBits
      ? undefined
      : reader.varint() * ((head & firstNegativeBit) === 0 ? 1 : -1);
  const width = head & widthMask;
  if (width > 8) throw new DamagedEvents('a column of events has an unknown width');
  const planes: Plane[] = [];
  for (let byte = 0; byte < width; byte++) planes.push(openPlane(reader, count));
  return { min, first, planes };
}

function oneOf(min: number, planes: readonly Plane[], row: number): number {
  let value = min;
  let scale = 1;
  for (let byte = 0; byte < planes.length; byte++, scale *= 256)
    value += (planes[byte] as Plane).at(row) * scale;
  return value;
}

function joined(min: number, planes: readonly Plane[], count: number): Float64Array {
  const values = new Float64Array(count);
  const lowest = planes[0]?.bytes();
  if (lowest === undefined) return values.fill(min);
  for (let i = 0; i < count; i++) values[i] = min + (lowest[i] as number);
  let scale = 256;
  for (let byte = 1; byte < planes.length; byte++, scale *= 256) {
    const plane = (planes[byte] as Plane).bytes();
    for (let i = 0; i < count; i++)
      values[i] = (values[i] as number) + (plane[i] as number) * scale;
  }
  return values;
}

/** A column's values from its steps. */
function summed({ min, planes }: OpenColumn, first: number, count: number): Float64Array {
  const values = joined(min, planes, count);
  let value = first;
  for (let i = 1; i < values.length; i++) {
    value += values[i] as number;
    values[i] = value;
  }
  values[0] = first;
  return values;
}

/** Distances to the previous value. The first repeats the second, which keeps the range narrow. */
function stepsOf(values: ArrayLike<number>): Float64Array {
  const steps = new Float64Array(values.length);
  for (let i = 1; i < values.length; i++)
    steps[i] = (values[i] as number) - (values[i - 1] as number);
  steps[0] = steps[1] as number;
  return steps;
}
