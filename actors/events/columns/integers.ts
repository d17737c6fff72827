// A column of whole numbers: as distances from the smallest, or as steps from one to the next, cut into byte planes.

import type { ByteReader } from '../byte-cursor.ts';
import { DamagedEvents } from '../byte-cursor.ts';
import type { ByteWriter } from './byte-writer.ts';
import { openPlane, type Plane, writePlane } from './plane.ts';

/** `values` suits what jumps about, `steps` what mostly grows. */
export type IntegerOrder = 'values' | 'steps';

/** Safe integers, of any number and sign; steps between them must be safe integers too. */
export function writeIntegers(
  writer: ByteWriter,
  values: ArrayLike<number>,
  order: IntegerOrder,
): void {
  const list = order === 'values' ? values : stepsOf(values);
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
  writer.u8((order === 'values' ? 0 : stepsBit) | (min < 0 ? 32 : 0) | width);
  writer.varint(Math.abs(min));
  const plane = new Uint8Array(count);
  for (let byte = 0, scale = 1; byte < width; byte++, scale *= 256) {
    for (let i = 0; i < count; i++)
      plane[i] = Math.floor(((list[i] as number) - min) / scale) % 256;
    writePlane(writer, plane);
  }
}

/** Gives the number of a row. */
export type IntegerColumn = (row: number) => number;

/** Rows that are read one by one before it is cheaper to have unpacked all of them. */
const singleReadsMax = 16;

/** `count` numbers that `writeIntegers` wrote, each put together when it is asked for until many have been. */
export function openIntegers(reader: ByteReader, count: number): IntegerColumn {
  const { head, min, planes } = openColumn(reader, count);
  if ((head & stepsBit) !== 0) {
    const values = summed(joined(min, planes, count));
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

/** The same numbers all at once. */
export function readIntegers(reader: ByteReader, count: number): Float64Array {
  const { head, min, planes } = openColumn(reader, count);
  const values = joined(min, planes, count);
  return (head & stepsBit) === 0 ? values : summed(values);
}

const stepsBit = 16;

interface OpenColumn {
  readonly head: number;
  readonly min: number;
  /** The lowest byte first. */
  readonly planes: readonly Plane[];
}

function openColumn(reader: ByteReader, count: number): OpenColumn {
  const head = reader.u8();
  const min = reader.varint() * ((head & 32) === 0 ? 1 : -1);
  const width = head & 15;
  if (width > 8) throw new DamagedEvents('a column of events has an unknown width');
  const planes: Plane[] = [];
  for (let byte = 0; byte < width; byte++) planes.push(openPlane(reader, count));
  return { head, min, planes };
}

function oneOf(min: number, planes: readonly Plane[], row: number): number {
  let value = min;
  let scale = 1;
  for (let byte = 0; byte < planes.length; byte++, scale *= 256)
    value += (planes[byte] as Plane).at(row) * scale;
  return value;
}

function joined(min: number, planes: readonly Plane[], count: number): Float64Array {
  const values = new Float64Array(count).fill(min);
  let scale = 1;
  for (let byte = 0; byte < planes.length; byte++, scale *= 256) {
    const plane = (planes[byte] as Plane).bytes();
    for (let i = 0; i < count; i++)
      values[i] = (values[i] as number) + (plane[i] as number) * scale;
  }
  return values;
}

/** Turns steps into the values they lead to, in place. */
function summed(values: Float64Array): Float64Array {
  let value = 0;
  for (let i = 0; i < values.length; i++) {
    value += values[i] as number;
    values[i] = value;
  }
  return values;
}

/** The first value, then each one's distance from the one before. */
function stepsOf(values: ArrayLike<number>): Float64Array {
  const steps = new Float64Array(values.length);
  let last = 0;
  for (let i = 0; i < values.length; i++) {
    steps[i] = (values[i] as number) - last;
    last = values[i] as number;
  }
  return steps;
}
