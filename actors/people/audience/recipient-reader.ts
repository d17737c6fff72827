// Decodes only what a message needs of a person's record: devices, and what its texts read. A batch
// reads a thousand people in a turn, and most of a record is addresses and dates.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { checkRecord, recordHeaderBytes } from '../../../storage/codec.ts';
import { PackedReader } from '../../../storage/packed-reader.ts';
import { type DeviceRow, subscribers, type TagValue } from '../../../storage/tables/subscriber.ts';
import type { TemplateSubscriber } from '../../content/liquid/context.ts';
import type { PersonReads } from '../../content/liquid/plain-template.ts';

/** A recipient, possibly a whole record. May lack what the message does not read. */
export interface RecipientRecord extends TemplateSubscriber {
  readonly person: PersonOrdinal;
  readonly devices: readonly Pick<DeviceRow, 'id' | 'channel' | 'enabled'>[];
}

const { fields, version: newest, name: table } = subscribers;
const noKey = new Uint8Array(0);
const deviceFields = ['id', 'channel', 'enabled'] as const;
const deviceKeys = deviceFields.map((name) => new TextEncoder().encode(name));

type Reader = (record: Buffer) => RecipientRecord;

/** By the tags they read. Senders repeat their texts, so there are few; a full map starts anew. */
const readers = new Map<string, Reader>();
const readersMax = 1_000;

/** A reader for messages whose texts read this. Throws `DamagedRecord`. */
export function recipientReader({ tags }: PersonReads): Reader {
  const names = [...tags];
  const name = JSON.stringify(names);
  const known = readers.get(name);
  if (known !== undefined) return known;
  const reader = readerOf(names);
  if (readers.size >= readersMax) readers.clear();
  readers.set(name, reader);
  return reader;
}

function readerOf(names: readonly string[]): Reader {
  const keys = names.map((name) => new TextEncoder().encode(name));
  return (record) => {
    if (checkRecord(newest, record, table, noKey) !== newest)
      return subscribers.decode(record, noKey);
    const reader = new PackedReader(record, recordHeaderBytes);
    const person: { -readonly [Member in keyof RecipientRecord]: RecipientRecord[Member] } = {
      id: '',
      person: 0,
      devices: [],
      tags: {},
    };
    const count = reader.list();
    for (let i = 0; i < count; i++) {
      switch (fields[i]) {
        case 'id':
          person.id = reader.value() as string;
          break;
        case 'person':
          person.person = reader.value() as PersonOrdinal;
          break;
        case 'externalUserId': {
          const id = reader.value() as string | null;
          if (id !== null) person.externalUserId = id;
          break;
        }
        case 'devices':
          person.devices = readDevices(reader);
          break;
        case 'tags':
          person.tags = readTags(reader, names, keys);
          break;
        case 'timezone': {
          const zone = reader.value() as string | null;
          if (zone !== null) person.timezone = zone;
          break;
        }
        default:
          reader.skip();
      }
    }
    return person;
  };
}

/** The tags of these names; skips all others. */
export function readTags(
  reader: PackedReader,
  names: readonly string[],
  keys: readonly Uint8Array[],
): Record<string, TagValue> {
  const tags: Record<string, TagValue> = {};
  const count = reader.map();
  for (let i = 0; i < count; i++) {
    const place = reader.keyAmong(keys);
    if (place < 0) reader.skip();
    else tags[names[place] as string] = reader.value() as TagValue;
  }
  return tags;
}

function readDevices(reader: PackedReader): RecipientRecord['devices'] {
  const devices: { id: string; channel: string; enabled: boolean }[] = [];
  const count = reader.list();
  for (let i = 0; i < count; i++) {
    const device = { id: '', channel: '', enabled: false };
    let field = -1;
    for (let left = reader.map(); left > 0; left--) {
      field = reader.keyAmong(deviceKeys, field + 1);
      if (field === 0) device.id = reader.value() as string;
      else if (field === 1) device.channel = reader.value() as string;
      else if (field === 2) device.enabled = reader.value() as boolean;
      else reader.skip();
    }
    devices.push(device);
  }
  return devices;
}
