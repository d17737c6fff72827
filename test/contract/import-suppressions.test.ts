// Importing opt-outs: rows are judged one by one, the widest of an address counts, and what is
// stored holds for people who come later.

import fc from 'fast-check';
import t from 'tap';
import { chapter } from './chapter.ts';

const { api, app, base, refuses, takes } = await chapter(t);
const line = 'POST /v1/import/suppressions';

const scopeOf = async (channel: string, address: string) => {
  const query = new URLSearchParams({ channel, address });
  const { items } = await api.must(`GET ${base}/suppressions?${query}`);
  return items[0]?.scope;
};

t.test('each row is accepted or refused by itself', async (t) => {
  const rows = [
    { channel: 'email', address: 'First@Example.com', scope: 'marketing', reason: 'left the list' },
    { channel: 'email', address: 'not an address' },
    { channel: 'sms', address: '+14155550123' },
    { channel: 'apns', address: 'a'.repeat(64) },
    { channel: 'smoke', address: 'x' },
    'ada@example.com',
    { channel: 'whatsapp', address: '+1 415 555 0123' },
  ];
  const dry = await takes(t, line, { appId: app, rows, dryRun: true }, 200);
  t.equal(await scopeOf('sms', '+14155550123'), undefined, 'a dry run writes nothing');
  const { json } = await takes(t, line, { appId: app, rows }, 200);
  t.same(json, dry.json, 'the dry run told the same');
  t.match(json, { added: 2, known: 1, failed: 4 });
  t.same(
    json.errors.map(({ row }: { row: number }) => row),
    [1, 3, 4, 5],
  );
  t.match(json.errors[0].error, /^address: /);
  t.match(json.errors[1].error, /^channel: /);
  const { json: again } = await takes(t, line, { appId: app, rows }, 200);
  t.match(again, { added: 0, known: 3, failed: 4 });
  t.equal(await scopeOf('email', 'first@example.com'), 'marketing');
  t.equal(await scopeOf('kakao', '+14155550123'), 'all', 'a number is one on all its channels');
});

t.test('of one address everything wins over marketing, in any order and any slice', async (t) => {
  let nth = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.nat(3), all: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (asked, isLong) => {
        nth++;
        const address = (who: number) => `p${nth}-${who}@example.com`;
        const rows: object[] = asked.map(({ who, all }) => ({
          channel: 'email',
          address: address(who),
          ...(all ? {} : { scope: 'marketing' }),
        }));
        // Rows of one address lie in several slices.
        const gap = Array.from({ length: 260 }, (_, at) => ({
          channel: 'email',
          address: `gap-${at}@example.com`,
        }));
        if (isLong) rows.splice(Math.ceil(rows.length / 2), 0, ...gap);
        await api.must(line, { appId: app, rows });
        for (const who of new Set(asked.map((one) => one.who))) {
          const isAll = asked.some((one) => one.who === who && one.all);
          t.equal(await scopeOf('email', address(who)), isAll ? 'all' : 'marketing');
        }
      },
    ),
    { numRuns: 12 },
  );
});

t.test(
  'a device that comes later is suppressed, and a number is read with the country',
  async (t) => {
    await takes(t, `PATCH ${base}/settings`, { defaultCountry: 'VN' }, 200);
    const rows = [{ channel: 'sms', address: '0912 345 678' }];
    await takes(t, line, { appId: app, rows }, 200);
    const devices = [{ channel: 'sms', endpoint: '+84912345678' }];
    const { json } = await takes(t, `POST ${base}/subscribers`, { devices }, 201);
    t.match(json.devices[0], { reachable: false });
  },
);

t.test('what cannot be an import is refused whole', async (t) => {
  await refuses(t, line, { appId: app }, { status: 400, field: 'rows' });
  await refuses(t, line, { rows: [] }, { status: 400, field: 'appId' });
  const rows = Array.from({ length: 5_001 }, () => ({ channel: 'email', address: 'a@b.co' }));
  await refuses(t, line, { appId: app, rows }, { status: 400, field: 'rows' });
});
