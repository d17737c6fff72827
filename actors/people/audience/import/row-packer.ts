// Writes rows of an import into columns (`PackedRows`). Which rows may go there is for
// `pack-rows.ts`.

import { MsgpackWriter } from '../../../../engine/base/msgpack-writer.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../../channels/channel-ids.ts';
import { limits } from '../../../limits.ts';
import { countedBytes } from '../counted-bytes.ts';
import { endpointDigestBytes } from '../endpoint-index.ts';
import { endpointDigest } from '../endpoint-owner.ts';
import type { DeviceInput, PackedRows, SubscriberInput } from '../protocol.ts';
import { idBytes } from './layout.ts';

/** A device to be packed, with the normal form of its endpoint. */
export interface NormalDevice {
  readonly input: DeviceInput;
  readonly endpoint: string;
  readonly key: string;
}

/** From the beginning of a device to the text of its id: the map, `id`, and the text's head. */
const idBehind = 3 + 3 + 1;
/** How the device of each channel begins, up to its endpoint. */
const heads = channelIds.map((channel) => headOf(channel, 6));
/** The same with an environment. */
const longerHeads = channelIds.map((channel) => headOf(channel, 7));
const tail = writtenBy((fields) => {
  fields.string('enabled');
  fields.boolean(true);
  fields.string('createdMs');
  fields.double(0);
  fields.string('updatedMs');
  fields.double(0);
});

function headOf(channel: string, members: number): Uint8Array {
  return writtenBy((fields) => {
    fields.map(members);
    fields.string('id');
    fields.string('0'.repeat(idBytes));
    fields.string('channel');
    fields.string(channel);
    fields.string('endpoint');
  });
}

function writtenBy(write: (fields: MsgpackWriter) => void): Uint8Array {
  const fields = new MsgpackWriter();
  write(fields);
  return new Uint8Array(fields.bytes);
}

export class RowPacker {
  count = 0;
  /** Of all records together, as JSON. */
  bytesMax = 0;
  readonly #rows: number;
  readonly #fields = new MsgpackWriter();
  readonly #fieldEnds: Uint32Array;
  readonly #idAt: Uint32Array;
  readonly #idEnds: Uint32Array;
  readonly #bytesMax: Uint32Array;
  readonly #counted: Uint32Array;
  readonly #deviceEnds: Uint32Array;
  // By device.
  readonly #channels: number[] = [];
  readonly #deviceIdAt: number[] = [];
  readonly #endpointAt: number[] = [];
  readonly #endpointEnds: number[] = [];
  readonly #digests: string[] = [];
  readonly #tags = new Map<string, Coder<TagValue>>();
  readonly #zones: Coder<string>;
  readonly #preferred: Uint16Array;

  constructor(rows: number) {
    this.#rows = rows;
    this.#fieldEnds = new Uint32Array(rows);
    this.#idAt = new Uint32Array(rows);
    this.#idEnds = new Uint32Array(rows);
    this.#bytesMax = new Uint32Array(rows);
    this.#counted = new Uint32Array(rows);
    this.#deviceEnds = new Uint32Array(rows);
    this.#zones = new Coder(rows);
    this.#preferred = new Uint16Array(rows);
  }

  /** False if the record may be too large, which the actor says. */
  add(row: SubscriberInput, devices: readonly NormalDevice[]): boolean {
    const { externalUserId, tags = {}, timezone, preferredChannels } = row;
    const fields = this.#fields;
    const from = fields.length;
    const devicesBefore = this.#channels.length;
    if (externalUserId === undefined) fields.nil();
    else fields.string(externalUserId);
    const idEnd = externalUserId === undefined ? 0 : fields.length;
    fields.array(devices.length);
    for (const device of devices) this.#addDevice(device);
    let values = 0;
    const names = Object.keys(tags);
    fields.map(names.length);
    for (const name of names) {
      fields.string(name);
      values += writeTag(fields, tags[name] as TagValue);
    }
    writeTexts(fields, preferredChannels ?? undefined);
    if (timezone == null) fields.nil();
    else fields.string(timezone);
    fields.double(0); // createdMs
    fields.double(0); // updatedMs
    // A character takes at most six bytes of JSON, a number 26; a text's quotes come of its head.
    const length = fields.length - from;
    const bytesMax = 6 * length + 26 * (values + 4) + 128 * (devices.length + 1);
    if (bytesMax > limits.subscriberBytesMax) {
      fields.cutTo(from);
      this.#cutDevicesTo(devicesBefore);
      return false;
    }
    const at = this.count++;
    this.bytesMax += bytesMax;
    this.#bytesMax[at] = bytesMax;
    this.#fieldEnds[at] = fields.length;
    this.#deviceEnds[at] = this.#channels.length;
    if (idEnd > 0) {
      this.#idAt[at] = from + headBytes(idEnd - from);
      this.#idEnds[at] = idEnd;
    }
    for (const name of names) this.#code(name, at, tags[name] as TagValue);
    if (timezone != null) this.#zones.set(at, timezone);
    this.#preferred[at] = channelBits(preferredChannels ?? []);
    this.#counted[at] = countedBytes({ devices, tags: tags as Readonly<Record<string, TagValue>> });
    return true;
  }

  end(): PackedRows {
    const { count } = this;
    const upTo = <A extends Uint32Array | Uint16Array>(column: A): A => column.slice(0, count) as A;
    const keys = new Uint8Array(this.#digests.length * endpointDigestBytes);
    for (const [device, digest] of this.#digests.entries())
      for (let i = 0; i < endpointDigestBytes; i++)
        keys[device * endpointDigestBytes + i] = digest.charCodeAt(i);
    return {
      count,
      ids: { start: upTo(this.#idAt), end: upTo(this.#idEnds) },
      fields: new Uint8Array(this.#fields.bytes),
      fieldEnds: upTo(this.#fieldEnds),
      bytesMax: upTo(this.#bytesMax),
      counted: upTo(this.#counted),
      devices: {
        ends: upTo(this.#deviceEnds),
        channels: Uint8Array.from(this.#channels),
        idAt: Uint32Array.from(this.#deviceIdAt),
        endpointAt: Uint32Array.from(this.#endpointAt),
        endpointEnds: Uint32Array.from(this.#endpointEnds),
        keys,
      },
      tags: [...this.#tags].map(([name, coder]) => ({ name, ...coder.end(count) })),
      zones: this.#zones.end(count),
      preferred: upTo(this.#preferred),
    };
  }

  /** The members in the order in which `withNewDevice` makes them. */
  #addDevice({ input: { channel, environment }, endpoint, key }: NormalDevice): void {
    const fields = this.#fields;
    const index = channelIds.indexOf(channel);
    const from = fields.length;
    fields.written((environment === undefined ? heads : longerHeads)[index] as Uint8Array);
    fields.string(endpoint);
    const endpointEnd = fields.length;
    fields.written(tail);
    if (environment !== undefined) {
      fields.string('environment');
      fields.string(environment);
    }
    this.#channels.push(index);
    this.#deviceIdAt.push(from + idBehind);
    this.#endpointAt.push(endpointEnd - Buffer.byteLength(endpoint));
    this.#endpointEnds.push(endpointEnd);
    this.#digests.push(endpointDigest(key));
  }

  #cutDevicesTo(devices: number): void {
    const { length } = this.#channels;
    for (const column of [this.#channels, this.#deviceIdAt, this.#endpointAt, this.#endpointEnds])
      column.length = devices;
    this.#digests.length -= length - devices;
  }

  #code(name: string, row: number, value: TagValue): void {
    let coder = this.#tags.get(name);
    if (coder === undefined) {
      coder = new Coder(this.#rows);
      this.#tags.set(name, coder);
    }
    coder.set(row, value);
  }
}

/** Values by row as codes. Lists are not compared, so each has a code of its own. */
class Coder<Value> {
  readonly #codes: Uint16Array;
  readonly #values: Value[] = [];
  readonly #codeOf = new Map<Value, number>();

  constructor(rows: number) {
    this.#codes = new Uint16Array(rows);
  }

  set(row: number, value: Value): void {
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.#values.push(value);
      this.#codeOf.set(value, code);
    }
    this.#codes[row] = code;
  }

  end(count: number): { readonly values: readonly Value[]; readonly codes: Uint16Array } {
    return { values: this.#values, codes: this.#codes.slice(0, count) };
  }
}

/** What a text of msgpack takes in front of its bytes, by the bytes of both. */
function headBytes(whole: number): number {
  if (whole < 33) return 1;
  return whole < 0x102 ? 2 : 3;
}

/** How many values it wrote. */
function writeTag(fields: MsgpackWriter, value: TagValue): number {
  if (typeof value === 'string') fields.string(value);
  else if (typeof value === 'number') fields.number(value);
  else if (typeof value === 'boolean') fields.boolean(value);
  else {
    writeTexts(fields, value);
    return value.length;
  }
  return 1;
}

function writeTexts(fields: MsgpackWriter, texts: readonly string[] | undefined): void {
  if (texts === undefined) fields.nil();
  else {
    fields.array(texts.length);
    for (const text of texts) fields.string(text);
  }
}

/** Channels as bits in the catalog's order. */
function channelBits(channels: readonly string[]): number {
  let bits = 0;
  for (const channel of channels) bits |= 1 << channelIds.indexOf(channel as ChannelId);
  return bits;
}
