// Packs an import's slice row by row, of which most come as bytes. What it returns is what
// `packRows` returns for the same rows as objects; where it is not sure, it returns nothing.

import { channelIds } from '../../../channels/channel-ids.ts';
import { endpointDigest } from '../endpoint-owner.ts';
import type { SubscriberInput } from '../protocol.ts';
import {
  type Addresses,
  bytesMaxOfSlice,
  formOfRow,
  type SliceRows,
  worthMin,
} from './pack-rows.ts';
import type { RowInBytes } from './row-bytes.ts';
import { RowPacker } from './row-packer.ts';

export class SlicePacker {
  readonly #packer = new RowPacker();
  readonly #marks = new Marks();
  #left: (SubscriberInput | null)[] = [];
  #isUnsure = false;

  begin(rowsMax: number): void {
    this.#packer.begin(rowsMax);
    this.#marks.clear();
    this.#left = [];
    this.#isUnsure = false;
  }

  add(row: SubscriberInput): void {
    const form = formOfRow(row, this.#marks);
    const { externalUserId } = row;
    if (form === 'unsure') this.#isUnsure = true;
    if (externalUserId !== undefined) this.#marks.addId(Buffer.from(externalUserId));
    const isPacked = typeof form !== 'string' && this.#packer.add(row, form);
    this.#left.push(isPacked ? null : row);
  }

  /** False if the row has to come as an object. */
  addBytes(row: RowInBytes): boolean {
    const packer = this.#packer;
    const before = packer.devices;
    if (!packer.addBytes(row)) return false;
    if (row.idEnd !== 0) this.#marks.addId(row.source, row.idStart, row.idEnd);
    for (let i = 0; i < row.devices.count; i++)
      this.#marks.addWord(packer.digestWord(before + i), row.devices.channels[i] as number);
    this.#left.push(null);
    return true;
  }

  /** `undefined` if the rows have to be packed as objects, all of them. */
  end(): SliceRows | undefined {
    const packer = this.#packer;
    if (this.#isUnsure || this.#marks.isAnyTwice) return undefined;
    if (packer.count < worthMin || packer.bytesMax > bytesMaxOfSlice) return undefined;
    return { rows: this.#left, packed: packer.end() };
  }
}

const marksSize = 4_096;
const marksMax = marksSize / 2;

/** Ids and addresses as 32 bits each: two with the same mark may be one. */
class Marks implements Addresses {
  isAnyTwice = false;
  readonly #marks = new Int32Array(marksSize);
  #count = 0;

  clear(): void {
    this.isAnyTwice = false;
    this.#marks.fill(0);
    this.#count = 0;
  }

  /** FNV-1a of the bytes. */
  addId(bytes: Uint8Array, start = 0, end = bytes.length): void {
    let mark = 0x811c9dc5;
    for (let at = start; at < end; at++) mark = Math.imul(mark ^ (bytes[at] as number), 0x01000193);
    this.#add(mark);
  }

  add(channel: (typeof channelIds)[number], key: string): void {
    const digest = endpointDigest(key);
    let word = 0;
    for (let i = 0; i < 4; i++) word |= digest.charCodeAt(i) << (8 * i);
    this.addWord(word, channelIds.indexOf(channel));
  }

  /** A part of an address's digest. One address on two channels is two. */
  addWord(word: number, channel: number): void {
    this.#add(word ^ Math.imul(channel + 1, 0x9e3779b1));
  }

  #add(mark: number): void {
    const wanted = mark === 0 ? 1 : mark;
    const marks = this.#marks;
    let at = (wanted ^ (wanted >>> 15)) & (marksSize - 1);
    for (;;) {
      const there = marks[at];
      if (there === wanted) {
        this.isAnyTwice = true;
        return;
      }
      if (there === 0) break;
      at = (at + 1) & (marksSize - 1);
    }
    if (this.#count++ < marksMax) marks[at] = wanted;
    else this.isAnyTwice = true;
  }
}
