import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { FaultError } from '../../../engine/base/fault.ts';
import { inflated, readCalls } from '../../../http/ingest/cdp-body.ts';
import { tries } from '../../support/tries.ts';

const inflatedBytesMax = 8 * 1_048_576;

const read = (text: string | Buffer) => readCalls(Buffer.from(text as string));
const values = async (text: string) =>
  (await read(text)).calls.map((one) => ('value' in one ? one.value : one));

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FaultError) return error.fault;
    throw error;
  }
  return undefined;
}

t.test('a batch, a bare list and one call are all read', async (t) => {
  t.same(await values('{"batch":[{"a":1},{"b":[2,"]}"]}],"writeKey":"x"}'), [
    { a: 1 },
    { b: [2, ']}'] },
  ]);
  t.same(await values(' [ {"a":1} , 2 ] '), [{ a: 1 }, 2]);
  t.same(await values('{"type":"track","properties":{"batch":[1]}}'), [
    { type: 'track', properties: { batch: [1] } },
  ]);
  t.same(await values('{"batch":[]}'), []);
  t.same(await values('[]'), []);
  t.same(await values('{}'), [{}]);
  t.same(await values('{"b\\u0061tch":[1]}'), [1], 'however it is written');
  t.same(await values('{"batch":[1],"batch":[2]}'), [2], 'the last of two counts');
});

t.test('sentAt of a batch is read before or after it', async (t) => {
  const sentAt = '2026-03-01T12:00:00.000Z';
  const sentAtMs = Date.parse(sentAt);
  t.equal((await read(`{"sentAt":"${sentAt}","batch":[]}`)).sentAtMs, sentAtMs);
  t.equal((await read(`{"batch":[],"sentAt":"${sentAt}"}`)).sentAtMs, sentAtMs);
  for (const odd of ['null', '7', '"soon"', '{}'])
    t.equal((await read(`{"batch":[],"sentAt":${odd}}`)).sentAtMs, undefined);
});

t.test('a call that breaks a rule of ours is a problem of its own', async (t) => {
  const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`;
  const { calls } = await read(`[{"ok":1},{"constructor":1},${deep},{"ok":2}]`);
  t.match(calls, [
    { value: { ok: 1 } },
    { problem: /^event: the key constructor/ },
    { problem: /^event: nested deeper/ },
    { value: { ok: 2 } },
  ]);
  t.match((await read('{"type":"track","prototype":{}}')).calls, [{ problem: /prototype/ }]);
});

t.test('what is no JSON is refused whole', async (t) => {
  const bodies = [
    '',
    ' ',
    '{',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1]]',
    '[}',
    '[{]}',
    '{"batch"}',
    '{"batch":}',
    '{"batch":[{}{}]}',
    '{"batch":[{},]}',
    '{"batch":[{}]',
    '{"batch":[{}],}',
    '{"batch":[{}]} x',
    '{"x":nonsense,"batch":[]}',
    '{"batch":[],"x":nonsense}',
    '{"batch":[{"a":}]}',
    '{"batch":["a\nb"]}',
    '{"batch":"x"}',
    '{"batch":{}}',
    "{'batch':[]}",
    '{batch:[]}',
    '"x',
    'nonsense',
    'batch=1&x=2',
    '\ufeff[]',
  ];
  for (const body of bodies)
    t.match(await refusal(read(body)), { code: 'invalid_json' }, JSON.stringify(body));
  t.match(await refusal(read(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]))), {
    code: 'invalid_json',
    message: /UTF-8/,
  });
});

t.test('the scanner finds what JSON.parse finds, and refuses what it refuses', async () => {
  const space = fc.constantFrom('', ' ', '\n', '\t \r\n');
  const body = fc
    .tuple(fc.array(fc.json({ maxDepth: 4 })), space, space, fc.boolean())
    .map(([items, a, b, bare]) => {
      const list = `${a}[${b}${items.join(`${a},${b}`)}${a}]${b}`;
      return bare ? list : `${a}{${b}"writeKey"${a}:"w{"${b},"batch":${list},"x":[1]}${b}`;
    });
  const damaged = fc
    .tuple(body, fc.nat(), fc.constantFrom('', ',', ':', '{', '}', '[', ']', '"', '1', ' '))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + 1);
    });
  await fc.assert(
    fc.asyncProperty(fc.oneof(body, damaged), async (text) => {
      let expected: { readonly batch?: unknown } | readonly unknown[] | undefined;
      try {
        expected = JSON.parse(text);
      } catch {
        expected = undefined;
      }
      let got: unknown;
      try {
        got = await values(text);
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        got = undefined;
      }
      const isObject = typeof expected === 'object' && expected !== null;
      const batch = Array.isArray(expected)
        ? expected
        : isObject && Object.hasOwn(expected ?? {}, 'batch')
          ? (expected as { batch: unknown }).batch
          : [expected];
      const should = expected === undefined || !Array.isArray(batch) ? undefined : batch;
      // Refused beyond the grammar: keys that reach into objects, and numbers that would be
      // infinite.
      const isRefusedBesides =
        /"__proto__"|"constructor"|"prototype"/.test(text) || /[eE]\+?\d{4}/.test(text);
      if (!isRefusedBesides && JSON.stringify(got) !== JSON.stringify(should))
        throw new Error(`${text}: ${JSON.stringify(got)}, not ${JSON.stringify(should)}`);
    }),
    { seed: 8, numRuns: tries(3_000) },
  );
});

t.test('gzip is taken whether it is declared or not, and nothing else is', async (t) => {
  const plain = Buffer.from('{"batch":[]}');
  const zipped = gzipSync(plain);
  for (const encoding of ['gzip', 'x-gzip', ' GZIP', '', 'identity'])
    t.same(await inflated(zipped, encoding), plain, encoding);
  t.same(await inflated(Buffer.concat([zipped, gzipSync(' ')]), 'gzip'), Buffer.from(`${plain} `));
  t.equal(await inflated(plain, ''), plain);
  t.match(await refusal(inflated(plain, 'gzip')), { code: 'invalid_json', message: /is not/ });
  t.match(await refusal(inflated(zipped.subarray(0, -4), 'gzip')), {
    message: /corrupt gzip data/,
  });
  for (const encoding of ['br', 'deflate', 'gzip, gzip'])
    t.match(await refusal(inflated(zipped, encoding)), { code: 'unsupported_media_type' });
});

t.test('a body inflates to 8 MiB and not a byte more', async (t) => {
  t.equal((await inflated(gzipSync(Buffer.alloc(inflatedBytesMax, 32)), '')).length, 8_388_608);
  const bomb = gzipSync(Buffer.alloc(200 * 1_048_576, 32));
  t.ok(bomb.length < 1_048_576);
  for (const body of [gzipSync(Buffer.alloc(inflatedBytesMax + 1, 32)), bomb])
    t.match(await refusal(inflated(body, 'gzip')), { code: 'body_too_large', message: /8388608/ });
});

t.test('a large body is read without holding the thread up', async (t) => {
  const call = JSON.stringify({
    type: 'track',
    userId: 'u',
    properties: { text: 'x'.repeat(500) },
  });
  const body = `{"batch":[${Array.from({ length: 14_000 }, () => call).join()}]}`;
  t.ok(Buffer.byteLength(body) < inflatedBytesMax);
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const { calls } = await read(body);
  isDone = true;
  t.equal(calls.length, 14_000);
  t.ok(turns > 20, `${turns} turns of others in between`);
});
