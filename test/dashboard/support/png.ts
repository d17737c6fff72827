// The pixels of a PNG as Chromium writes them: eight bits a channel, with or without alpha, in one
// pass. No package is worth forty lines of two tests.

import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each, line by line. */
  readonly rgb: Uint8Array;
}

const headBytes = 8;

export function pixelsOf(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind, , , interlaced] = png.subarray(24, 29);
  const channels = kind === 6 ? 4 : 3;
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0)
    throw new Error(`a PNG of another kind: depth ${depth}, kind ${kind}, pass ${interlaced}`);
  const lines = unfiltered(inflateSync(dataOf(png)), width * channels, height, channels);
  if (channels === 3) return { width, height, rgb: lines };
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0, from = 0; at < rgb.length; at += 3, from += channels)
    for (let channel = 0; channel < 3; channel++) rgb[at + channel] = lines[from + channel]!;
  return { width, height, rgb };
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = headBytes; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** Each line begins with how it was made from its neighbors (PNG, section 9). */
function unfiltered(data: Buffer, lineBytes: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(lineBytes * height);
  let above = new Uint8Array(lineBytes);
  for (let y = 0; y < height; y++) {
    const from = y * (lineBytes + 1);
    const line = out.subarray(y * lineBytes, (y + 1) * lineBytes);
    line.set(data.subarray(from + 1, from + 1 + lineBytes));
    const filter = data[from] ?? 0;
    if (filter === 1) for (let x = step; x < lineBytes; x++) line[x]! += line[x - step]!;
    if (filter === 2) for (let x = 0; x < lineBytes; x++) line[x]! += above[x]!;
    if (filter === 3)
      for (let x = 0; x < lineBytes; x++)
        line[x]! += ((x < step ? 0 : line[x - step]!) + above[x]!) >> 1;
    if (filter === 4)
      for (let x = 0; x < lineBytes; x++)
        line[x]! += x < step ? above[x]! : nearest(line[x - step]!, above[x]!, above[x - step]!);
    above = line;
  }
  return out;
}

/** Of the three, what is nearest to left and up without the corner. */
function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
