// The columns of a slice of an import while its rows are packed (`PackedRows`). The arrays serve
// one slice after another; what leaves is a copy in one buffer, which crosses to the shard at once.

import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { endpointDigestBytes } from '../endpoint-index.ts';
import type { PackedRows } from '../protocol.ts';
import type { Coder } from './coder.ts';

const firstDevices = 512;

export class PackedColumns {
  count = 0;
  devices = 0;
  readonly rowsMax: number;
  readonly fieldEnds: Uint32Array;
  readonly idAt: Uint32Array;
  readonly idEnds: Uint32Array;
  readonly bytesMax: Uint32Array;
  readonly counted: Uint32Array;
  readonly deviceEnds: Uint32Array;
  readonly preferred: Uint16Array;
  // By device.
  #channels = new Uint8Array(firstDevices);
  #deviceIdAt = new Uint32Array(firstDevices);
  #endpointAt = new Uint32Array(firstDevices);
  #endpointEnds = new Uint32Array(firstDevices);
  #keys = new Uint8Array(firstDevices * endpointDigestBytes);

  constructor(rowsMax: number) {
    this.rowsMax = rowsMax;
    this.fieldEnds = new Uint32Array(rowsMax);
    this.idAt = new Uint32Array(rowsMax);
    this.idEnds = new Uint32Array(rowsMax);
    this.bytesMax = new Uint32Array(rowsMax);
    this.counted = new Uint32Array(rowsMax);
    this.deviceEnds = new Uint32Array(rowsMax);
    this.preferred = new Uint16Array(rowsMax);
  }

  /** `digest` is one character a byte. Positions are those in the fields of all rows. */
  addDevice(
    channel: number,
    idAt: number,
    endpointAt: number,
    endpointEnd: number,
    digest: string,
  ): void {
    const at = this.devices++;
    if (at === this.#channels.length) this.#grow();
    this.#channels[at] = channel;
    this.#deviceIdAt[at] = idAt;
    this.#endpointAt[at] = endpointAt;
    this.#endpointEnds[at] = endpointEnd;
    const keys = this.#keys;
    let to = at * endpointDigestBytes;
    for (let i = 0; i < endpointDigestBytes; i++) keys[to++] = digest.charCodeAt(i);
  }

  digestWord(device: number): number {
    const keys = this.#keys;
    const at = device * endpointDigestBytes;
    let word = 0;
    for (let i = 0; i < 4; i++) word |= (keys[at + i] as number) << (8 * i);
    return word;
  }

  packed(
    fields: Uint8Array,
    tags: ReadonlyMap<string, Coder<TagValue>>,
    zones: Coder<string>,
  ): PackedRows {
    const { count, devices } = this;
    const words = 6 * count + 3 * devices;
    const halves = count * (2 + tags.size);
    const bytes = 4 * words + 2 * halves + devices * (1 + endpointDigestBytes) + fields.length;
    // The largest elements first, so that each column begins where its elements may.
    const room = new Room(bytes);
    const ids = { start: room.words(this.idAt, count), end: room.words(this.idEnds, count) };
    const fieldEnds = room.words(this.fieldEnds, count);
    const bytesMax = room.words(this.bytesMax, count);
    const counted = room.words(this.counted, count);
    const ends = room.words(this.deviceEnds, count);
    const idAt = room.words(this.#deviceIdAt, devices);
    const endpointAt = room.words(this.#endpointAt, devices);
    const endpointEnds = room.words(this.#endpointEnds, devices);
    const coded = <Value>({ values, codes }: Coder<Value>) => ({
      values,
      codes: room.halves(codes, count),
    });
    return {
      count,
      ids,
      fieldEnds,
      bytesMax,
      counted,
      tags: Array.from(tags, ([name, coder]) => ({ name, ...coded(coder) })),
      zones: coded(zones),
      preferred: room.halves(this.preferred, count),
      devices: {
        ends,
        channels: room.bytes(this.#channels, devices),
        idAt,
        endpointAt,
        endpointEnds,
        keys: room.bytes(this.#keys, devices * endpointDigestBytes),
      },
      fields: room.bytes(fields, fields.length),
    };
  }

  #grow(): void {
    const size = this.#channels.length * 2;
    const larger = (column: Uint32Array) => {
      const copy = new Uint32Array(size);
      copy.set(column);
      return copy;
    };
    this.#deviceIdAt = larger(this.#deviceIdAt);
    this.#endpointAt = larger(this.#endpointAt);
    this.#endpointEnds = larger(this.#endpointEnds);
    const channels = new Uint8Array(size);
    channels.set(this.#channels);
    this.#channels = channels;
    const keys = new Uint8Array(size * endpointDigestBytes);
    keys.set(this.#keys);
    this.#keys = keys;
  }
}

/** One buffer, filled from its beginning. */
class Room {
  readonly #buffer: ArrayBuffer;
  #at = 0;

  constructor(bytes: number) {
    this.#buffer = new ArrayBuffer(bytes);
  }

  words(column: Uint32Array, count: number): Uint32Array {
    const copy = new Uint32Array(this.#buffer, this.#at, count);
    copy.set(column.subarray(0, count));
    this.#at += 4 * count;
    return copy;
  }

  halves(column: Uint16Array, count: number): Uint16Array {
    const copy = new Uint16Array(this.#buffer, this.#at, count);
    copy.set(column.subarray(0, count));
    this.#at += 2 * count;
    return copy;
  }

  bytes(column: Uint8Array, count: number): Uint8Array {
    const copy = new Uint8Array(this.#buffer, this.#at, count);
    copy.set(column.subarray(0, count));
    this.#at += count;
    return copy;
  }
}
