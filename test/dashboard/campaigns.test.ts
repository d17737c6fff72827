import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test('a campaign is written, reviewed, sent and followed', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/messages`, { name: 'Sale', title: 'Sale', body: 'Now' });
  for (const nth of [1, 2, 3])
    await place.call('POST', `${app}/subscribers`, {
      externalUserId: `person-${nth}`,
      devices: [{ channel: 'email', endpoint: `person-${nth}@example.com` }],
    });

  const page = await place.open('campaigns/new?fold=review');
  await page.getByRole('button', { name: 'Review', exact: true }).first().click();
  await page.getByRole('button', { name: 'Choose a message.' }).first().click();
  await page.getByRole('combobox', { name: 'Message' }).fill('Sale');
  await page.getByRole('option', { name: 'Sale' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.keyboard.press('Control+Enter');
  const send = page.getByRole('button', { name: 'Send to 3 people' });
  await send.waitFor();
  await page.getByRole('link', { name: 'person-1' }).waitFor();
  t.strictSame(await axeFindings(page), []);
  await send.click();
  await page.getByRole('heading', { name: 'Funnel' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor({ timeout: 60_000 });
  t.strictSame(await axeFindings(page), []);
});

t.test('a draft that is opened again says what is doubtful about it', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const { id: messageId } = (await place.call('POST', `${app}/messages`, {
    ...{ name: 'Sale', title: 'Sale', body: 'Now' },
  })) as { readonly id: string };
  const { id } = (await place.call('POST', `${app}/campaigns`, {
    ...{ messageId, goall: { event: 'order', withinHours: 1 } },
  })) as { readonly id: string };
  const page = await place.open(`campaigns/${id}`);
  const aside = page.getByRole('complementary', { name: 'Summary' });
  await aside.getByText('Check this before you send').waitFor();
  await aside.getByRole('button', { name: /did you mean goal/ }).waitFor();
  await page.getByRole('button', { name: 'Review', exact: true }).first().click();
  await page.getByText('goall: unknown; did you mean goal?').first().waitFor();
  t.equal(await page.getByText('A field may be misspelled').count(), 0, 'it needs no confirmation');
  await place.call('PATCH', `${app}/campaigns/${id}`, { segmentID: 'seg_x' });
  await page.reload();
  await page.getByRole('button', { name: 'Review', exact: true }).first().click();
  await page.getByText('A field may be misspelled').waitFor();
  t.strictSame(await axeFindings(page), []);
});

t.test('the list, a comparison and a campaign hold on a phone', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const empty = await place.open('campaigns', { size: phone });
  await empty.getByText('Send your first campaign').waitFor();
  t.strictSame(await axeFindings(empty), []);

  const { id: messageId } = (await place.call('POST', `${app}/messages`, {
    title: 'Sale',
    body: 'Now',
  })) as { readonly id: string };
  const ids: string[] = [];
  for (const name of ['First', 'Second']) {
    const made = await place.call('POST', `${app}/campaigns`, { name, messageId });
    const { id } = made as { readonly id: string };
    ids.push(id);
  }
  await place.call('POST', `${app}/campaigns/${ids[0]}/send`, {});
  const list = await place.open('campaigns', { size: phone });
  await list.getByText('Second').waitFor();
  t.strictSame(await axeFindings(list), []);
  const compared = await place.open(`compare?ids=${ids.join(',')}`, {
    size: phone,
    scheme: 'dark',
  });
  await compared.getByRole('rowheader', { name: 'Open rate' }).waitFor();
  await compared.getByRole('columnheader', { name: 'Rates are % of sent' }).waitFor();
  t.strictSame(await axeFindings(compared), []);
});
