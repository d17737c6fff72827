// A row of an import as its JSON has it: where its texts are in the bytes of the call. What repeats
// between rows, names of tags and their values, is made a text once a call.

import type { ChannelId } from '../../../channels/channel-ids.ts';

export interface RowInBytes {
  readonly source: Uint8Array;
  /** The external id; `idEnd` is 0 without one. */
  readonly idStart: number;
  readonly idEnd: number;
  readonly devices: DeviceBytes;
  readonly tags: TagBytes;
  /** As IANA writes it. */
  readonly timezone: string | undefined;
  readonly preferredChannels: readonly ChannelId[] | undefined;
}

/** Columns by device. */
export interface DeviceBytes {
  readonly count: number;
  /** Indexes into `channelIds`. */
  readonly channels: Uint8Array;
  readonly environments: readonly ('production' | 'sandbox' | undefined)[];
  /** An email address in normal form, or else the text that `endpoints` and `keys` are of. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Normal forms; `undefined` for an email address. */
  readonly endpoints: readonly (string | undefined)[];
  readonly keys: readonly (string | undefined)[];
}

/** Columns by tag of the row. */
export interface TagBytes {
  readonly count: number;
  readonly names: readonly TagName[];
  /** The index of a text in `values` of its name, or -1. */
  readonly texts: Int32Array;
  /** Where the text is; an end of 0 if it is written with escapes. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Of tags that are no texts. */
  readonly others: readonly (number | boolean | undefined)[];
}

export class TagName {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Its bytes are not those of the text. */
  readonly hasEscape: boolean;
  readonly values = new KnownTexts();
  /** The name that came after this one in an earlier row. */
  next: TagName | undefined;
  /** The last row that has it: a name twice in a row is not for this reader. */
  row = -1;

  constructor(text: string, start: number, end: number, hasEscape: boolean) {
    this.hasEscape = hasEscape;
    this.text = text;
    this.start = start;
    this.end = end;
  }
}

const slots = 256;

/**
 * Texts of one call by their bytes, each made once, unless one pushes out the other. A slot is
 * replaced rather than searched for: at worst a text is made again, and gets another index.
 */
export class KnownTexts {
  readonly texts: string[] = [];
  /** Start, end and index of each; an end of 0 is none. */
  readonly #slots = new Int32Array(3 * slots);
  /** By index: the code in the slice, and the slice that it is of. */
  readonly codes: number[] = [];
  readonly slices: number[] = [];

  /** The index; -1 if it was not noted. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const known = this.#slots;
    const slot = slotOf(bytes, start, end);
    const from = known[slot] as number;
    const to = known[slot + 1] as number;
    if (to === 0 || !areSame(bytes, from, to, start, end)) return -1;
    return known[slot + 2] as number;
  }

  /** Notes a text that `find` did not know, and returns its index. */
  add(bytes: Uint8Array, start: number, end: number, text: string): number {
    const index = this.texts.push(text) - 1;
    this.codes.push(0);
    this.slices.push(-1);
    const slot = slotOf(bytes, start, end);
    this.#slots[slot] = start;
    this.#slots[slot + 1] = end;
    this.#slots[slot + 2] = index;
    return index;
  }
}

/** By the length and four of the bytes. */
function slotOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length === 0) return 0;
  const first = bytes[start] as number;
  const middle = bytes[start + (length >>> 1)] as number;
  const later = bytes[start + (length >>> 2)] as number;
  const last = bytes[end - 1] as number;
  const mixed = length + first * 31 + middle * 1_009 + later * 131 + last * 8_191;
  return 3 * ((mixed ^ (mixed >>> 8)) & (slots - 1));
}

/** Whether two places have the same bytes. */
export function areSame(
  bytes: Uint8Array,
  start: number,
  end: number,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let a = start, b = otherStart; a < end; a++, b++) if (bytes[a] !== bytes[b]) return false;
  return true;
}
