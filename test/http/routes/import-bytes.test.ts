// An import that is read from its bytes is answered, and sent to the app's actor, as the same
// import that is parsed and judged by the schema: for bodies of all kinds, broken ones too.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { packRows, type SliceRows } from '../../../actors/people/audience/import/pack-rows.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { readImport } from '../../../http/routes/audience/import-bytes.ts';
import { routes } from '../../../http/routes/index.ts';
import { tries } from '../../support/tries.ts';
import { fakeFront, type Got } from './fake-front.ts';

const line = 'POST /v1/import/subscribers';
const route = routes.find(({ path }) => path === '/v1/import/subscribers') as {
  readBytes?: unknown;
};

const mostly = <Value>(first: fc.Arbitrary<Value>, other: fc.Arbitrary<unknown>, weight = 150) =>
  fc.oneof({ weight, arbitrary: first }, { weight: 1, arbitrary: other }) as fc.Arbitrary<Value>;
const anything = fc.jsonValue({ maxDepth: 2 });
const name = fc.constantFrom('plan', 'first_name', 'thành_phố', 'seats', 'a b');
const oddName = fc.constantFrom(
  '1',
  '0x',
  '$bad',
  '',
  'filter',
  'họ'.normalize('NFD'),
  'x"y',
  '\n',
);
const words = fc.constantFrom('pro', 'free', '', 'Nguyễn', 'a filter ', 'x'.repeat(300));
const oddValues = [
  'họ'.normalize('NFD'),
  'a\u007fb',
  '😀',
  'a filter',
  'x'.repeat(1_025),
  ['a', 'b'],
  1e21,
  -0,
];
const value = mostly(
  fc.oneof(
    { weight: 8, arbitrary: words },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, -40, 70_000, 0.5, -1.25, 2 ** 40, true, false) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6, unit: 'grapheme' }) },
  ),
  fc.oneof(anything, fc.constantFrom(...oddValues)),
  200,
);
const email = fc
  .tuple(
    fc.nat(9_000).map((n) => (n % 40 === 0 ? 'Info' : `Person.${n}`)),
    mostly(
      fc.constantFrom('example.com', 'mail.example.co.uk', 'Example.com'),
      fc.constantFrom('gmial.com', 'mailinator.com', 'a.mailinator.com', 'Yaho.com'),
      40,
    ),
  )
  .map(([local, domain]) => `${local}@${domain}`);
const oddEndpoint = fc.constantFrom<unknown>(
  ...['nobody', ' a@example.com ', 'a@xn--nxasmq6b.example', 'á@example.com', 'a..b@example.com'],
  ...['a@b', 'a@example.c-', 'a@1.2.3.4', 'a@-x.com', 'a@x--y.com', '.a@example.com', 7, null],
  ...['x'.repeat(65).concat('@example.com'), `a@${'x'.repeat(64)}.com`, 'mailto:a@example.com'],
);
const device = mostly(
  fc.oneof(
    { weight: 9, arbitrary: email.map((endpoint) => ({ endpoint, channel: 'email' })) },
    {
      weight: 1,
      arbitrary: fc.record({
        channel: fc.constantFrom('sms', 'whatsapp'),
        endpoint: fc.nat(999).map((n) => `+84912345${String(n).padStart(3, '0')}`),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        channel: fc.constant('apns'),
        endpoint: fc.nat(999).map((n) => String(n).padStart(64, '0')),
        environment: fc.constantFrom('production', 'sandbox'),
      }),
    },
  ),
  fc.record(
    {
      channel: fc.constantFrom('email', 'pigeon', 'webpush', 'sms'),
      endpoint: oddEndpoint,
      environment: fc.constantFrom<unknown>('sandbox', 'moon', null),
      enabled: fc.boolean(),
      disabledReason: fc.constantFrom('gone', 'NOT'),
      token: fc.constant('x'),
    },
    { requiredKeys: [] },
  ),
);
const id = fc.nat(9_000).map((n) => (n % 7 === 0 ? `người ${n}` : `customer-${n}`));
const oddId = fc.constantFrom<unknown>('', null, 7, 'x'.repeat(257), 'a\u007f', '\u0085', '\u2028');
const row = mostly(
  fc.record(
    {
      externalUserId: mostly(id, oddId),
      tags: mostly(fc.dictionary(mostly(name, oddName), value, { maxKeys: 4 }), anything),
      timezone: mostly(fc.constantFrom('UTC', 'asia/bangkok', 'Europe/Berlin'), anything),
      preferredChannels: mostly(
        fc.constantFrom(['email'], ['sms', 'email']),
        fc.constantFrom<unknown>(null, [], ['pigeon'], ['email', 'email'], 'email'),
      ),
      devices: mostly(fc.array(device, { maxLength: 2 }), anything),
    },
    { requiredKeys: ['externalUserId'] },
  ),
  fc.oneof(anything, fc.constantFrom({}, { email: 'a@example.com' }, { tags: { a: '\ud800' } })),
  300,
);

/** How the JSON is written. */
const written = fc.constantFrom<(body: object) => string>(
  ...[(body: object) => JSON.stringify(body), (body: object) => JSON.stringify(body)],
  (body) => JSON.stringify(body, null, 2),
  (body) => JSON.stringify(body).replace(/[\u0080-\uffff]/g, escaped),
);
const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What is done to the text; most often nothing. */
const change = fc.oneof(
  { weight: 5, arbitrary: fc.constant((text: string) => text) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.constantFrom(...'"{}[],:\\x0-e \n'))
      .map(([place, by]) => (text: string) => {
        const at = Math.floor(place * text.length);
        return text.slice(0, at) + by + text.slice(at + 1);
      }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      (text: string) => `\ufeff${text}`,
      (text: string) => ` ${text} `,
      (text: string) => `${text}x`,
      (text: string) => text.slice(0, -3),
      (text: string) => text.replace('"tags":', '"tags":{},"tags":'),
      (text: string) => text.replace('"plan":', '"plan":"x","plan":'),
      (text: string) => text.replaceAll('"plan":', '"pl\\u0061n":"y","plan":'),
      (text: string) => text.replace('"rows":', '"rows":[],"rows":'),
      (text: string) => text.replace('"channel":"email"', '"channel":"sms","channel":"email"'),
      (text: string) => text.replace('"plan":"pro"', '"plan":1.50'),
      (text: string) => text.replace('"plan":"pro"', '"plan":01'),
      (text: string) => text.replace('"plan":"pro"', '"plan":1e400'),
      (text: string) => text.replace('"plan":"pro"', '"plan":"\u0001"'),
      (text: string) => text.replace('"plan":"pro"', '"plan":{"constructor":1}'),
      (text: string) => text.replace('"plan":"pro"', `"plan":${'['.repeat(31)}${']'.repeat(31)}`),
    ),
  },
);
const head = mostly<object>(
  fc.constant({ appId: exampleIds.app }),
  fc.constantFrom({}, { appId: 7 }, { appId: 'app_x' }, { dryRun: true }, { dryRun: 1 }, { x: 1 }),
);

t.test('an import is answered and sent on the same from its bytes and by the schema', async (t) => {
  let direct = 0;
  let packed = 0;
  await fc.assert(
    fc.asyncProperty(
      head,
      fc.array(row, { minLength: 0, maxLength: 40, size: 'max' }),
      written,
      change,
      fc.constantFrom('', '?strict=true', '?strict=maybe'),
      fc.nat(3),
      async (first, rows, write, changed, query, left) => {
        const body = changed(write({ ...first, rows }));
        const byBytes = await imported(body, query, left);
        const { readBytes } = route;
        delete route.readBytes;
        try {
          assert.deepStrictEqual(byBytes, await imported(body, query, left));
        } finally {
          route.readBytes = readBytes;
        }
        const read = readImport(Buffer.from(body));
        if (read !== undefined) direct++;
        packed += read?.slices.filter((slice) => slice.packed().packed !== undefined).length ?? 0;
      },
    ),
    { numRuns: tries(3_000), seed: 11 },
  );
  t.ok(direct > tries(800) && packed > tries(500), `${direct} from bytes, ${packed} slices packed`);
});

/** The answer, and what was sent; the actor leaves some rows of each slice for the next one. */
async function imported(body: string, query: string, left: number) {
  const sent: unknown[] = [];
  const front = fakeFront((message) => {
    const { rows } = message as unknown as SliceRows;
    sent.push(plain(message));
    const handled = Math.min(rows?.length ?? 0, Math.max(1, (rows?.length ?? 0) - left));
    return { handled, created: handled, updated: 0, errors: [] };
  });
  const headers = { 'x-request-id': 'same' };
  const got: Got = await front.call(`${line}${query}`, { body, headers });
  return { got, sent, bugs: front.bugs };
}

/** With lists instead of typed arrays, which may be views of different buffers. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

const people = Array.from({ length: 1_000 }, (_, n) => ({
  externalUserId: `customer-${n}`,
  tags: { first_name: `Zoë ${n % 50}`, seats: n, isPaying: n % 2 === 0 },
  timezone: 'Asia/Bangkok',
  preferredChannels: ['email'],
  devices: [{ channel: 'email', endpoint: `Person.${n}@example.com` }],
}));

t.test('rows as most people send them are never made objects', async (t) => {
  const text = JSON.stringify({ appId: exampleIds.app, rows: people });
  const read = readImport(Buffer.from(text));
  t.equal(read?.rowCount, 1_000);
  t.equal(read?.slices.length, 4);
  for (const [nth, slice] of (read?.slices ?? []).entries()) {
    const { rows, packed } = slice.packed();
    t.equal(packed?.count, 250);
    t.ok(rows.every((one) => one === null));
    t.strictSame(slice.rows(), people.slice(nth * 250, nth * 250 + 250));
    t.strictSame(plain(slice.packed()), plain(packRows(slice.rows())));
  }
  // As Python writes them.
  const again = readImport(Buffer.from(text.replace(/[\u0080-\uffff]/g, escaped)));
  t.strictSame(
    again?.slices.map((slice) => plain(slice.packed())),
    read?.slices.map((slice) => plain(slice.packed())),
  );
});

t.test('an unusual row is parsed alone, and the others of its slice are packed', async (t) => {
  const odd: unknown[] = [...people];
  odd[3] = { externalUserId: 'a', tags: { name: 'O\u0027Brien "x"', plan: null } };
  odd[7] = { externalUserId: '' };
  const read = readImport(Buffer.from(JSON.stringify({ rows: odd })));
  const [first] = read?.slices ?? [];
  t.equal(first?.packed().packed?.count, 249);
  t.match(first?.errors, [{ row: 7, error: /^externalUserId: / }]);
  t.strictSame(first?.packed().rows[3], odd[3]);
});

t.test('a body that needs a warning or a refusal is left to the schema', async (t) => {
  const of = (body: unknown) => readImport(Buffer.from(JSON.stringify(body)));
  t.equal(of({ rows: people }) === undefined, false);
  for (const body of [
    { rows: people, dryRun: true },
    { rows: people, appID: 'x' },
    { rows: [...people, { externalUserId: 'x', email: 'a@example.com' }] },
    { rows: [...people, 7] },
    { rows: [...people, { tags: { filter: 'x' } }] },
    { rows: new Array(10_001).fill({ externalUserId: 'x' }) },
    { rows: [] },
    {},
  ])
    t.equal(of(body), undefined);
});
