// Opt-outs are found by an address, or the beginning of one, whatever its channel.

import fc from 'fast-check';
import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base, takes, refuses } = await chapter(t);
const list = `${base}/suppressions`;

interface Page {
  readonly items: readonly { readonly address: string; readonly identity: string }[];
  readonly nextCursor: string | null;
  readonly total: number | null;
}
const read = (query: Readonly<Record<string, string>>): Promise<Page> =>
  api.must(`GET ${list}?${new URLSearchParams(query)}`);
const found = async (query: Readonly<Record<string, string>>) =>
  (await read(query)).items.map(({ address }) => address).sort();

const numbers = ['+6281234567101', '+6281234567102', '+6512345678'];
const mails = ['ada@example.com', 'adam@example.com', 'bo@example.com'];
t.before(async () => {
  for (const address of numbers) await takes(t, `POST ${list}`, { channel: 'sms', address }, 201);
  for (const [at, address] of mails.entries()) {
    const scope = at === 1 ? { scope: 'marketing' } : {};
    await takes(t, `POST ${list}`, { channel: 'email', address, ...scope }, 201);
  }
  await takes(t, `POST ${list}`, { channel: 'telegram', address: '6281234' }, 201);
  await takes(t, `POST ${list}`, { channel: 'line', address: `U${'a1'.repeat(16)}` }, 201);
});

t.test('an address is found without its channel, and counted', async (t) => {
  t.match(await read({ address: 'ADA@example.com' }), {
    items: [{ address: 'ada@example.com', identity: 'email' }],
    nextCursor: null,
    total: 1,
  });
  t.match(await read({ address: '+62 812-3456-7101' }), { total: 1 });
  t.match(await read({ address: 'ada@example.co' }), { items: [], total: 0 });
});

t.test('the beginning of an address is enough, on every channel', async (t) => {
  t.same(await found({ q: 'AD' }), ['ada@example.com', 'adam@example.com']);
  t.same(await found({ q: 'U' }), [`U${'a1'.repeat(16)}`]);
  t.same(await found({ q: '62812' }), [numbers[0], numbers[1], '6281234'].sort());
  t.same(await found({ q: '+62 (812)' }), [numbers[0], numbers[1]]);
  t.same(await found({ q: '0065' }), [numbers[2]]);
  t.same(await found({ q: ' 6281' }), [numbers[0], numbers[1]], 'a plus that was not encoded');
  t.same(await found({ q: 'example.com' }), [], 'the beginning alone');
  t.same(await found({ q: 'ad', channel: 'sms' }), []);
  t.same(await found({ q: '62812', channel: 'whatsapp' }), [numbers[0], numbers[1]]);
  t.same((await read({ q: 'zz' })).total, 0);
});

t.test('a national number needs the setting that reads it', async (t) => {
  t.same(await found({ q: '0812' }), []);
  await takes(t, `PATCH ${base}/settings`, { defaultCountry: 'ID' }, 200);
  t.same(await found({ q: '0812' }), [numbers[0], numbers[1]]);
  t.same(await found({ q: '0812 3456 7102' }), [numbers[1]]);
  await takes(t, `PATCH ${base}/settings`, { defaultCountry: null }, 200);
});

t.test('pages of a search hold everything once, in order, with the total', async (t) => {
  for (const query of [{ q: '62812' }, { channel: 'email' }, { channel: 'voice' }, {}]) {
    const whole = await read(query);
    t.equal(whole.total, whole.items.length);
    for (const limit of ['1', '2']) {
      const paged: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Page = await read({ ...query, limit, ...(cursor === '' ? {} : { cursor }) });
        t.equal(page.total, whole.total);
        paged.push(...page.items);
        cursor = page.nextCursor;
      }
      t.same(paged, whole.items);
    }
  }
});

t.test('any beginning of any address finds it', async () => {
  const all = (await read({})).items;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.integer({ min: 1, max: 12 }),
      async ({ address }, length) =>
        (await found({ q: address.slice(0, length) })).includes(address),
    ),
    { numRuns: 30 },
  );
});

t.test('what cannot be asked is refused by name', async (t) => {
  const both = `GET ${list}?q=a&address=ada@example.com`;
  await refuses(t, both, undefined, { status: 400, field: 'q' });
  await refuses(t, `GET ${list}?channel=fcm&q=a`, undefined, { status: 400, field: 'channel' });
  await refuses(t, `GET ${list}?channel=sms&address=x`, undefined, {
    status: 400,
    field: 'address',
  });
});
