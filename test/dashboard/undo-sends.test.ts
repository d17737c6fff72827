// A send that can be taken back, on each screen, by everybody who may send, until it begins.

import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { eventually } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, type Workplace, workplace } from './support/browser.ts';

const picturesIn = process.env['ENGAGE_TEST_PICTURES'];
const picture = async (page: Page, name: string) => {
  if (picturesIn !== undefined) await page.screenshot({ path: `${picturesIn}/${name}.png` });
};

interface Sent {
  readonly id: string;
  readonly state: string;
  readonly undoUntil: string | null;
}

const bar = (page: Page) => page.getByRole('region', { name: 'Undo a send' });
const undoIn = (page: Page) => bar(page).getByRole('button', { name: 'Undo', exact: true });

async function people(place: Workplace, many: number, channel = 'email'): Promise<void> {
  const endpoint = (n: number) =>
    channel === 'sms' ? `+1415${2_000_000 + n}` : `person-${n}@example.com`;
  for (let from = 0; from < many; from += 500)
    await place.call('POST', '/v1/import/subscribers', {
      appId: place.appId,
      rows: Array.from({ length: Math.min(500, many - from) }, (_, i) => ({
        externalUserId: `${channel}-${from + i}`,
        devices: [{ channel, endpoint: endpoint(from + i) }],
      })),
    });
}

async function draft(place: Workplace, more: object = {}): Promise<string> {
  const app = `/v1/apps/${place.appId}`;
  const { id: messageId } = (await place.call('POST', `${app}/messages`, {
    ...{ name: 'Sale', title: 'Sale', body: 'Now' },
  })) as { readonly id: string };
  const made = await place.call('POST', `${app}/campaigns`, { name: 'Spring', messageId, ...more });
  return (made as { readonly id: string }).id;
}

const read = async (place: Workplace, id: string) =>
  (await place.call('GET', `/v1/apps/${place.appId}/campaigns/${id}`)) as Sent;

const send = (place: Workplace, id: string, delaySeconds: number) =>
  place.call('POST', `/v1/apps/${place.appId}/campaigns/${id}/send`, { delaySeconds });

const setting = (place: Workplace, undoSendSeconds: number) =>
  place.call('PATCH', `/v1/apps/${place.appId}/settings`, { undoSendSeconds });

/** Everything that is read out from now on. */
async function listenTo(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`
    window.readOut = [];
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target.closest ? target : target.parentElement)?.closest('[role], [aria-live]');
        const live = region?.getAttribute('aria-live');
        const role = region?.getAttribute('role');
        if (live === 'off' || !['status', 'alert'].includes(role)) continue;
        if (region.textContent !== '') window.readOut.push(region.textContent);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  return () => page.evaluate('window.readOut');
}

t.test(
  'a send to many asks once, waits, and is undone on another screen after a reload',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    await people(place, 900);
    await people(place, 200, 'sms');
    await setting(place, 60);
    const id = await draft(place);
    const page = await place.open(`campaigns/${id}`);
    await page.getByRole('button', { name: 'Review', exact: true }).first().click();
    await page.getByRole('button', { name: 'Send to 1,100 people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to 1,100 people?' });
    await dialog.getByText('200 SMS on your SMS account').waitFor();
    await dialog.getByText('Sending starts in 60 seconds. You can undo it until then.').waitFor();
    await picture(page, 'undo-dialog');
    t.strictSame(await axeFindings(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    t.match(await read(place, id), { state: 'draft' }, 'who is asked can say no');
    await page.getByRole('button', { name: 'Send to 1,100 people' }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await undoIn(page).waitFor();
    await page.getByText('Sending starts in a few seconds.').waitFor();
    await picture(page, 'undo-bar');
    t.strictSame(await axeFindings(page), []);
    t.match(await read(place, id), { state: 'scheduled', undoUntil: /Z$/ });
    await page.goto(`${place.url}/dashboard/${place.appId}/people`);
    await undoIn(page).click();
    await bar(page).getByText('“Spring” is a draft again. Nothing was sent.').waitFor();
    t.match(await read(place, id), { state: 'draft', undoUntil: null });
    await picture(page, 'undo-undone');
    t.strictSame(await axeFindings(page), []);
    await bar(page).getByRole('link', { name: 'Open the draft' }).click();
    await page.getByRole('button', { name: 'Review', exact: true }).first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Review', exact: true }).first().waitFor();
    t.equal(await bar(page).count(), 0, 'it is over');
  },
);

t.test(
  'a send to a thousand asks nothing, and a delay of 0 offers nothing',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    await people(place, 1_000);
    await setting(place, 0);
    const id = await draft(place);
    const page = await place.open(`campaigns/${id}`);
    await page.getByRole('button', { name: 'Review', exact: true }).first().click();
    await page.getByRole('button', { name: 'Send to 1,000 people' }).click();
    await page.getByText('The campaign is being sent.').waitFor();
    await page.getByRole('heading', { name: 'Funnel' }).waitFor();
    t.equal(await bar(page).count(), 0);
  },
);

t.test(
  'by keyboard and by ear: said once, undone by one key, the focus stays',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    await people(place, 3);
    const id = await draft(place);
    await send(place, id, 60);
    const page = await place.open('people');
    const heard = await listenTo(page);
    await page.evaluate(
      `localStorage.setItem('engage.undo', '[${JSON.stringify({ appId: place.appId, id })}]'); dispatchEvent(new Event('storage'))`,
    );
    const timer = bar(page).getByRole('timer');
    await timer.waitFor();
    const first = await timer.textContent();
    await eventually(
      async () => ((await timer.textContent()) === first ? undefined : true),
      'it stands still',
    );
    const said = (await heard()).filter((text) => text.includes('Spring'));
    t.equal(said.length, 1, said.join(' | '));
    t.match(said[0], /^“Spring” starts sending in \d+ seconds\. Press Z to undo it\.$/);
    await undoIn(page).focus();
    await page.keyboard.press('z');
    await bar(page).getByText('is a draft again').waitFor();
    t.equal(await page.evaluate(`document.activeElement?.closest('.undo-bar') !== null`), true);
    await bar(page).getByRole('button', { name: 'Hide this notice' }).press('Enter');
    await bar(page).waitFor({ state: 'detached' });
    t.equal(await page.evaluate('document.activeElement?.tagName'), 'H1');
  },
);

t.test(
  'two people: one undoes, the other sees it; a clock that is wrong counts right',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    await people(place, 3);
    const id = await draft(place);
    await send(place, id, 60);
    const wrong = (aheadMs: number) => async (page: Page) => {
      await page.addInitScript(`{ const real = Date.now; Date.now = () => real() + ${aheadMs}; }`);
    };
    const one = await place.open(`campaigns/${id}`, { before: wrong(3_600_000) });
    const other = await place.open(`campaigns/${id}`, { before: wrong(-3_600_000) });
    for (const page of [one, other]) {
      const left = Number.parseInt((await bar(page).getByRole('timer').textContent()) ?? '', 10);
      const { undoUntil } = await read(place, id);
      const really = (Date.parse(undoUntil ?? '') - Date.now()) / 1_000;
      t.ok(Math.abs(left - really) < 3, `${left} shown, ${really} left`);
    }
    await undoIn(one).click();
    for (const page of [one, other]) await bar(page).getByText('is a draft again').waitFor();
    await other.getByRole('button', { name: 'Review', exact: true }).first().waitFor();
  },
);

t.test(
  'both at once: the second hears that it is a draft, not an error',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    await people(place, 3);
    const id = await draft(place);
    await send(place, id, 60);
    const page = await place.open(`campaigns/${id}`, { expects: /409/ });
    await undoIn(page).waitFor();
    await page.route(new RegExp(`campaigns/${id}/unschedule$`), async (route) => {
      await place.call('POST', `/v1/campaigns/${id}/unschedule`);
      await route.continue();
    });
    await undoIn(page).click();
    await bar(page).getByText('“Spring” is a draft again. Nothing was sent.').waitFor();
    t.equal(await bar(page).getByRole('alert').count(), 0);
  },
);

t.test('a moment too late: it says so, and pauses instead', needsBrowser, async (t) => {
  await tooLate(t, {});
});

t.test('the same on a phone, in the dark', needsBrowser, async (t) => {
  await tooLate(t, { size: phone, scheme: 'dark' });
});

async function tooLate(
  t: Test,
  options: NonNullable<Parameters<Workplace['open']>[1]>,
): Promise<void> {
  const place = await workplace(t);
  const name = options.size === undefined ? 'desk' : 'phone';
  await people(place, 60);
  const id = await draft(place, { throttle: { perMinute: 30 } });
  await send(place, id, 20);
  const page = await place.open(`campaigns/${id}`, { ...options, expects: /409/ });
  await undoIn(page).waitFor();
  await picture(page, `undo-waits-${name}`);
  t.strictSame(await axeFindings(page), []);
  // The call arrives when the campaign has begun.
  await page.route(new RegExp(`campaigns/${id}/unschedule$`), async (route) => {
    await eventually(
      async () => ((await read(place, id)).state === 'sending' ? true : undefined),
      'it does not begin',
      40_000,
    );
    await route.continue();
  });
  await undoIn(page).click();
  await bar(page)
    .getByRole('alert')
    .getByText('It is too late to undo: “Spring” has started sending. Pause it instead.')
    .waitFor();
  await picture(page, `undo-too-late-${name}`);
  t.strictSame(await axeFindings(page), []);
  await bar(page).getByRole('button', { name: 'Pause' }).click();
  await bar(page).getByText('“Spring” is paused.').waitFor();
  t.match(await read(place, id), { state: 'paused' });
}

t.test('whoever may not send sees it wait, and not how to undo it', needsBrowser, async (t) => {
  const place = await workplace(t);
  await people(place, 3);
  const id = await draft(place);
  await send(place, id, 60);
  const { key } = (await place.call('POST', '/v1/keys', {
    ...{ name: 'Reader', scopes: ['read'] },
  })) as { readonly key: string };
  const page = await place.open(`campaigns/${id}`, { key });
  await undoIn(page).waitFor();
  t.equal(await undoIn(page).getAttribute('aria-disabled'), 'true');
  await undoIn(page).click({ force: true });
  await page.keyboard.press('z');
  t.match(await read(place, id), { state: 'scheduled' });
});
