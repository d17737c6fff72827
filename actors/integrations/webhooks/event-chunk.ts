// Events of a chunk as bytes. Ids of the app take twelve bytes, texts that repeat one. What an
// event says of its person is fixed here: later changes of the person do not change a payload.
//
//   version u8 · form u8 (plain or deflated) · count · instant, as varints · then by event:
//   kind u8 · channel u8 · lag · step of seq · four ids · four texts

import { Buffer } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { formatId, type IdPrefix, parseId } from '../../../engine/base/id.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { ByteReader, DamagedEvents } from '../../events/columns/byte-cursor.ts';
import { ByteWriter } from '../../events/columns/byte-writer.ts';
import { type WebhookEvent, type WebhookKind, webhookKinds } from './event.ts';

/** As stored: `meta` is JSON. */
export interface StoredEvent extends Omit<WebhookEvent, 'kind' | 'meta'> {
  readonly kind: WebhookKind;
  readonly metaJson: string;
}

const version = 1;
const plainForm = 0;
const deflatedForm = 1;
/** Fewer bytes are not worth it. */
const deflatedBytesMin = 400;

const absentTag = 0;
const idTag = 1;
const textTag = 2;
const sameTag = 3;

const ids = [
  ['subscriberId', 'sub'],
  ['sendId', 'ntf'],
  ['deviceId', 'dev'],
] as const satisfies readonly (readonly [keyof StoredEvent, IdPrefix])[];
const texts = ['externalUserId', 'campaignId', 'journeyId', 'messageId'] as const;

export function encodeChunk(owner: Ordinal, atMs: Millis, events: readonly StoredEvent[]): Buffer {
  const writer = new ByteWriter(160 * events.length + 16);
  const last: Record<string, string> = {};
  let lastSeq = 0;
  for (const event of events) {
    writer.u8(webhookKinds.indexOf(event.kind));
    writer.u8(event.channel === null ? 0 : channelIds.indexOf(event.channel) + 1);
    writeSigned(writer, event.atMs - atMs);
    writeSigned(writer, event.seq - lastSeq);
    lastSeq = event.seq;
    for (const [member, prefix] of ids) writeId(writer, owner, prefix, event[member]);
    for (const member of texts) writeText(writer, last, member, event[member]);
    writeText(writer, last, 'metaJson', event.metaJson);
  }
  const plain = writer.finish();
  const isDeflated = plain.length >= deflatedBytesMin;
  const head = new ByteWriter(24);
  head.u8(version);
  head.u8(isDeflated ? deflatedForm : plainForm);
  head.varint(events.length);
  head.varint(atMs);
  return Buffer.concat([head.finish(), isDeflated ? deflateRawSync(plain, { level: 1 }) : plain]);
}

/** Throws `DamagedEvents`. */
export function decodeChunk(owner: Ordinal, bytes: Uint8Array): StoredEvent[] {
  const head = new ByteReader(bytes);
  const found = head.u8();
  if (found !== version)
    throw new DamagedEvents(`webhook events have version ${found}, this program reads ${version}`);
  const isDeflated = head.u8() === deflatedForm;
  const count = head.varint();
  const atMs = head.varint();
  const rest = head.bytes.subarray(head.at);
  const reader = new ByteReader(isDeflated ? inflateRawSync(rest) : rest);
  const last: Record<string, string> = {};
  const events: StoredEvent[] = [];
  let seq = 0;
  for (let i = 0; i < count; i++) {
    const kind = webhookKinds[reader.u8()];
    if (kind === undefined) throw new DamagedEvents('a webhook event has an unknown kind');
    const channel = channelIds[reader.u8() - 1] ?? null;
    const eventMs = atMs + readSigned(reader);
    seq += readSigned(reader);
    const [subscriberId, sendId, deviceId] = ids.map(([, prefix]) => readId(reader, owner, prefix));
    const [externalUserId, campaignId, journeyId, messageId] = texts.map((member) =>
      readText(reader, last, member),
    );
    events.push({
      kind,
      channel,
      atMs: eventMs,
      seq,
      subscriberId: subscriberId ?? null,
      sendId: sendId ?? null,
      deviceId: deviceId ?? null,
      externalUserId: externalUserId ?? null,
      campaignId: campaignId ?? null,
      journeyId: journeyId ?? null,
      messageId: messageId ?? null,
      metaJson: readText(reader, last, 'metaJson') ?? '{}',
    });
  }
  return events;
}

export function eventOf({ metaJson, ...event }: StoredEvent): WebhookEvent {
  // The kind decided which meta was written.
  return { ...event, meta: JSON.parse(metaJson) } as WebhookEvent;
}

/** Their ordinal, which their id names. */
export function personOf({ subscriberId }: StoredEvent): PersonOrdinal | undefined {
  return subscriberId === null ? undefined : parseId('sub', subscriberId)?.low32;
}

/** Whether its person has been taken out: it is not what its receiver may have got before. */
export function lacksPerson({ kind, subscriberId }: StoredEvent): boolean {
  return subscriberId === null && (kind.startsWith('message.') || kind.startsWith('subscriber.'));
}

/** Without its person. */
export function withoutPerson(event: StoredEvent): StoredEvent {
  const nobody = { subscriberId: null, externalUserId: null, deviceId: null, sendId: null };
  return { ...event, ...nobody, metaJson: '{}' };
}

function writeSigned(writer: ByteWriter, value: number): void {
  writer.varint(value < 0 ? -2 * value - 1 : 2 * value);
}

function readSigned(reader: ByteReader): number {
  const value = reader.varint();
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** The writer copies them. */
const idBytes = Buffer.alloc(12);

function writeId(writer: ByteWriter, owner: Ordinal, prefix: IdPrefix, id: string | null): void {
  if (id === null) {
    writer.u8(absentTag);
    return;
  }
  const parts = parseId(prefix, id);
  if (parts === undefined || parts.ordinal !== owner) {
    writer.u8(textTag); // by a client, who may write anything
    writer.text(id);
    return;
  }
  writer.u8(idTag);
  idBytes.writeUIntBE(parts.atMs, 0, 6);
  idBytes.writeUInt16BE(parts.high16, 6);
  idBytes.writeUInt32BE(parts.low32, 8);
  writer.run(idBytes);
}

function readId(reader: ByteReader, owner: Ordinal, prefix: IdPrefix): string | null {
  const tag = reader.u8();
  if (tag === absentTag) return null;
  if (tag === textTag) return reader.text();
  const bytes = reader.run(12);
  return formatId(prefix, {
    ordinal: owner,
    atMs: bytes.readUIntBE(0, 6),
    high16: bytes.readUInt16BE(6),
    low32: bytes.readUInt32BE(8),
  });
}

function writeText(
  writer: ByteWriter,
  last: Record<string, string>,
  member: string,
  text: string | null,
): void {
  if (text === null) writer.u8(absentTag);
  else if (text === last[member]) writer.u8(sameTag);
  else {
    writer.u8(textTag);
    writer.text(text);
    last[member] = text;
  }
}

function readText(reader: ByteReader, last: Record<string, string>, member: string): string | null {
  const tag = reader.u8();
  if (tag === absentTag) return null;
  if (tag === sameTag) return last[member] ?? null;
  const text = reader.text();
  last[member] = text;
  return text;
}
