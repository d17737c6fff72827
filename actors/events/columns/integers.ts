// A column of whole numbers: as distances from the smallest, or as steps from one to the next, cut into byte planes.

import type { ByteReader } from '../byte-cursor.ts';
import { DamagedEvents } from '../byte-cursor.ts';
import type { ByteWriter } from './byte-writer.ts';
import { readPlane, writePlane } from './plane.ts';

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
  writer.u8((order === 'values' ? 0 : 16) | (min < 0 ? 32 : 0) | width);
  writer.varint(Math.abs(min));
  const plane = new Uint8Array(count);
  for (let byte = 0, scale = 1; byte < width; byte++, scale *= 256) {
    for (let i = 0; i < count; i++)
      plane[i] = Math.floor(((list[i] as number) - min) / scale) % 256;
    writePlane(writer, plane);
  }
}

/** `count` numbers that `writeIntegers` wrote. */
export function readIntegers(reader: ByteReader, count: number): Float64Array {
  const head = reader.u8();
  const min = reader.varint() * ((head & 32) === 0 ? 1 : -1);
  const width = head & 15;
  if (width > 8) throw new DamagedEvents('a column of events has an unknown width');
  const values = new Float64Array(count).fill(min);
  for (let byte = 0, scale = 1; byte < width; byte++, scale *= 256) {
    const plane = readPlane(reader, count);
    for (let i = 0; i < count; i++)
      values[i] = (values[i] as number) + (plane[i] as number) * scale;
  }
  if ((head & 16) !== 0) {
    for (let i = 1; i < count; i++) values[i] = (values[i] as number) + (values[i - 1] as number);
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
