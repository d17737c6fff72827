// Reads from a person's record only what one message on one channel needs: the device, and the
// fields that the message's texts use. A record is either whole or damaged, whatever part of it is
// read.

import type { Millis } from '../../../engine/base/brand.ts';
import { checkRecord, recordHeaderBytes } from '../../../storage/codec.ts';
import { PackedReader } from '../../../storage/packed-reader.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { TemplateSubscriber } from '../../content/liquid/context.ts';
import { personReads } from '../../content/render/person-reads.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { readTags } from '../../people/audience/recipient-reader.ts';

/** The fields of a device that a call needs. */
export type SendableDevice = Pick<DeviceRow, 'id' | 'endpoint' | 'environment' | 'createdMs'>;

/** A recipient; without a device where the record has none to send to. */
export interface Recipient {
  /** Fields that the message does not use may be missing. */
  readonly person: TemplateSubscriber;
  readonly device: SendableDevice | undefined;
}

export type ReadPerson = (record: Buffer) => Recipient;

const noKey = new Uint8Array(0);
const { fields, version: newest, name: table } = subscribers;
const deviceFields = ['id', 'channel', 'endpoint', 'enabled', 'environment', 'createdMs'] as const;
const deviceKeys = utf8(deviceFields);

/** A reader of recipients for a message. It throws `DamagedRecord`. */
export function personReader(message: MessageContent, channel: ChannelId): ReadPerson {
  const reads = personReads(message);
  if (reads === undefined) return (record) => whole(record, channel);
  const tagNames = [...new Set([...reads.tags, ...languageTags(channel)])];
  const tagKeys = utf8(tagNames);
  const members = new Set<string>([...reads.members, 'timezone']);
  const channelKey = utf8([channel]);
  return (record) => {
    if (checkRecord(newest, record, table, noKey) !== newest) return whole(record, channel);
    const reader = new PackedReader(record, recordHeaderBytes);
    const person: { -readonly [Member in keyof TemplateSubscriber]: TemplateSubscriber[Member] } = {
      id: '',
      tags: {},
    };
    let device: SendableDevice | undefined;
    const count = reader.list();
    for (let i = 0; i < count; i++) {
      const field = fields[i] as keyof SubscriberRow;
      if (field === 'tags') person.tags = readTags(reader, tagNames, tagKeys);
      else if (field === 'devices') device = readDevice(reader, channelKey);
      else if (members.has(field)) {
        const value = reader.value();
        if (value !== null) Object.assign(person, { [field]: value });
      } else reader.skip();
    }
    return { person, device };
  };
}

function whole(record: Uint8Array, channel: ChannelId): Recipient {
  const person = subscribers.decode(record, noKey);
  return {
    person,
    device: person.devices.find((device) => device.enabled && device.channel === channel),
  };
}

/** The first enabled device on the channel, which is given as a key. */
function readDevice(
  reader: PackedReader,
  channelKey: readonly Uint8Array[],
): SendableDevice | undefined {
  let found: SendableDevice | undefined;
  const count = reader.list();
  for (let i = 0; i < count; i++) {
    if (found === undefined) found = readIfSendable(reader, channelKey);
    else reader.skip();
  }
  return found;
}

/** Reads its texts only once it is the right device. */
function readIfSendable(
  reader: PackedReader,
  channelKey: readonly Uint8Array[],
): SendableDevice | undefined {
  let isEnabled = false;
  let isOnChannel = false;
  let idAt = -1;
  let endpointAt = -1;
  let createdMs = 0;
  let environment: DeviceRow['environment'];
  let field = -1;
  const count = reader.map();
  for (let i = 0; i < count; i++) {
    // Most devices have their fields in this order.
    field = reader.keyAmong(deviceKeys, field + 1);
    switch (deviceFields[field]) {
      case 'enabled':
        isEnabled = reader.value() === true;
        break;
      case 'channel':
        isOnChannel = reader.keyAmong(channelKey) === 0;
        break;
      case 'id':
        idAt = reader.place;
        reader.skip();
        break;
      case 'endpoint':
        endpointAt = reader.place;
        reader.skip();
        break;
      case 'createdMs':
        createdMs = reader.value() as Millis;
        break;
      case 'environment':
        environment = (reader.value() as DeviceRow['environment'] | null) ?? undefined;
        break;
      default:
        reader.skip();
    }
  }
  if (!isEnabled || !isOnChannel || idAt < 0 || endpointAt < 0) return undefined;
  const id = reader.valueAt(idAt) as string;
  const endpoint = reader.valueAt(endpointAt) as DeviceRow['endpoint'];
  return environment === undefined
    ? { id, endpoint, createdMs }
    : { id, endpoint, createdMs, environment };
}

/** Tags that a channel reads beside those of the message's texts. */
function languageTags(channel: ChannelId): readonly string[] {
  return catalog[channel].usesLanguage ? ['language', 'locale'] : [];
}

function utf8(texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text) => new TextEncoder().encode(text));
}
