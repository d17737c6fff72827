// The forms of `/docs` call with ids that exist: of the reader's key, or of who is signed in.

import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../support/server.ts';
import {
  needsBrowser,
  openSignedOut,
  phone,
  type Workplace,
  workplace,
} from './support/browser.ts';

/** The form of an operation, opened. */
async function formOf(page: Page, anchor: string) {
  const form = page.locator(`#${anchor} form.try`);
  await form.getByText('Try it').click();
  return form;
}

/** Waits until a field has a value. */
function holds(field: Locator, value: string): Promise<unknown> {
  return eventually(async () => (await field.inputValue()) === value || undefined, value);
}

async function sale(place: Workplace): Promise<string> {
  const { id } = (await place.call('POST', `/v1/apps/${place.appId}/segments`, {
    name: 'Buyers',
    filter: { tag: 'plan', eq: 'pro' },
  })) as { readonly id: string };
  return id;
}

t.test(
  'who is signed in gets ids of their own, and calls without a key',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const segmentId = await sale(place);
    const page = await place.open('/');
    await page.goto(`${place.url}/docs`);
    const form = await formOf(page, 'read-a-segment');
    await holds(page.locator('#read-a-segment input[name=id]'), segmentId);
    t.equal(await page.locator('#app').inputValue(), place.appId);
    const curl = (await form.locator('.curl').textContent()) ?? '';
    t.ok(curl.includes(segmentId) && curl.includes(place.appId), curl);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.result').getByText('200').first().waitFor();

    const asked = page.waitForResponse(/\/journeys\?limit=1/);
    const journeys = await formOf(page, 'read-a-journey');
    t.equal((await asked).status(), 200);
    t.equal(await journeys.locator('input[name=id]').inputValue(), '', 'there is none');
    t.match(await journeys.locator('input[name=id]').getAttribute('placeholder'), /^jrn_/);

    const remove = await formOf(page, 'delete-a-segment');
    await holds(page.locator('#delete-a-segment input[name=id]'), segmentId);
    const question = page.waitForEvent('dialog');
    const sent = remove.getByRole('button', { name: 'Send' }).click();
    const dialog = await question;
    t.ok(dialog.message().includes(`DELETE /v1/apps/${place.appId}/segments/${segmentId}`));
    await dialog.dismiss();
    await sent;
    await place.call('GET', `/v1/apps/${place.appId}/segments/${segmentId}`);
  },
);

t.test(
  'a pasted key fills the open forms, and another key its own ids',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const other = await workplace(t, 'Other');
    const [mine, theirs] = [await sale(place), await sale(other)];
    const page = await openSignedOut(t, place.url, '/', { size: phone, expects: /403|401/ });
    await page.goto(`${place.url}/docs`);
    await formOf(page, 'read-a-segment');
    const field = page.locator('#read-a-segment input[name=id]');
    t.equal(await field.inputValue(), '', 'a stranger gets nothing');
    for (const [{ key, appId }, id] of [
      [place, mine],
      [other, theirs],
    ] as const) {
      await page.locator('#key').fill(key);
      await page.locator('#key').blur();
      await holds(field, id);
      t.equal(await page.locator('#app').inputValue(), appId);
    }
    await field.fill('seg_of_mine');
    await page.locator('#key').fill(place.key);
    await page.locator('#key').blur();
    await holds(page.locator('#app'), place.appId);
    t.equal(await field.inputValue(), 'seg_of_mine', 'what somebody typed stays');
  },
);
