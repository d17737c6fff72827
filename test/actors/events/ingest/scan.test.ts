// The scanner and the slow path are held to each other here: whatever the scanner accepts,
// JSON.parse must agree with.

import fc from 'fast-check';
import t from 'tap';
import { scanIngest } from '../../../../actors/events/ingest/scan.ts';
import { parseIngest, readIngest } from '../../../../actors/events/ingest/slow-path.ts';
import { UnknownNames } from '../../../../actors/events/ingest/unknown-names.ts';
import { createEventRows } from '../../../../actors/events/log/event-rows.ts';
import { subscriberId } from '../../../../engine/base/id.ts';
import { tries } from '../../../support/tries.ts';
import { anyBody, limits, nowMs, plainBody } from '../bodies.ts';
import { appIdOf, rowsOf } from '../rows-of.ts';

const fast = createEventRows();
const slow = createEventRows();
const namesOf = ({ warnings }: UnknownNames) => warnings.map(({ field }) => field).sort();

t.test('what the scanner accepts, the slow path reads the same way', async (t) => {
  let accepted = 0;
  let total = 0;
  fc.assert(
    fc.property(anyBody, (body) => {
      total++;
      const [unknownFast, unknownSlow] = [new UnknownNames(), new UnknownNames()];
      if (!scanIngest(body, limits, fast, unknownFast)) return;
      accepted++;
      const reading = parseIngest(body, limits, slow, unknownSlow);
      if (reading.outcome !== 'read' || reading.errors.length > 0) {
        throw new Error(`slow path says ${JSON.stringify(reading)}`);
      }
      const left = JSON.stringify([appIdOf(fast), rowsOf(fast), namesOf(unknownFast)]);
      const right = JSON.stringify([appIdOf(slow), rowsOf(slow), namesOf(unknownSlow)]);
      if (left !== right) throw new Error(`${left}\n${right}`);
      const wrong = rowsOf(fast).find(({ name }) => name !== name?.normalize('NFC'));
      if (wrong !== undefined) throw new Error(`${wrong.name} is not in NFC`);
    }),
    { seed: 20260301, numRuns: tries(40_000) },
  );
  t.equal(total, tries(40_000));
  t.ok(accepted > tries(4_000), `the test would be empty: only ${accepted} bodies were accepted`);
});

t.test('a name has one form, and everything else stays as it was sent', async (t) => {
  const apart = 'người-1'.normalize('NFD');
  const event = (name: string) => ({
    name,
    externalUserId: apart,
    id: apart,
    props: { [apart]: apart },
  });
  const names = [
    'mua_hàng',
    'mua_hàng'.normalize('NFD'),
    '한국어'.normalize('NFD'),
    '\u212a',
    '\u0958',
  ];
  const body = Buffer.from(JSON.stringify({ events: names.map(event) }));
  t.notOk(scanIngest(body, limits, fast), 'a name in another form is left to the slow path');
  t.strictSame(readIngest(body, limits, fast), { outcome: 'read', errors: [] });
  t.strictSame(
    rowsOf(fast).map(({ name }) => name),
    ['mua_hàng', 'mua_hàng', '한국어', 'K', '\u0915\u093c'],
  );
  t.equal(fast.nameCount, 4, 'one word is one name');
  for (const { person, id, props } of rowsOf(fast)) {
    t.equal(person, apart);
    t.equal(id, apart);
    t.strictSame(props, { [apart]: apart });
  }
  const plain = Buffer.from(JSON.stringify({ events: [event('mua_hàng'), event('ปุ่ม')] }));
  t.ok(scanIngest(plain, limits, fast), 'names in NFC take the fast path');
  const long = { name: '\u0958'.repeat(65), externalUserId: 'a' };
  t.match(parseIngest(Buffer.from(JSON.stringify({ events: [long] })), limits, slow), {
    errors: [{ index: 0, error: /^name: expected 1 to 128 characters/ }],
  });
});

t.test('plain bodies take the fast path, all of them', async () => {
  fc.assert(
    fc.property(plainBody, (body) => scanIngest(body, limits, fast)),
    { seed: 7, numRuns: tries(800) },
  );
});

t.test('everything an event can have arrives in its column', async (t) => {
  const person = subscriberId(limits.appOrdinal, 77, nowMs - 1000, 513);
  const body = Buffer.from(
    JSON.stringify({
      appId: 'app_x',
      sentAt: { any: ['thing'] },
      events: [
        {
          at: '2026-03-01T12:00:00.250Z',
          name: 'purchase',
          externalUserId: 'ann',
          id: 'e1',
          props: { a: [1] },
        },
        {
          subscriberId: person,
          name: 'opened',
          sendId: 's',
          deviceId: 'd',
          campaignId: 'c',
          messageId: 'm',
        },
        { name: 'purchase', externalUserId: 'ann', id: null, props: null, at: null },
      ],
    }),
  );
  t.ok(scanIngest(body, limits, fast));
  t.equal(appIdOf(fast), 'app_x');
  t.equal(fast.nameCount, 2, 'a name is listed once');
  const none = [undefined, undefined, undefined, undefined, undefined];
  t.strictSame(rowsOf(fast), [
    {
      index: 0,
      name: 'purchase',
      person: 'ann',
      id: 'e1',
      atMs: nowMs + 250,
      props: { a: [1] },
      references: none,
    },
    {
      index: 1,
      name: 'opened',
      person: [77, 513, nowMs - 1000],
      id: undefined,
      atMs: nowMs,
      props: undefined,
      references: ['d', 's', 'c', 'm', undefined],
    },
    {
      index: 2,
      name: 'purchase',
      person: 'ann',
      id: undefined,
      atMs: nowMs,
      props: undefined,
      references: none,
    },
  ]);
});

t.test('a thousand events are read, one more is refused', async (t) => {
  const event = { name: 'a', externalUserId: 'b' };
  const exactly = Buffer.from(JSON.stringify({ events: new Array(1000).fill(event) }));
  t.ok(scanIngest(exactly, limits, fast));
  t.equal(fast.count, 1000);
  const over = Buffer.from(JSON.stringify({ events: new Array(1001).fill(event) }));
  t.notOk(scanIngest(over, limits, fast));
  t.equal(readIngest(over, limits, fast).outcome, 'refused');
});

t.test('a thousand distinct names are kept apart', async (t) => {
  const events = Array.from({ length: 1000 }, (_, i) => ({ name: `n${i}`, externalUserId: 'b' }));
  const body = Buffer.from(JSON.stringify({ events }));
  t.ok(scanIngest(body, limits, fast));
  t.strictSame(
    rowsOf(fast).map((row) => row.name),
    events.map((event) => event.name),
  );
});

t.test('a result can be filled again, and nothing of the last request is left in it', async (t) => {
  const first = { name: 'a', externalUserId: 'b', id: 'i', props: {}, deviceId: 'd' };
  t.ok(
    scanIngest(Buffer.from(JSON.stringify({ appId: 'x', events: [first, first] })), limits, fast),
  );
  t.ok(scanIngest(Buffer.from('{"events":[{"name":"z","externalUserId":"y"}]}'), limits, fast));
  t.equal(appIdOf(fast), '');
  t.notOk(fast.anyRefs);
  t.match(rowsOf(fast), [{ name: 'z', person: 'y', id: undefined, props: undefined }]);
});

const hostile: Record<string, Buffer> = {
  'nothing at all': Buffer.alloc(0),
  'half a million open brackets': Buffer.from('['.repeat(500_000)),
  'half a million open objects': Buffer.from('{"a":'.repeat(500_000)),
  'deep nesting in props': Buffer.from(
    `{"events":[{"name":"a","externalUserId":"b","props":${'{"a":'.repeat(250_000)}1${'}'.repeat(250_000)}}]}`,
  ),
  'deep nesting beside the events': Buffer.from(`{"x":${'['.repeat(400_000)}`),
  'a string without end': Buffer.from('{"events":[{"name":"a'),
  'an escape at the end': Buffer.from(
    '{"events":[{"name":"a","externalUserId":"b","props":{"a":"\\',
  ),
  'half an escape at the end': Buffer.from('{"events":[{"name":"a","props":{"a":"\\u12'),
  'a byte order mark': Buffer.from('\ufeff{"events":[{"name":"a","externalUserId":"b"}]}'),
  'text after the end': Buffer.from('{"events":[{"name":"a","externalUserId":"b"}]} {}'),
  'NUL after the end': Buffer.from('{"events":[{"name":"a","externalUserId":"b"}]}\0'),
  'NUL in a string': Buffer.from('{"events":[{"name":"a\0","externalUserId":"b"}]}'),
  'NUL as white space': Buffer.from('{\0"events":[{"name":"a","externalUserId":"b"}]}'),
  'invalid UTF-8': Buffer.from('7b226576656e7473223a5b7b226e616d65223a22ff227d5d7d', 'hex'),
  'an encoded surrogate': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'an overlong slash': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
};
for (const [what, body] of Object.entries(hostile)) {
  t.test(`${what} is turned away by both readers, and harms neither`, async (t) => {
    t.notOk(scanIngest(body, limits, fast));
    const reading = parseIngest(body, limits, slow);
    t.ok(reading.outcome === 'refused' || reading.errors.length === 1);
  });
}

t.test('a number that no JSON can say again is an error of its event', async (t) => {
  const of = (number: string) =>
    `{"name":"a","externalUserId":"b","props":{"n":[1,{"x":${number}}]}}`;
  for (const number of ['1e400', '-1e400', '1E+0309', '9'.repeat(309), '9'.repeat(900_000)]) {
    const body = Buffer.from(`{"events":[${of('1')},${of(number)},${of('null')}]}`);
    t.notOk(scanIngest(body, limits, fast), 'it is left to the slow path');
    t.strictSame(readIngest(body, limits, fast), {
      outcome: 'read',
      errors: [{ index: 1, error: 'props.n[1].x: a number is out of range' }],
    });
    t.equal(rowsOf(fast).length, 2, 'its neighbors are taken');
  }
  for (const [number, read] of [
    ['-0', 0],
    ['1e-400', 0],
    ['"null"', 'null'],
  ] as const) {
    const body = Buffer.from(`{"events":[${of(number)}]}`);
    t.strictSame(readIngest(body, limits, fast), { outcome: 'read', errors: [] }, number);
    t.strictSame(rowsOf(fast)[0]?.props, { n: [1, { x: read }] }, number);
  }
});

t.test('both readers take a number exactly if it is at most 2^53 - 1', async (t) => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 18 });
  const around = fc.bigInt({ min: 2n ** 53n - 40n, max: 2n ** 53n + 40n }).map(String);
  const power = fc.constantFrom('', '', 'e1', 'E+2', 'e-3', 'e9', 'e15', 'e-20', 'e99', 'e300');
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.oneof(digits, around),
      fc.oneof(digits, fc.constant('')),
      power,
    )
    .map(([sign, whole, part, by]) => {
      const before = whole.replace(/^0+/, '') || '0';
      return `${sign}${before}${part === '' ? '' : `.${part}`}${by}`;
    });
  let fastReads = 0;
  fc.assert(
    fc.property(number, (text) => {
      const body = Buffer.from(
        `{"events":[{"name":"a","externalUserId":"b","props":{"n":${text}}}]}`,
      );
      const isExact = Math.abs(Number(text)) < 2 ** 53;
      const isFast = scanIngest(body, limits, fast);
      if (isFast) fastReads++;
      const reading = parseIngest(body, limits, slow);
      const isRead = reading.outcome === 'read' && reading.errors.length === 0;
      return isRead === isExact && (isExact || !isFast);
    }),
    { seed: 53, numRuns: tries(20_000) },
  );
  t.ok(fastReads > tries(5_000), `only ${fastReads}`);
  const often = ['1763935672123456', '0.30000000000000004', '-123456.78901234567', '1e9'];
  for (const text of often)
    t.ok(
      scanIngest(
        Buffer.from(`{"events":[{"name":"a","externalUserId":"b","props":{"n":${text}}}]}`),
        limits,
        fast,
      ),
      `${text} is common, and stays on the fast path`,
    );
});

t.test(
  'an escaped pair of surrogates is read at once, half of one is left to the slow path',
  async (t) => {
    const of = (text: string) =>
      Buffer.from(`{"events":[{"name":"a","externalUserId":"b","props":{"s":"${text}"}}]}`);
    for (const text of ['\\ud83d\\ude00', 'x\\uD83D\\uDE00y\\ud7ff\\ue000', '\\\\ud83d']) {
      t.ok(scanIngest(of(text), limits, fast), text);
    }
    for (const text of [
      '\\ud83d',
      '\\ud83dx',
      '\\ud83d\\u0041',
      '\\ud83d\\ud83d',
      '\\ude00',
      '\\ude00\\ud83d',
      '\\uDFFF',
    ]) {
      t.notOk(scanIngest(of(text), limits, fast), text);
      t.strictSame(readIngest(of(text), limits, fast), {
        outcome: 'read',
        errors: [{ index: 0, error: 'props.s: expected valid Unicode' }],
      });
    }
    for (const half of ['\\ud83', '\\ud83d\\', '\\ud83d\\u', '\\ud83d\\ude0']) {
      t.notOk(scanIngest(of(half), limits, fast), 'nor is a body that ends in the middle of one');
    }
  },
);
