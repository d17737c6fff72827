// What each rule says of an event that breaks it, and where each bound lies.

import t from 'tap';
import { parseIngest, readIngest } from '../../../../actors/events/ingest/slow-path.ts';
import { createEventRows } from '../../../../actors/events/log/event-rows.ts';
import { subscriberId } from '../../../../engine/base/id.ts';
import { limits, nowMs } from '../bodies.ts';
import { rowsOf } from '../rows-of.ts';

const rows = createEventRows();
const good = { name: 'purchase', externalUserId: 'ann' };

/** What both ways of reading say about one event; they must agree. */
function errorOf(event: unknown): string | undefined {
  const body = Buffer.from(JSON.stringify({ events: [event] }));
  const slow = parseIngest(body, limits, rows);
  const either = readIngest(body, limits, rows);
  if (slow.outcome !== 'read' || either.outcome !== 'read') throw new Error('refused as a whole');
  if (JSON.stringify(slow.errors) !== JSON.stringify(either.errors)) throw new Error('they differ');
  return slow.errors[0]?.error;
}
const at = (ms: number) => new Date(ms).toISOString();
/** An object of exactly so many bytes as JSON. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) });
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

const rules: [rule: string, event: unknown, error: string | undefined][] = [
  ['an event is an object', null, 'event: expected an object'],
  ['an event is no array', [], 'event: expected an object'],
  ['a name is needed', { externalUserId: 'ann' }, 'name: expected 1 to 128 characters'],
  ['a name is a string', { ...good, name: 7 }, 'name: expected 1 to 128 characters'],
  ['a name of 128 characters is taken', { ...good, name: 'ข'.repeat(128) }, undefined],
  [
    'a name of 129 is not',
    { ...good, name: 'x'.repeat(129) },
    'name: expected 1 to 128 characters',
  ],
  [
    'receipts are the service’s',
    { ...good, name: 'delivered' },
    'name: "delivered" is recorded by the service and cannot be sent',
  ],
  [
    'journey rows are too',
    { ...good, name: 'journey_converted' },
    'name: "journey_converted" is recorded by the service and cannot be sent',
  ],
  ['a person is needed', { name: 'a' }, 'externalUserId: expected subscriberId or externalUserId'],
  [
    'one person, not two',
    { ...good, subscriberId: subscriberId(4711, 1, nowMs, 1) },
    'externalUserId: give either subscriberId or externalUserId, not both',
  ],
  [
    'null is absent',
    { ...good, subscriberId: null, id: null, at: null, props: null, sendId: null },
    undefined,
  ],
  [
    'an externalUserId of 256 characters is taken',
    { name: 'a', externalUserId: 'x'.repeat(256) },
    undefined,
  ],
  [
    'one of 257 is not',
    { name: 'a', externalUserId: 'x'.repeat(257) },
    'externalUserId: expected 1 to 256 characters',
  ],
  [
    'nor an empty one',
    { name: 'a', externalUserId: '' },
    'externalUserId: expected 1 to 256 characters',
  ],
  [
    'nor one that is not well-formed',
    { name: 'a', externalUserId: '\ud800' },
    'externalUserId: expected valid Unicode',
  ],
  [
    'nor one with a control character',
    { name: 'a', externalUserId: 'ann\u0085' },
    'externalUserId: must not contain control characters',
  ],
  ['512 bytes of it are taken', { name: 'a', externalUserId: 'é'.repeat(256) }, undefined],
  [
    'more bytes are not',
    { name: 'a', externalUserId: 'ข'.repeat(171) },
    'externalUserId: expected at most 512 bytes of UTF-8',
  ],
  [
    'a subscriber of this app is taken',
    { name: 'a', subscriberId: subscriberId(4711, 1, nowMs, 1) },
    undefined,
  ],
  [
    'one of another app is not',
    { name: 'a', subscriberId: subscriberId(4712, 1, nowMs, 1) },
    'subscriberId: expected the id of a subscriber of this app',
  ],
  [
    'nor any other text',
    { name: 'a', subscriberId: 'ann' },
    'subscriberId: expected the id of a subscriber of this app',
  ],
  ['an id of 128 characters is taken', { ...good, id: 'x'.repeat(128) }, undefined],
  ['one of 129 is not', { ...good, id: 'x'.repeat(129) }, 'id: expected 1 to 128 characters'],
  ['an id is well-formed', { ...good, id: 'x\ud83d' }, 'id: expected valid Unicode'],
  ['an id may hold any other letter', { ...good, id: '\u00a0é😀' }, undefined],
  ['an id holds no NUL', { ...good, id: 'a\0' }, 'id: must not contain control characters'],
  ['no DEL', { ...good, id: '\u007fa' }, 'id: must not contain control characters'],
  [
    'and none of the upper control characters',
    { ...good, id: 'a\u009f' },
    'id: must not contain control characters',
  ],
  ['an id is a string', { ...good, id: 12 }, 'id: expected 1 to 128 characters'],
  ['at is a date-time', { ...good, at: 'yesterday' }, 'at: expected an RFC 3339 date-time'],
  ['at is no number', { ...good, at: nowMs }, 'at: expected an RFC 3339 date-time'],
  ['at may lie 90 days back', { ...good, at: at(nowMs - 90 * 86_400_000) }, undefined],
  [
    'no further',
    { ...good, at: at(nowMs - 90 * 86_400_000 - 1) },
    'at: expected at most 90 days in the past',
  ],
  ['at may lie ten minutes ahead', { ...good, at: at(nowMs + 600_000) }, undefined],
  [
    'not more',
    { ...good, at: at(nowMs + 600_001) },
    'at: expected at most 10 minutes in the future',
  ],
  ['props are an object', { ...good, props: [1] }, 'props: expected an object'],
  [
    'props are well-formed in their values',
    { ...good, props: { a: { b: ['😀', 'x\ud83d'] } } },
    'props.a.b[1]: expected valid Unicode',
  ],
  [
    'and in their keys',
    { ...good, props: { a: [{ 'x\ude00': 1 }] } },
    'props.a[0].x\ufffd: expected valid Unicode',
  ],
  [
    'what only looks like half a character is taken',
    { ...good, props: { a: '\\ud83d' } },
    undefined,
  ],
  [
    'props may hold any control character',
    { ...good, props: { a: '\0\u0085', '\t': 1 } },
    undefined,
  ],
  ['what is ignored is not judged', { ...good, extra: '\ud800' }, undefined],
  ['8 KiB of props are taken', { ...good, props: sized(8192) }, undefined],
  [
    'one byte more is not',
    { ...good, props: sized(8193) },
    'props: expected at most 8192 bytes as JSON',
  ],
  ['16 levels of props are taken', { ...good, props: nested(16) }, undefined],
  [
    '17 are not',
    { ...good, props: nested(17) },
    `props${'.a'.repeat(16)}: expected at most 16 levels of nesting`,
  ],
  [
    'dangerous keys are refused',
    { ...good, props: JSON.parse('{"a":[{"__proto__":1}]}') },
    'props.a[0].__proto__: this key is not allowed',
  ],
  [
    'in unknown members too',
    { ...good, extra: { constructor: 1 } },
    'extra.constructor: this key is not allowed',
  ],
  [
    'and at the top',
    JSON.parse('{"name":"a","externalUserId":"b","prototype":1}'),
    'prototype: this key is not allowed',
  ],
  ['unknown members are ignored', { ...good, extra: { a: [1, null] }, journeyId: 'j' }, undefined],
  ['a reference of 64 characters is taken', { ...good, sendId: 'x'.repeat(64) }, undefined],
  [
    'one of 65 is not',
    { ...good, deviceId: 'x'.repeat(65) },
    'deviceId: expected 1 to 64 characters',
  ],
  ['a reference is well-formed', { ...good, sendId: '\udc00' }, 'sendId: expected valid Unicode'],
  [
    'and holds no control characters',
    { ...good, campaignId: 'a\nb' },
    'campaignId: must not contain control characters',
  ],
  ['a reference is a string', { ...good, messageId: {} }, 'messageId: expected 1 to 64 characters'],
];
for (const [rule, event, error] of rules) {
  t.test(rule, async (t) => t.equal(errorOf(event), error));
}

t.test('a key that is dangerous only once unescaped is refused as well', async (t) => {
  const body = Buffer.from(
    '{"events":[{"name":"a","externalUserId":"b","props":{"\\u005f_proto__":{"x":1}}}]}',
  );
  t.match(readIngest(body, limits, rows), {
    errors: [{ index: 0, error: 'props.__proto__: this key is not allowed' }],
  });
});

t.test('one bad event does not harm the others, and keeps its place in the request', async (t) => {
  const body = Buffer.from(
    JSON.stringify({ events: [good, { name: 'x' }, { ...good, id: '2' }, 5] }),
  );
  const reading = readIngest(body, limits, rows);
  t.match(reading, { outcome: 'read', errors: [{ index: 1 }, { index: 3 }] });
  t.match(rowsOf(rows), [{ index: 0 }, { index: 2, id: '2' }]);
});

t.test('a body that is no list of events is one fault', async (t) => {
  const refusals: [string, string][] = [
    ['', 'body: not valid JSON (Unexpected end of JSON input)'],
    ['nope', 'body: not valid JSON (Unexpected token \'o\', "nope" is not valid JSON)'],
    ['[]', 'body: expected an object, not an array'],
    ['null', 'body: expected an object, not null'],
    ['5', 'body: expected an object, not a number'],
    ['{}', 'events: expected an array of 1 to 1000 events'],
    ['{"events":{}}', 'events: expected an array of 1 to 1000 events'],
    ['{"events":[]}', 'events: expected an array of 1 to 1000 events'],
    ['{"__proto__":{"events":[1]}}', 'events: expected an array of 1 to 1000 events'],
    ['{"appId":7,"events":[{}]}', 'appId: expected an app id'],
  ];
  for (const [body, message] of refusals) {
    const reading = readIngest(Buffer.from(body), limits, rows);
    t.equal(reading.outcome === 'refused' ? reading.fault.message : '', message, body);
  }
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
  t.match(readIngest(bytes, limits, rows), { fault: { message: 'body: expected UTF-8 text' } });
});

t.test(
  'numbers that take more room written plainly still fit or are refused by the bytes they take',
  async (t) => {
    const list = (count: number) => `[${new Array(count).fill('1e14').join(',')}]`;
    const body = (count: number) =>
      Buffer.from(`{"events":[{"name":"a","externalUserId":"b","props":{"n":${list(count)}}}]}`);
    t.strictSame(readIngest(body(511), limits, rows), { outcome: 'read', errors: [] });
    t.match(readIngest(body(512), limits, rows), { errors: [{ error: /8192 bytes/ }] });
  },
);
