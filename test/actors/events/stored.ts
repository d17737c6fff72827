// Stored events as plain objects, and drafts to make them of.

import fc from 'fast-check';
import type { EventDraft } from '../../../actors/events/log/drafts.ts';
import { references } from '../../../actors/events/log/event-rows.ts';
import type { StoredEvents } from '../../../actors/events/log/stored-events.ts';
import { nowMs } from './bodies.ts';

export interface PlainEvent {
  readonly seq: number;
  readonly person: number;
  readonly atMs: number;
  readonly [field: string]: unknown;
}

const value = (json: string | undefined): unknown =>
  json === undefined ? undefined : JSON.parse(json);

/** Everything a reader can ask about every row. */
export function eventsOf(events: StoredEvents): PlainEvent[] {
  return Array.from({ length: events.count }, (_, row) => eventAt(events, row));
}

/** The same of one row. */
export function eventAt(events: StoredEvents, row: number): PlainEvent {
  return {
    seq: events.seq(row),
    name: events.name(row),
    person: events.person(row),
    atMs: events.atMs(row),
    receivedAtMs: events.receivedAtMs(row),
    id: events.id(row),
    props: value(events.propsJson(row)),
    meta: value(events.metaJson(row)),
    channel: events.channel(row),
    ...Object.fromEntries(references.map((name) => [name, events.reference(row, name)])),
  };
}

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom('1', '007', 'a9', 'x'.repeat(128), 'ข'.repeat(100), '9'.repeat(20)),
);
const reference = fc.constantFrom('cmp_1', 'cmp_2', 'dev_00000000000000000000000001', 'x');
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -99999, max: 99999 }).map((n) => n / 100),
  fc.constantFrom(0, 1e21, 2 ** 53, -(2 ** 53), 5e-324, 1.7976931348623157e308, 0.1, 1e-7),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const props = fc
  .oneof(
    fc.record({ sku: text, price: number, gift: fc.boolean() }),
    fc.record({ sku: text, n: fc.integer() }, { requiredKeys: ['n'] }),
    fc.dictionary(text, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxKeys: 4 }),
  )
  .map((object) => JSON.stringify(object));

/** A server-made event with anything in it that an event can have. */
export const draft: fc.Arbitrary<EventDraft> = fc.record(
  {
    name: fc.constantFrom('delivered', 'purchase', 'ปุ่ม'),
    person: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 0xffffffff })),
    atMs: fc.oneof(
      fc.integer({ min: nowMs - 30_000, max: nowMs + 30_000 }),
      fc.integer({ min: nowMs - 90 * 86_400_000, max: nowMs + 600_000 }),
    ),
    id: text,
    propsJson: props,
    metaJson: fc.constantFrom(
      '{}',
      '{"reason":"opt_out"}',
      '{"journeyId":"jrn_1","n":[1]}',
      '{"reason":"\\"test\\":true","test":true}',
      '{"detail":"\\"test\\":true"}',
    ),
    channel: fc.integer({ min: 0, max: 13 }),
    deviceId: reference,
    sendId: reference,
    campaignId: reference,
    messageId: reference,
    journeyId: reference,
  },
  { requiredKeys: ['name', 'person', 'atMs'] },
);

/** What a draft reads back as. */
export function expected(draft: EventDraft, receivedAtMs: number, seq: number): PlainEvent {
  return {
    seq,
    name: draft.name,
    person: draft.person,
    atMs: draft.atMs,
    receivedAtMs,
    id: draft.id,
    props: value(draft.propsJson),
    meta: value(draft.metaJson),
    channel: draft.channel ?? 0,
    ...Object.fromEntries(references.map((name) => [name, draft[name]])),
  };
}
