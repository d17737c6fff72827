// The forms of the guard: in App settings, and in the editor of a campaign.

import t from 'tap';
import { guardDefaults as theirs } from '../../actors/tenants/accounts/campaign-guard.ts';
import { blankDraft, bodyOf } from '../../dashboard/screens/campaigns/editor/draft.ts';
import { foldOf } from '../../dashboard/screens/campaigns/editor/missing.ts';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';

const app = (settings: unknown) => settings as { readonly campaignGuard: object | null };

t.test('a campaign keeps its guard, and follows the app without one', async (t) => {
  const blank = blankDraft('UTC', 0);
  t.match(bodyOf(blank), { guard: {} });
  const own = { bounceShare: null, senderRefusalsInARow: 9 };
  for (const [choice, body] of [
    ['off', null],
    ['app', {}],
    ['own', own],
  ] as const)
    t.strictSame(bodyOf({ ...blank, guard: choice, guardOwn: own }).guard, body, choice);
  t.equal(foldOf('guard.bounceShare'), 'when');
});

for (const [name, size, scheme] of [
  ['a desk', desk, 'light'],
  ['a phone', phone, 'dark'],
] as const)
  t.test(`the guard of an app and of its campaign, on ${name}`, needsBrowser, async (t) => {
    const { call, open, appId } = await workplace(t);
    const base = `/v1/apps/${appId}`;
    const { id: messageId } = (await call('POST', `${base}/messages`, {
      title: 'Hello',
      body: 'You',
    })) as { readonly id: string };
    const { id } = (await call('POST', `${base}/campaigns`, { name: 'News', messageId })) as {
      readonly id: string;
    };

    const settings = await open('settings', { size, scheme });
    const part = settings.locator('#guard');
    await part.getByLabel('Maximum bounce rate, in %').fill('12.5');
    await part.getByText('Pause when mail servers refuse the sender').click();
    t.strictSame(await axeFindings(settings), []);
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await settings.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    const kept = { ...theirs, bounceShare: 0.125, senderRefusalsInARow: null };
    t.match(app(await call('GET', `${base}/settings`)), { campaignGuard: kept });

    const own = { bounceShare: null, complaintShare: 0.01 };
    await call('PATCH', `${base}/settings`, { campaignGuard: own });
    const again = await open('settings', { size, scheme });
    await again.locator('#guard').getByText('Pause when too many emails bounce').click();
    const turnedOn = again.getByLabel('Maximum bounce rate, in %');
    t.equal(await turnedOn.inputValue(), `${Number(theirs.bounceShare) * 100}`, 'as the API says');
    await call('PATCH', `${base}/settings`, { campaignGuard: kept });

    const page = await open(`campaigns/${id}?fold=when`, { size, scheme });
    const choice = page.getByLabel('If emails bounce, are reported as spam or are refused');
    await choice.selectOption({ label: 'Pause at custom limits' });
    const share = page.getByLabel('Maximum bounce rate, in %');
    t.equal(await share.inputValue(), '12.5', "the app's, where it has none of its own");
    const isSaved = () =>
      page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
    const first = isSaved();
    await page.getByLabel('Maximum spam report rate, in %').fill('0.5');
    await first;
    t.strictSame(await axeFindings(page), []);
    const guard = async () =>
      ((await call('GET', `${base}/campaigns/${id}`)) as { readonly guard: unknown }).guard;
    t.strictSame(await guard(), { complaintShare: 0.005 }, 'only what was changed');
    const second = isSaved();
    await choice.selectOption({ label: 'Never pause automatically' });
    await second;
    t.equal(await guard(), null);
    await page.reload();
    await choice.waitFor();
    t.equal(await choice.inputValue(), 'off');
  });
