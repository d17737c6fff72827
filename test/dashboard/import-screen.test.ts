// The import in the browser: a file read by a worker, mapped, sent, and what was wrong with it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { encoded } from '../support/code-pages.ts';
import { until } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';
import { fits, whenSettled } from './support/screen-list.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];

const csv = `Customer ID,First name,E-mail,Mobile,Age
c-1,Ada,ada@example.com,+1 415 555 0101,31
c-2,"Ben, the second",ben@example.com,,28
c-3,Cleo,no address,,44
`;

const keptLines = 'JSON.stringify(Object.entries(localStorage)).replaceAll("\\\\", "")';

/** It fits, and axe finds nothing in light, nor in dark, which changes colors alone. */
async function isReadable(t: Test, page: Page, name: string): Promise<void> {
  await whenSettled(page);
  await fits(t, page, name);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const rules = scheme === 'dark' ? ['color-contrast'] : undefined;
    t.same(await axeFindings(page, rules), [], `${name}, ${scheme}`);
    if (picturesIn !== undefined)
      await page.screenshot({ path: `${picturesIn}/${name}-${scheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

t.test('import', needsBrowser, async (t) => {
  const place = await workplace(t, 'Import');
  const search = async (body: object = {}) =>
    (await place.call('POST', `/v1/apps/${place.appId}/subscribers/search`, body)) as {
      readonly total: number;
      readonly items: readonly { readonly tags: object }[];
    };

  await t.test('a CSV is mapped by guess, imported, and its wrong line handed back', async (t) => {
    const page = await place.open('import');
    t.same(await axeFindings(page), []);
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    await page.getByRole('combobox', { name: 'Import E-mail as' }).waitFor();
    t.same(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('heading', { name: 'Checked' }).waitFor();
    t.equal((await search()).total, 0, 'a check stores nothing');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    await page.getByText(/must be an email address/).waitFor();
    t.same(await axeFindings(page), []);
    await page.getByText(/Imported without this device/).waitFor();
    t.equal((await search()).total, 3);
    t.match((await search({ q: 'c-2' })).items[0], {
      tags: { first_name: 'Ben, the second', age: 28 },
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download failed lines' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    t.match(text, /^error,Customer ID,First name,E-mail,Mobile,Age\r\n/);
    t.match(text, /c-3,Cleo,no address,,44\r\n$/);
  });

  await t.test('a large file goes in calls, and the same file again changes nothing', async (t) => {
    const rows = Array.from({ length: 2_500 }, (_, at) =>
      JSON.stringify({ externalUserId: `j-${at}`, tags: { nth: at } }),
    );
    const page = await place.open('import');
    for (const _ of ['first', 'again']) {
      await page.locator('input[type=file]').setInputFiles({
        name: 'people.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(rows.join('\n')),
      });
      await page.getByText('No mapping is needed').waitFor();
      await page.getByRole('button', { name: 'Import without checking' }).click();
      await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
      t.equal((await search({ q: 'j-' })).total, 2_500);
      await page.getByRole('button', { name: 'Import another file' }).click();
    }
  });

  await t.test('sample people in one click', async (t) => {
    const page = await place.open('import');
    await page.getByRole('button', { name: 'Add 130 sample people' }).click();
    await page.getByText('130 people added.').waitFor();
    t.equal((await search({ q: 'sample-' })).total, 130);
  });

  await t.test(
    'a file in a code page is read as the person says, and in no other way',
    async (t) => {
      const lines = ['รหัส;ชื่อ;email', 't-1;สมชาย ใจดี;somchai@example.com', 't-2;กรุงเทพ;'];
      const buffer = Buffer.from(encoded(`sep=;\r\n${lines.join('\r\n')}\r\n`, 'windows-874'));
      for (const size of [desk, phone]) {
        const page = await place.open('import', { size });
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
        const thai = page.getByRole('radio', { name: /Thai.*สมชาย ใจดี/ });
        t.ok(await thai.isChecked(), 'the likeliest is chosen');
        await page.getByLabel('Another encoding').selectOption('macintosh');
        await page.getByRole('radio', { name: /Western European \(Macintosh\)/ }).waitFor();
        await thai.check();
        await isReadable(t, page, `encoding-${size.width}`);
        await page.getByRole('button', { name: 'Use this encoding' }).click();
        await page.getByText('read as Thai (Windows-874), separated by semicolons').waitFor();
        if (size === phone) continue;
        await page.getByRole('combobox', { name: 'Import รหัส as' }).selectOption('externalId');
        await page.getByRole('button', { name: 'Import without checking' }).click();
        await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
        t.match((await search({ q: 't-1' })).items[0], { tags: { ชื่อ: 'สมชาย ใจดี' } });
      }
    },
  );

  await t.test('a file that mixes encodings says so, and a wrong choice is refused', async (t) => {
    const many = Array.from({ length: 300 }, (_, at) => `m-${at},Hélène`).join('\n');
    const late = Buffer.from([...Buffer.from('\nm-300,H'), 0xe9, ...Buffer.from('l\n')]);
    const page = await place.open('import', { size: phone });
    const input = page.locator('input[type=file]');
    const mixed = Buffer.concat([Buffer.from(`id,name\n${many}`), late]);
    await input.setInputFiles({ name: 'mixed.csv', mimeType: 'text/csv', buffer: mixed });
    await page.getByText('The file mixes encodings: 300 lines').waitFor();
    await page.getByRole('radio', { name: /m-0,HÃ©lÃ¨ne · m-300,Hél$/ }).waitFor();
    await whenSettled(page);
    await fits(t, page, 'mixed');
    t.same(await axeFindings(page), []);
    if (picturesIn !== undefined) await page.screenshot({ path: `${picturesIn}/mixed.png` });
    await page.getByRole('button', { name: 'Choose another file' }).click();
    // Half a letter of Shift_JIS in a line that is not among those that are looked at.
    const japanese = encoded(`id,name\n${'j,佐藤\n'.repeat(250)}`, 'shift_jis');
    const damaged = Buffer.concat([japanese, Buffer.from([0x93, 0x0a])]);
    await input.setInputFiles({ name: 'sjis.csv', mimeType: 'text/csv', buffer: damaged });
    await page.getByRole('radio', { name: /Japanese \(Shift_JIS\)/ }).check();
    await page.getByRole('button', { name: 'Use this encoding' }).click();
    await page.getByText('bytes that are not valid in shift_jis').waitFor();
    t.ok(await page.getByRole('radio', { name: /Shift_JIS/ }).isVisible(), 'choose another');
  });

  await t.test(
    'after a reload the same file goes on, in the encoding that was chosen',
    async (t) => {
      const file = join(temporaryDirectory(), 'thai.csv');
      const rows = Array.from({ length: 30_000 }, (_, at) => `again-${at},สมชาย`);
      writeFileSync(file, encoded(`id,name\n${rows.join('\n')}\n`, 'windows-874'));
      const page = await place.open('import');
      const input = page.locator('input[type=file]');
      await input.setInputFiles(file);
      await page.getByRole('button', { name: 'Use this encoding' }).click();
      await page.getByRole('button', { name: 'Import without checking' }).click();
      const hasBegun = async () => /"lines":[1-9]/.test(String(await page.evaluate(keptLines)));
      await until(hasBegun, 'no call was answered', 90_000);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('heading', { name: /^Stopped/ }).waitFor();
      const { total } = await search({ q: 'again-' });
      t.ok(total > 0 && total < 30_000, `${total} people`);
      await page.reload();
      await input.setInputFiles(file);
      await page.getByText('of this file are already imported').waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
      t.equal((await search({ q: 'again-' })).total, 30_000);
      t.match((await search({ q: 'again-29999' })).items[0], { tags: { name: 'สมชาย' } });
    },
  );

  await t.test('letters at the borders of what is read at once stay whole', async (t) => {
    const name = (at: number) => `${'ก'.repeat(at % 3)}ชื่อของลูกค้า😀-${at}`.padEnd(120, 'é');
    const rows = Array.from({ length: 6_000 }, (_, at) => `b-${at},${name(at)}`);
    const page = await place.open('import');
    await page.locator('input[type=file]').setInputFiles({
      name: 'long.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`id,name\n${rows.join('\n')}`),
    });
    await page.getByRole('button', { name: 'Import without checking' }).click();
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    const response = await fetch(
      `${place.url}/v1/apps/${place.appId}/subscribers/export?format=jsonl`,
      { headers: { authorization: `Bearer ${place.key}` } },
    );
    const people = (await response.text())
      .split('\n')
      .filter((line) => line.includes('"b-'))
      .map((line) => JSON.parse(line) as { externalUserId: string; tags: { name: string } });
    t.equal(people.length, 6_000);
    const wrong = people.filter(
      ({ externalUserId, tags }) => tags.name !== name(Number(externalUserId.slice(2))),
    );
    t.same(wrong.slice(0, 3), []);
  });

  await t.test('what would overwrite or change a value is told before it begins', async (t) => {
    const rows = Array.from({ length: 300 }, (_, at) => `z-${at},x,y,${at === 280 ? '01240' : at}`);
    const buffer = Buffer.from(`id,Plan,plan,zip\n${rows.join('\n')}\n`);
    for (const size of [desk, phone]) {
      const page = await place.open('import', { size });
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'zip.csv', mimeType: 'text/csv', buffer });
      await page.getByText('“Plan” and “plan” both become the tag plan').waitFor();
      await page.getByText('“01240” in line 281 would change if it were a number').waitFor();
      await isReadable(t, page, `told-${size.width}`);
      if (size === phone) continue;
      const start = page.getByRole('button', { name: 'Import without checking' });
      t.equal(await start.getAttribute('aria-disabled'), 'true');
      await page.getByRole('combobox', { name: 'Tag of plan', exact: true }).fill('other');
      await page.keyboard.press('Tab');
      await page.getByRole('combobox', { name: 'Type of zip' }).selectOption('number');
      await page.getByText('1 value is not of this type, such as “01240”').waitFor();
      await page.getByRole('combobox', { name: 'Type of zip' }).selectOption('string');
      await start.click();
      await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
      t.match((await search({ q: 'z-280' })).items[0], {
        tags: { plan: 'x', other: 'y', zip: '01240' },
      });
    }
  });

  await t.test('a workbook is refused with what to do', async () => {
    const page = await place.open('import');
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
    });
    await page.getByText('In Excel, choose “Save as” and “CSV UTF-8”').waitFor();
  });
});
