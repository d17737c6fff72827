// A turn as it travels to other machines: its block and the documents it changed, so that a copy
// never decides again. Little-endian:
//
//   version u8, kind u8, flags u16, term u32, epoch u32, seq u48, spare u16, writer u32,
//   before u32, length u32, sum u32, content
//
// `sum` is a CRC-32 over everything else, and `before` is the sum of the frame before: a chain, by
// which every reader finds what the log lost or changed.

import { crc32 } from 'node:zlib';
import type { DocumentChange, TurnWrite } from '../actor/store.ts';
import type { Bytes, Seq } from '../base/brand.ts';

const version = 1;
const at = { term: 4, epoch: 8, seq: 12, writer: 20, before: 24, length: 28, sum: 32 } as const;
const headerBytes: Bytes = 36;

const kinds = [
  /** A turn of the owner. */
  'turn',
  /** Begins a term, wherever the end of the log is. */
  'claim',
  /** The owner's last frame, before a planned move. */
  'handed',
  /** From here on entries may be of this level. */
  'level',
  /** Says that the owner lives, where it has no turn. */
  'idle',
] as const;
type FrameKind = (typeof kinds)[number];

interface FrameHead {
  readonly kind: FrameKind;
  /** One ownership of the partition. */
  readonly term: number;
  /** Of the newest restore. */
  readonly epoch: number;
  /** Of the newest turn, this one included. A claim does not know it. */
  readonly seq: Seq;
  /** Random, of the process that wrote it. */
  readonly writer: number;
  /** The sum of the frame before; 0 in a claim, which does not know it. */
  readonly before: number;
}

export interface Frame extends FrameHead {
  readonly sum: number;
  readonly content: Uint8Array;
}

/** A bad checksum, a wrong length, or a newer version. */
export class DamagedFrame extends Error {
  override readonly name = 'DamagedFrame';
}

export function encodeFrame(head: FrameHead, content: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + content.length);
  bytes.set(content, headerBytes);
  return sealed(bytes, head);
}

/** Of a turn, without a copy of its content in between. */
export function encodeTurnFrame(head: FrameHead, turn: TurnWrite): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + contentBytes(turn));
  writeTurn(bytes, turn);
  return sealed(bytes, head);
}

function sealed(bytes: Buffer, head: FrameHead): Buffer {
  bytes.fill(0, 0, headerBytes);
  bytes[0] = version;
  bytes[1] = kinds.indexOf(head.kind);
  bytes.writeUInt32LE(head.term, at.term);
  bytes.writeUInt32LE(head.epoch, at.epoch);
  bytes.writeUIntLE(head.seq, at.seq, 6);
  bytes.writeUInt32LE(head.writer, at.writer);
  bytes.writeUInt32LE(head.before, at.before);
  bytes.writeUInt32LE(bytes.length - headerBytes, at.length);
  bytes.writeUInt32LE(sumOf(bytes), at.sum);
  return bytes;
}

function sumOf(bytes: Buffer): number {
  return crc32(bytes.subarray(headerBytes), crc32(bytes.subarray(0, at.sum)));
}

/** The content is a view into `bytes`. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < headerBytes) throw new DamagedFrame('a frame is cut short');
  if (buffer[0] !== version)
    throw new DamagedFrame(`a frame has version ${buffer[0]}, this program reads ${version}`);
  const kind = kinds[buffer[1] as number];
  const length = buffer.readUInt32LE(at.length);
  const sum = buffer.readUInt32LE(at.sum);
  if (kind === undefined || length !== buffer.length - headerBytes || sum !== sumOf(buffer))
    throw new DamagedFrame('a frame fails its checksum');
  return {
    kind,
    term: buffer.readUInt32LE(at.term),
    epoch: buffer.readUInt32LE(at.epoch),
    seq: buffer.readUIntLE(at.seq, 6),
    writer: buffer.readUInt32LE(at.writer),
    before: buffer.readUInt32LE(at.before),
    sum,
    content: buffer.subarray(headerBytes),
  };
}

// A turn's content: [block u32][block][kinds u16][u16, name]…[documents u32]
// [key u16][value u32, or removed][key][value]…

const removed = 0xffff_ffff;

function contentBytes({ block, documents, kinds: noted = [] }: TurnWrite): Bytes {
  let bytes = 4 + block.length + 2 + 4;
  for (const name of noted) bytes += 2 + Buffer.byteLength(name);
  for (const { key, value } of documents) bytes += 6 + key.length + (value?.length ?? 0);
  return bytes;
}

function writeTurn(bytes: Buffer, { block, documents, kinds: noted = [] }: TurnWrite): void {
  let place = bytes.writeUInt32LE(block.length, headerBytes);
  bytes.set(block, place);
  place = bytes.writeUInt16LE(noted.length, place + block.length);
  for (const name of noted) {
    const length = bytes.write(name, place + 2);
    place = bytes.writeUInt16LE(length, place) + length;
  }
  place = bytes.writeUInt32LE(documents.length, place);
  for (const { key, value } of documents) {
    place = bytes.writeUInt16LE(key.length, place);
    place = bytes.writeUInt32LE(value?.length ?? removed, place);
    bytes.set(key, place);
    place += key.length;
    if (value === undefined) continue;
    bytes.set(value, place);
    place += value.length;
  }
}

/** The turn of a frame. Its bytes are views into the frame's. */
export function turnOf({ seq, content }: Pick<Frame, 'seq' | 'content'>): TurnWrite {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    return readTurn(seq, bytes);
  } catch {
    // The checksum held, so it was written so.
    throw new DamagedFrame(`the turn of frame ${seq} cannot be read`);
  }
}

function readTurn(seq: Seq, bytes: Buffer): TurnWrite {
  let place = 0;
  const u16 = () => bytes.readUInt16LE((place += 2) - 2);
  const u32 = () => bytes.readUInt32LE((place += 4) - 4);
  const next = (length: number) => {
    if (place + length > bytes.length) throw new RangeError('cut short');
    return bytes.subarray(place, (place += length));
  };
  const block = next(u32());
  const noted = Array.from({ length: u16() }, () => next(u16()).toString());
  const documents = Array.from({ length: u32() }, (): DocumentChange => {
    const [keyLength, valueLength] = [u16(), u32()];
    const key = next(keyLength);
    return { key, value: valueLength === removed ? undefined : next(valueLength) };
  });
  if (place !== bytes.length) throw new RangeError('too long');
  return { seq, block, documents, ...(noted.length > 0 && { kinds: noted }) };
}
