// Bodies of `POST /e` for the fuzzers: mostly valid, written in every order and spacing, with the
// odd member in them, and then perhaps cut, flipped or spliced. Everything is drawn from one
// fast-check seed.

import fc from 'fast-check';
import { subscriberId } from '../../../engine/base/id.ts';

export const nowMs = Date.UTC(2026, 2, 1, 12);
export const limits = { appOrdinal: 4711, nowMs, retentionMs: 90 * 86_400_000, keptDays: 90 };

const oddText = fc.constantFrom(
  '',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(128),
  'x'.repeat(129),
  'x'.repeat(256),
  'x'.repeat(257),
  'ข'.repeat(43),
  'ข'.repeat(128),
  'ข'.repeat(200),
  '\u0000',
  'a\u007fb',
  'a\u0085b',
  'a\u00a0b',
  '\ud800',
  '😀',
  'a"b\\c',
  'tab\there',
);
const word = fc.constantFrom(
  'purchase',
  'a',
  'cart_added',
  'user-17',
  'ปุ่ม',
  '😀x',
  'x y',
  '__',
  'é',
  'mua_hàng',
);
/** Texts that are not in NFC. */
const otherForm = fc.constantFrom(
  'mua_ha\u0300ng',
  'e\u0323\u0302',
  '\u1112\u1161\u11ab',
  '\u0958',
  '\u212a',
  '\u0301x',
);
const name = fc.oneof(
  { weight: 40, arbitrary: word },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'opened',
      'session',
      'inbox_read',
      'delivered',
      'sent',
      'deferred',
      'unsubscribed',
      'sents',
      'journey_',
      'journey_enrolled',
      'journey',
      'Delivered',
      'failed',
      'bounced',
      'suppressed',
    ),
  },
  { weight: 1, arbitrary: otherForm },
  { weight: 1, arbitrary: oddText },
);
const text = fc.oneof(
  { weight: 40, arbitrary: word },
  { weight: 4, arbitrary: otherForm },
  { weight: 1, arbitrary: oddText },
);
const subscriber = fc.constantFrom(
  subscriberId(4711, 12345, nowMs - 5, 65535),
  subscriberId(4711, 0xffffffff, 0, 0),
  subscriberId(4711, 0, 2 ** 48 - 1, 12345),
  subscriberId(4712, 12345, nowMs, 1),
  subscriberId(4711, 1, nowMs, 1).toUpperCase(),
  subscriberId(4711, 1, nowMs, 1).replace('sub_', 'dev_'),
  subscriberId(4711, 1, nowMs, 1).replace(/.$/, 'u'),
  `sub_8${'0'.repeat(25)}`,
  `sub_7${'z'.repeat(25)}`,
);
const instant = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .integer({ min: nowMs - 91 * 86_400_000, max: nowMs + 700_000 })
      .map((ms) => new Date(ms).toISOString()),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '2026-02-28T23:59:59Z',
      '2026-02-29T00:00:00Z',
      '2026-02-28T24:00:00Z',
      '2026-02-28T23:60:00Z',
      '2026-02-28T23:59:60Z',
      '2026-02-28t10:00:00z',
      '2026-02-28 10:00:00Z',
      '2026-02-28T10:00:00',
      '2026-02-28T10:00:00+07:00',
      '2026-02-28T10:00:00.5-03:30',
      '2026-02-28T10:00:00.123456789Z',
      '2026-02-28T10:00:00.Z',
      '2026-02-28T10:00:00+24:00',
      '2026-02-28T10:00:00.12+0700',
      '2026-13-01T00:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-02-00T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2026-02-2xT10:00:00Z',
      'now',
      '2026-03-01T12:10:00.000Z',
      '2026-03-01T12:10:00.001Z',
      '2026-02-28T1/:00:00Z',
      '2026-02-28T10:00:00.00:Z',
    ),
  },
);

const propsKey = fc.oneof(
  { weight: 80, arbitrary: fc.constantFrom('sku', 'price', 'qty', 'ราคา', '0', '', 'constructo') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'a"b', 'toString'),
  },
);
/** Written as it stands: the number forms that JSON allows, and some that it doesn't. */
const numberText = fc.constantFrom(
  '0',
  '1',
  '-1',
  '12.50',
  '0.1',
  '-0.5',
  '-0',
  '-0.0',
  '1e5',
  '1E+20',
  '1e14',
  '1e15',
  '9007199254740991',
  '-9007199254740993',
  '9007199254740991.2',
  '1234567890123456',
  '123456789012345678e-3',
  '900719925474099.1e1',
  '9e99',
  '9e-99',
  '1e400',
  '1.5e-7',
  '12345678901234567890',
  `${'9'.repeat(60)}`,
  `${'9'.repeat(400)}`,
  '1.7976931348623157e308',
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  'NaN',
  '0x1',
  '-',
  '--1',
  '1e5e5',
);
interface Written {
  readonly json: string;
}
const written = (json: string): Written => ({ json });
const value: fc.Memo<unknown> = fc.memo((depth) =>
  fc.oneof(
    { weight: 5, arbitrary: text },
    { weight: 3, arbitrary: fc.integer() },
    { weight: 2, arbitrary: fc.double({ noNaN: true }) },
    { weight: 1, arbitrary: numberText.map(written) },
    { weight: 2, arbitrary: fc.constantFrom(true, false, null) },
    ...(depth > 1
      ? [
          { weight: 1, arbitrary: fc.array(value(depth - 1), { maxLength: 3 }) },
          { weight: 1, arbitrary: members(fc.tuple(propsKey, value(depth - 1))) },
        ]
      : []),
  ),
);

/** An object as the list of its members, so that order and repetition are kept. */
interface Members {
  readonly members: readonly (readonly [string, unknown])[];
}
function members(member: fc.Arbitrary<[string, unknown]>, maxLength = 4): fc.Arbitrary<Members> {
  return fc.array(member, { maxLength }).map((list) => ({ members: list }));
}
const props = members(fc.tuple(propsKey, value(5)), 5);

const member: fc.Arbitrary<[string, unknown]> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('id'), text) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('at'), instant) },
  { weight: 6, arbitrary: fc.tuple(fc.constant('props'), props) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('deviceId', 'sendId', 'campaignId', 'messageId', 'journeyId'),
      text,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('extra', 'x', 'nam', 'idx', 'Props'), value(3)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom(
        'name',
        'externalUserId',
        'subscriberId',
        'id',
        'at',
        'props',
        'constructor',
        '__proto__',
      ),
      value(2),
    ),
  },
);
const event = fc
  .tuple(
    name.map((text): [string, unknown] => ['name', text]),
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constant('externalUserId'), text) },
      { weight: 1, arbitrary: fc.tuple(fc.constant('subscriberId'), subscriber) },
    ),
    fc.array(member, { maxLength: 4 }),
    fc.nat(),
  )
  .map(([first, second, rest, turn]) => {
    const list: (readonly [string, unknown])[] = [first, second, ...rest];
    const cut = turn % list.length;
    return { members: [...list.slice(cut), ...list.slice(0, cut)] };
  });

const body = fc
  .tuple(
    fc.array(event, { minLength: 1, maxLength: 3 }),
    fc.array(
      fc.oneof(
        fc.tuple(fc.constant('appId'), text),
        fc.tuple(fc.constantFrom('sentAt', 'events2', '__proto__'), value(3)),
      ),
      { maxLength: 2 },
    ),
    fc.nat(),
  )
  .map(([events, rest, turn]): Members => {
    const list: (readonly [string, unknown])[] = [['events', events], ...rest];
    const cut = turn % list.length;
    return { members: [...list.slice(cut), ...list.slice(0, cut)] };
  });

/**
 * How the text is written: spaces, and escapes that needn't be. Drawn from a small generator, which
 * shrinks well.
 */
function write(value: unknown, style: number): string {
  let state = style;
  const draw = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return style === 0 ? 1 : (state >>> 8) % n;
  };
  const space = () => (draw(6) === 0 ? ([' ', '\n', '\t', '\r\n  '][draw(4)] as string) : '');
  const string = (text: string) => {
    const json = JSON.stringify(text);
    if (text === '' || draw(100) !== 0) return json;
    const first = text.charCodeAt(0).toString(16).padStart(4, '0');
    return `"\\u${first}${JSON.stringify(text.slice(1)).slice(1)}`;
  };
  const any = (item: unknown): string => {
    if (typeof item === 'string') return string(item);
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    if ('json' in item) return String(item.json);
    if (Array.isArray(item))
      return `[${space()}${item.map(any).join(`${space()},${space()}`)}${space()}]`;
    const list = (item as Members).members;
    const texts = list.map(([key, inner]) => `${string(key)}${space()}:${space()}${any(inner)}`);
    return `{${space()}${texts.join(`${space()},${space()}`)}${space()}}`;
  };
  return `${space()}${any(value)}${space()}`;
}

const splice = fc.tuple(
  fc.nat(),
  fc.nat({ max: 3 }),
  fc.constantFrom(
    '',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u0041',
    '\\ud800',
    '\\udc00',
    '\\ud83d\\ude00',
    '\u0000',
    '\ufeff',
    ' ',
    '0',
    '-',
    'e9',
    'null',
    '"id":"x",',
    '{}',
    '[]',
    '\\x',
    '\t',
    '"name":"b",',
    '"appId":"q",',
  ),
  fc.boolean(),
);

/** Bytes to read: a body as written, or that with up to two splices or a byte that is no UTF-8. */
export const anyBody: fc.Arbitrary<Buffer> = fc
  .tuple(body, fc.nat(), fc.array(splice, { maxLength: 2 }), fc.nat({ max: 9 }))
  .map(([value, style, splices, harm]) => {
    let bytes = Buffer.from(write(value, style % 3 === 0 ? 0 : style));
    if (harm < 6) return bytes;
    for (const [at, remove, insert, high] of splices) {
      const from = at % (bytes.length + 1);
      const piece = high && harm === 9 ? Buffer.from([0xc3]) : Buffer.from(insert);
      bytes = Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(from + remove)]);
    }
    return bytes;
  });

/** Bodies that nothing is wrong with. */
export const plainBody: fc.Arbitrary<Buffer> = fc
  .array(
    fc.record(
      {
        name: fc.constantFrom('purchase', 'signup', 'ปุ่ม', 'opened'),
        externalUserId: word,
        id: fc.uuid(),
        at: fc
          .integer({ min: nowMs - 80 * 86_400_000, max: nowMs + 500_000 })
          .map((ms) => new Date(ms).toISOString()),
        props: fc.dictionary(
          fc.string({ unit: 'grapheme' }).filter((k) => /^\w{0,8}$/u.test(k)),
          fc.oneof(fc.string(), fc.integer(), fc.boolean()),
        ),
        deviceId: fc.constantFrom('dev_1', 'dev_2'),
        campaignId: fc.constantFrom('cmp_1', 'cmp_2'),
      },
      { requiredKeys: ['name', 'externalUserId'] },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((events) => Buffer.from(JSON.stringify({ events })));
