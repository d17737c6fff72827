// The import in the browser: a file read by a worker, mapped, sent, and what was wrong with it.

import { readFileSync } from 'node:fs';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, workplace } from './support/browser.ts';

const csv = `Customer ID,First name,E-mail,Mobile,Age
c-1,Ada,ada@example.com,+1 415 555 0101,31
c-2,"Ben, the second",ben@example.com,,28
c-3,Cleo,no address,,44
`;

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
    await page.getByRole('combobox', { name: 'What E-mail becomes' }).waitFor();
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
      page.getByRole('button', { name: 'Download the wrong lines' }).click(),
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
      await page.getByText('There is nothing to assign').waitFor();
      await page.getByRole('button', { name: 'Import without a check' }).click();
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
});
