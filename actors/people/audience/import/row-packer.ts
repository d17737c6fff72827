// Writes rows of an import into columns (`PackedRows`). Which rows may go there is for
// `pack-rows.ts`.

import type { Bytes } from '../../../../engine/base/brand.ts';
import { MsgpackWriter } from '../../../../engine/base/msgpack-writer.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../../channels/channel-ids.ts';
import { emailBytesMax } from '../../../channels/email/address.ts';
import { limits } from '../../../limits.ts';
import { countedBytes } from '../counted-bytes.ts';
import { endpointDigest } from '../endpoint-owner.ts';
import type { DeviceInput, PackedRows, SubscriberInput } from '../protocol.ts';
import { Coder } from './coder.ts';
import { idBytes } from './layout.ts';
import { PackedColumns } from './packed-columns.ts';
import type { DeviceBytes, RowInBytes, TagBytes, TagName } from './row-bytes.ts';

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

/** Rows of a slice, unless it says more. */
const limitOfRows = 512;
/** A writer that grew beyond this is not kept. */
const spareBytesMax: Bytes = 1024 * 1024;
/** Of coders that no name uses now. */
const spareCodersMax = 64;
const deviceCounts = countedBytes({ devices: { length: 1 }, tags: {} });
const otherCounts = countedBytes({ devices: [], tags: { '': true } });

/** Packs one slice after another, in the same buffers. */
export class RowPacker {
  /** Of all records together, as JSON. */
  bytesMax = 0;
  #fields = new MsgpackWriter();
  #columns = new PackedColumns(limitOfRows);
  #slice = 0;
  readonly #tags = new Map<string, Coder<TagValue>>();
  #zones = new Coder<string>(limitOfRows);
  #spare: Coder<TagValue>[] = [];

  /** Begins a slice of at most so many rows. */
  begin(rowsMax: number): void {
    this.bytesMax = 0;
    this.#slice++;
    if (this.#fields.length > spareBytesMax) this.#fields = new MsgpackWriter();
    this.#fields.cutTo(0);
    for (const coder of this.#tags.values()) {
      if (this.#spare.length === spareCodersMax) break;
      coder.clear();
      this.#spare.push(coder);
    }
    this.#tags.clear();
    if (rowsMax > this.#columns.rowsMax) {
      this.#columns = new PackedColumns(rowsMax);
      this.#zones = new Coder(rowsMax);
      this.#spare = [];
    }
    this.#columns.count = 0;
    this.#columns.devices = 0;
    this.#zones.clear();
  }

  get count(): number {
    return this.#columns.count;
  }

  get devices(): number {
    return this.#columns.devices;
  }

  /** The first bytes of a device's digest. */
  digestWord(device: number): number {
    return this.#columns.digestWord(device);
  }

  /** False if the record may be too large, which the actor says. */
  add(row: SubscriberInput, devices: readonly NormalDevice[]): boolean {
    const { externalUserId, tags = {}, timezone, preferredChannels } = row;
    const fields = this.#fields;
    const from = fields.length;
    const devicesBefore = this.#columns.devices;
    if (externalUserId === undefined) fields.nil();
    else fields.string(externalUserId);
    const idEnd = externalUserId === undefined ? 0 : fields.length;
    fields.array(devices.length);
    for (const { input, endpoint, key } of devices) {
      const channel = channelIds.indexOf(input.channel);
      this.#addDevice(channel, input.environment, endpoint, endpointDigest(key));
    }
    let values = 0;
    const names = Object.keys(tags);
    fields.map(names.length);
    for (const name of names) {
      fields.string(name);
      values += writeTag(fields, tags[name] as TagValue);
    }
    writeTexts(fields, preferredChannels ?? undefined);
    if (!this.#end(from, idEnd, values, timezone ?? undefined, devicesBefore)) return false;
    const at = this.#columns.count++;
    for (const name of names) this.#coderOf(name).set(at, tags[name] as TagValue);
    this.#columns.preferred[at] = channelBits(preferredChannels ?? []);
    this.#columns.counted[at] = countedBytes({
      devices,
      tags: tags as Readonly<Record<string, TagValue>>,
    });
    return true;
  }

  /** The same for a row as bytes, which has no lists. */
  addBytes(row: RowInBytes): boolean {
    const { source, idStart, idEnd: idTextEnd, devices, tags, preferredChannels } = row;
    const fields = this.#fields;
    const from = fields.length;
    const devicesBefore = this.#columns.devices;
    if (idTextEnd === 0) fields.nil();
    else fields.text(source, idStart, idTextEnd);
    const idEnd = idTextEnd === 0 ? 0 : fields.length;
    fields.array(devices.count);
    for (let i = 0; i < devices.count; i++) this.#addDeviceBytes(source, devices, i);
    fields.map(tags.count);
    for (let i = 0; i < tags.count; i++) writeTagBytes(fields, source, tags, i);
    writeTexts(fields, preferredChannels);
    if (!this.#end(from, idEnd, tags.count, row.timezone, devicesBefore)) return false;
    const columns = this.#columns;
    const at = columns.count++;
    let counted = devices.count * deviceCounts;
    for (let i = 0; i < tags.count; i++) counted += this.#codeBytes(tags, i, at);
    columns.preferred[at] = preferredChannels === undefined ? 0 : channelBits(preferredChannels);
    columns.counted[at] = counted;
    return true;
  }

  end(): PackedRows {
    return this.#columns.packed(this.#fields.bytes, this.#tags, this.#zones);
  }

  /** The last members and the columns that both kinds of rows have. */
  #end(
    from: number,
    idEnd: number,
    values: number,
    timezone: string | undefined,
    devicesBefore: number,
  ): boolean {
    const fields = this.#fields;
    const columns = this.#columns;
    if (timezone === undefined) fields.nil();
    else fields.string(timezone);
    fields.double(0); // createdMs
    fields.double(0); // updatedMs
    // A character takes at most six bytes of JSON, a number 26; a text's quotes come of its head.
    const length = fields.length - from;
    const devices = columns.devices - devicesBefore;
    const bytesMax = 6 * length + 26 * (values + 4) + 128 * (devices + 1);
    if (bytesMax > limits.subscriberBytesMax) {
      fields.cutTo(from);
      columns.devices = devicesBefore;
      return false;
    }
    const at = columns.count;
    this.bytesMax += bytesMax;
    columns.bytesMax[at] = bytesMax;
    columns.fieldEnds[at] = fields.length;
    columns.deviceEnds[at] = columns.devices;
    columns.idAt[at] = idEnd === 0 ? 0 : from + headBytes(idEnd - from);
    columns.idEnds[at] = idEnd;
    if (timezone !== undefined) this.#zones.set(at, timezone);
    return true;
  }

  /** The members in the order in which `withNewDevice` makes them. */
  #addDevice(
    channel: number,
    environment: DeviceInput['environment'],
    endpoint: string,
    digest: string,
  ): void {
    const fields = this.#fields;
    const from = this.#beginDevice(channel, environment);
    fields.string(endpoint);
    const end = fields.length;
    this.#endDevice(environment);
    const start = end - Buffer.byteLength(endpoint);
    this.#columns.addDevice(channel, from + idBehind, start, end, digest);
  }

  #addDeviceBytes(source: Uint8Array, devices: DeviceBytes, i: number): void {
    const channel = devices.channels[i] as number;
    const environment = devices.environments[i];
    const [endpoint, key] = [devices.endpoints[i], devices.keys[i]];
    if (endpoint !== undefined && key !== undefined) {
      this.#addDevice(channel, environment, endpoint, endpointDigest(key));
      return;
    }
    const start = devices.starts[i] as number;
    const end = devices.ends[i] as number;
    const fields = this.#fields;
    const from = this.#beginDevice(channel, environment);
    fields.text(source, start, end);
    const endpointEnd = fields.length;
    this.#endDevice(environment);
    const endpointAt = endpointEnd - (end - start);
    const digest = endpointDigest(inLowerCase(source, start, end));
    this.#columns.addDevice(channel, from + idBehind, endpointAt, endpointEnd, digest);
  }

  /** Where the device begins. */
  #beginDevice(channel: number, environment: DeviceInput['environment']): number {
    const from = this.#fields.length;
    this.#fields.written((environment === undefined ? heads : longerHeads)[channel] as Uint8Array);
    return from;
  }

  #endDevice(environment: DeviceInput['environment']): void {
    this.#fields.written(tail);
    if (environment === undefined) return;
    this.#fields.string('environment');
    this.#fields.string(environment);
  }

  /** Codes a tag of the row, and returns what it counts for. */
  #codeBytes(tags: TagBytes, i: number, row: number): number {
    const name = tags.names[i] as TagName;
    const coder = this.#coderOf(name.text);
    const index = tags.texts[i] as number;
    if (index < 0) {
      coder.set(row, tags.others[i] as TagValue);
      return name.text.length + otherCounts;
    }
    const { values } = name;
    const text = values.texts[index] as string;
    if (values.slices[index] !== this.#slice) {
      values.slices[index] = this.#slice;
      values.codes[index] = coder.codeOf(text);
    }
    coder.codes[row] = values.codes[index] as number;
    return name.text.length + text.length;
  }

  #coderOf(name: string): Coder<TagValue> {
    let coder = this.#tags.get(name);
    if (coder === undefined) {
      coder = this.#spare.pop() ?? new Coder(this.#columns.rowsMax);
      this.#tags.set(name, coder);
    }
    return coder;
  }
}

/** Views of one buffer, by length: a new one for each address costs as much as half its digest. */
const lowered = Buffer.allocUnsafeSlow(emailBytesMax);
const loweredOf: Uint8Array[] = [];

/** An email address in lower case, until the next call. */
function inLowerCase(source: Uint8Array, start: number, end: number): Uint8Array {
  for (let from = start, to = 0; from < end; from++, to++) {
    const byte = source[from] as number;
    lowered[to] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
  }
  return (loweredOf[end - start] ??= lowered.subarray(0, end - start));
}

function writeTagBytes(fields: MsgpackWriter, source: Uint8Array, tags: TagBytes, i: number): void {
  const name = tags.names[i] as TagName;
  if (name.hasEscape) fields.string(name.text);
  else fields.text(source, name.start, name.end);
  const text = tags.texts[i] as number;
  const end = tags.ends[i] as number;
  if (text < 0) writeTag(fields, tags.others[i] as TagValue);
  else if (end === 0) fields.string(name.values.texts[text] as string);
  else fields.text(source, tags.starts[i] as number, end);
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
