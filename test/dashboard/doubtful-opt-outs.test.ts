// What may be an opt-out on the screen Suppressions: it is read, and somebody decides, also by
// keyboard and on a phone.

import type { Page } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';
import { fits, staysPut, whenSettled } from './support/screen-list.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];

async function says(place: Workplace, from: string, body: string): Promise<void> {
  const url = `${place.url}/v1/webhooks/twilio/sms-inbound/${place.appId}`;
  const response = await fetch(`${place.sandboxUrl}/control/sms/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from, body, url }),
  });
  if (!response.ok) throw new Error(await response.text());
}

const phoneOf = (i: number) => `+141555501${String(i).padStart(2, '0')}`;

async function withDoubts(place: Workplace): Promise<void> {
  await place.call('POST', `/v1/apps/${place.appId}/subscribers`, {
    externalUserId: 'nora',
    devices: [{ channel: 'sms', endpoint: phoneOf(1) }],
  });
  await place.call('POST', `/v1/apps/${place.appId}/suppressions`, {
    channel: 'email',
    address: 'ada@example.com',
  });
  await says(place, phoneOf(0), 'توقفوا عن إرسال هذه الرسائل');
  await says(place, phoneOf(1), 'please stop sending me these');
  await says(place, phoneOf(2), `remove me from the list ${'no'.repeat(200)}`);
}

const doubts = (page: Page) => page.getByRole('region', { name: /May be an opt-out/ });

t.test('a reply is opted out or kept, and leaves the list at once', needsBrowser, async (t) => {
  const place = await workplace(t);
  await withDoubts(place);
  const page = await place.open('suppressions');
  await doubts(page).getByText('please stop sending me these').waitFor();
  await staysPut(t, page, 'suppressions');
  t.strictSame(await axeFindings(page), []);
  t.equal(await doubts(page).getByRole('listitem').count(), 3);
  t.match(await doubts(page).getByRole('link', { name: 'nora' }).getAttribute('href'), '/people/');
  const optOut = doubts(page).getByRole('button', { name: `Opt out ${phoneOf(1)}` });
  await optOut.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Opt-out recorded.').waitFor();
  await page.getByRole('row', { name: phoneOf(1) }).waitFor();
  await optOut.waitFor({ state: 'detached' });
  const focused = 'document.activeElement.id';
  t.equal(await page.evaluate(focused), 'doubtful', 'the focus stays with the list');
  await doubts(page)
    .getByRole('button', { name: `Keep ${phoneOf(2)}` })
    .click();
  await page.getByText('The address still gets messages.').waitFor();
  await doubts(page).getByText(phoneOf(2)).first().waitFor({ state: 'detached' });
  t.equal(await page.getByRole('row', { name: phoneOf(2) }).count(), 0);
  await doubts(page)
    .getByRole('button', { name: `Marketing only ${phoneOf(0)}` })
    .click();
  await doubts(page).waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: phoneOf(0) })
    .getByText('marketing only')
    .waitFor();
  await whenSettled(page);
  t.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
});

t.test('who wrote again meanwhile is not judged by older words', needsBrowser, async (t) => {
  const place = await workplace(t);
  await says(place, phoneOf(3), 'stop texting me');
  const page = await place.open('suppressions', { expects: /status of 404/ });
  await doubts(page).getByText('stop texting me').waitFor();
  await says(place, phoneOf(3), 'remove my number at once');
  await doubts(page).getByRole('button', { name: /^Keep/ }).click();
  await doubts(page).getByText('remove my number at once').waitFor();
  await page.getByText('They wrote again, or someone else already decided.').first().waitFor();
  t.equal(await doubts(page).getByRole('listitem').count(), 1);
});

t.test('it fits every page, in both schemes', needsBrowser, async (t) => {
  const place = await workplace(t);
  await withDoubts(place);
  const page = await place.open('suppressions', { size: phone });
  await doubts(page).getByText('please stop').waitFor();
  await fits(t, page, 'long words');
  if (picturesIn !== undefined) await page.screenshot({ path: `${picturesIn}/doubts-long.png` });
  for (let i = 10; i < 30; i++) await says(place, phoneOf(i), 'stop texting me');
  for (const size of [desk, phone])
    for (const scheme of ['light', 'dark'] as const) {
      const page = await place.open('suppressions', { size, scheme });
      await doubts(page).getByText(phoneOf(29)).first().waitFor();
      await whenSettled(page);
      await fits(t, page, `${size.width} ${scheme}`);
      t.strictSame(await axeFindings(page), []);
      t.ok(await page.getByText('ada@example.com').isVisible(), 'the list below has room');
      const below = await page.evaluate('document.documentElement.scrollHeight - innerHeight');
      t.ok(Number(below) <= 0, 'the page ends with its window');
      if (picturesIn !== undefined)
        await page.screenshot({ path: `${picturesIn}/doubts-${size.width}-${scheme}.png` });
    }
});
