// How the SDK shows an in-app message: the draft that is typed, and its fields in the browser.

import t from 'tap';
import { displayBody, displayDraft } from '../../dashboard/screens/inapp/display-draft.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, phone, workplace } from './support/browser.ts';

t.test('a display that is opened and saved stays as it is', async (t) => {
  const where = { plan: 'pro', count: 3, is_new: true, code: '42', flag: 'true' };
  for (const display of [
    null,
    { kind: 'banner' },
    { kind: 'card', position: 'top', maxShows: 3, everyHours: 0 },
    { kind: 'modal', trigger: { afterSeconds: 0 } },
    { kind: 'none', trigger: { event: 'order_placed', where }, dismissible: false },
    { kind: 'push-prompt', trigger: { event: 'signup' } },
  ] as const)
    t.strictSame(displayBody(displayDraft(display)), display);
});

t.test('what is the same as nothing is saved as nothing', async (t) => {
  t.equal(displayBody(displayDraft({ kind: 'modal', position: 'top', dismissible: true })), null);
});

t.test('a value is a number only where JSON writes it so', async (t) => {
  for (const [text, value] of [
    ['42', 42],
    ['-1.5', -1.5],
    ['01240', '01240'],
    ['1e5', '1e5'],
    ['9.90', '9.90'],
    ['true', true],
    ['"42"', '42'],
    ['null', 'null'],
    ['{"a":1}', '{"a":1}'],
    ['Hanoi', 'Hanoi'],
  ] as const)
    t.match(
      displayBody({
        ...displayDraft({ kind: 'card' }),
        trigger: 'event',
        event: 'e',
        where: [{ name: 'x', value: text }],
      }),
      { trigger: { where: { x: value } } },
      text,
    );
  for (const value of ['42', '"quoted"', 'true', 'Hanoi', '', 7, false]) {
    const display = { kind: 'card', trigger: { event: 'e', where: { x: value } } } as const;
    t.strictSame(displayBody(displayDraft(display)), display);
  }
});

t.test('a display is chosen, seen and saved', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const message = { name: 'Hello', title: 'Welcome back', body: 'Look what is new.' };
  const { id: messageId } = (await place.call('POST', `${app}/messages`, message)) as {
    readonly id: string;
  };
  const { id } = (await place.call('POST', `${app}/in-app-messages`, { messageId })) as {
    readonly id: string;
  };
  const page = await place.open(`inapp/${id}`, { expects: /400/ });
  const look = page.locator('.inapp-page');
  await look.getByText('Welcome back').waitFor();
  t.match(await look.getAttribute('class'), 'inapp-kind-modal');
  await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Banner' });
  await page.getByRole('radio', { name: 'Top' }).check();
  t.match(await look.getAttribute('class'), 'inapp-kind-banner inapp-at-top');
  await page.getByLabel('Shown', { exact: true }).selectOption('event');
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByLabel('Property').fill('total');
  await page.getByLabel('Value').fill('42');
  await page.getByLabel('Times at most').fill('3');
  await page.getByRole('checkbox', { name: 'People can close it' }).uncheck();
  await page.getByText('Only a button of the message closes it').waitFor();
  t.equal(await page.locator('.inapp-close').count(), 0);
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  t.equal(await page.getByLabel('Event', { exact: true }).getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Event', { exact: true }).fill('order_placed');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. People see').waitFor();
  t.match(await place.call('GET', `${app}/in-app-messages/${id}`), {
    display: {
      kind: 'banner',
      position: 'top',
      trigger: { event: 'order_placed', where: { total: 42 } },
      maxShows: 3,
      dismissible: false,
    },
  });
  await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'By your app' });
  await page.getByText('Your app shows it in its own way.').waitFor();
  await page.getByLabel('Placement').selectOption({ label: 'In the inbox' });
  t.equal(await page.getByLabel('Kind', { exact: true }).count(), 0, 'an inbox has no popup');
});

t.test('on a phone in the dark', needsBrowser, async (t) => {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const body = { title: 'Welcome', body: 'New.', buttons: [{ label: 'Yes' }, { label: 'No' }] };
  const { id: messageId } = (await place.call('POST', `${app}/messages`, body)) as {
    readonly id: string;
  };
  const display = { kind: 'push-prompt', trigger: { event: 'a', where: { b: 'c' } } };
  const { id } = (await place.call('POST', `${app}/in-app-messages`, { messageId, display })) as {
    readonly id: string;
  };
  const page = await place.open(`inapp/${id}`, { size: phone, scheme: 'dark' });
  await page.locator('.inapp-kind-push-prompt').getByText('Yes').waitFor();
  t.strictSame(await axeFindings(page), []);
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.ok(Number(beyond) <= 0);
});
