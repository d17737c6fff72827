// The import of OneSignal's CSV in the browser: it judges each line as `engage import-onesignal`
// does, and stores opt-outs before people.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { mapRecord } from '../../cli/import/map-record.ts';
import { oneSignal } from '../../cli/import/services/onesignal.ts';
import { judgeOneSignal, oneSignalLack } from '../../dashboard/screens/import/one-signal.ts';
import { serviceOfColumns } from '../../dashboard/screens/import/services.ts';
import { tries } from '../support/tries.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

const names = [
  'Identifier',
  'device_type',
  'notification_types',
  'unsubscribed_at',
  'invalid_identifier',
  'external_user_id',
  'onesignal_id',
  'timezone_id',
  'language',
  'country',
  'tags',
  'Favorite color',
];

/** What the command makes of a line: its row, its opt-out, and whether a device is left out. */
function byCommand(cells: readonly string[]) {
  const low = names.map((name) => name.toLowerCase());
  const text = (name: string) => (cells[low.indexOf(name)] ?? '').trim();
  const columns = new Set(low);
  const name = 'users.csv';
  const file = { name, format: 'csv', columns, isSuppressed: false, mayAssume: false } as const;
  const record = { line: 2, file, names, text, value: text };
  const options = { title: 'OneSignal', consent: 'confirmed', optOuts: 'as-exported' } as const;
  const draft = mapRecord(oneSignal, record, [], { ...options, tagPrefix: '' });
  return { row: draft.row(() => undefined), optOut: draft.optOuts[0] };
}

t.test('the page judges a line as the command does', async (t) => {
  const one = (...values: readonly string[]) => fc.constantFrom(...values);
  const line = fc.tuple(
    one('ada@example.com', '+14155550123', 'token-1', ''),
    one('0', '1', '5', '8', '11', '14', 'x', ''),
    one('1', '0', '-2', '-31', '', '7', 'no'),
    one('', '2025-01-02 10:00:00'),
    one('', 'f', 't', 'true'),
    one('', 'u-1'),
    one('', '7c3b'),
    one('', 'Asia/Bangkok', 'Mars/Base'),
    one('', 'en', 'de'),
    one('', 'US'),
    one('', '{}', '{"plan":"pro","n":3,"list":["a","b"],"none":null,"deep":{"a":1}}', '[1]', '{'),
    one('', 'teal'),
  );
  fc.assert(
    fc.property(line, (cells) => {
      const [address, type] = cells;
      // Other channels' addresses are refused by the API, with the line.
      fc.pre(type !== '14' || address.startsWith('+') || address === '');
      fc.pre(type !== '11' || address.includes('@') || address === '');
      const theirs = byCommand(cells);
      const mine = judgeOneSignal(cells, names, []);
      const row = 'row' in mine ? mine.row : undefined;
      return (
        t.same(row, theirs.row, JSON.stringify(cells)) &&
        t.same(mine.optOut, theirs.optOut, JSON.stringify(cells))
      );
    }),
    { numRuns: tries(300) },
  );
});

t.test('a file that does not say who opted out is refused', async (t) => {
  t.equal(oneSignalLack(['identifier', 'device_type']), 'optOuts');
  t.equal(oneSignalLack(['email', 'notification_types']), 'columns');
  t.equal(oneSignalLack(['Identifier', 'device_type', 'notification_types']), undefined);
});

t.test('an export is known by its columns, and a file of one’s own is not', async (t) => {
  for (const [header, id] of [
    ['id,Identifier,device_type,tags', 'onesignal'],
    ['external_id,email,email_subscribe', 'braze'],
    ['id,email,cio_id', 'customerio'],
    ['Email,Email Marketing Consent', 'klaviyo'],
    ['Email Address,First Name,MEMBER_RATING', 'mailchimp'],
    ['uuid,email,name,attributes,status', 'listmonk'],
    ['email,first_name,plan,status', undefined],
  ] as const)
    t.equal(serviceOfColumns(header.split(',')), id, header);
});

t.test('opt-outs are stored before people', needsBrowser, async (t) => {
  const place = await workplace(t);
  const file = join(t.testdir(), 'users.csv');
  const header = 'identifier,device_type,notification_types,external_user_id,tags';
  const lines = [
    `ada@example.com,11,1,u-1,"{""plan"":""pro""}"`,
    'eve@example.com,11,-2,u-2,',
    'token-1,1,-2,u-1,',
    '12345,14,1,u-3,',
  ];
  writeFileSync(file, `${header}\n${lines.join('\n')}\n`);
  t.teardown(() => rmSync(file, { force: true }));
  const page = await place.open('import?from=onesignal');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/import/')) asked.push(pathname);
  });
  await page.getByText('engage import-onesignal').first().waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.getByLabel('CSV of OneSignal').setInputFiles(file);
  await page.getByText('Nothing is stored yet').waitFor();
  t.strictSame(asked, [], 'a look stores nothing');
  await page.getByText('expected a number with its country').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported.', { exact: true }).waitFor();
  t.strictSame(asked, ['/v1/import/suppressions', '/v1/import/subscribers']);
  const app = `/v1/apps/${place.appId}`;
  t.match(await place.call('GET', `${app}/suppressions`), {
    items: [{ identity: 'email', address: 'eve@example.com', scope: 'marketing' }],
    total: 1,
  });
  t.match(await place.call('GET', `${app}/subscribers/external:u-1`), {
    tags: { plan: 'pro' },
    devices: [{ channel: 'email' }],
  });
  t.strictSame(await axeFindings(page), []);
});

t.test('columns alone do not bring an export in', needsBrowser, async (t) => {
  const place = await workplace(t);
  const file = join(t.testdir(), 'people.csv');
  writeFileSync(file, 'Email,Email Marketing Consent\nada@example.com,NEVER_SUBSCRIBED\n');
  const page = await place.open('import');
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText('looks like an export of Klaviyo').waitFor();
  const start = page.getByRole('button', { name: 'Import without checking' });
  t.equal(await start.getAttribute('aria-disabled'), 'true');
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('checkbox', { name: 'The opt-outs are stored already' }).check();
  t.not(await start.getAttribute('aria-disabled'), 'true');
  await page.getByRole('link', { name: 'Move in from Klaviyo' }).click();
  await page.getByText('engage import-klaviyo').first().waitFor();
});
