// The warm-up of a sender domain on its page, and what the review of a campaign says of it.

import t from 'tap';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';

for (const [name, size, scheme] of [
  ['a desk', desk, 'light'],
  ['a phone', phone, 'dark'],
] as const)
  t.test(`a warm-up is begun, held and ended on ${name}`, needsBrowser, async (t) => {
    const { call, open, appId } = await workplace(t);
    const base = `/v1/apps/${appId}`;
    const at = `${base}/email-domains/acme.example/warm-up`;
    await call('POST', `${base}/email-domains`, { domain: 'acme.example' });
    await call('PATCH', `${base}/settings`, { email: { fromAddress: 'news@acme.example' } });
    const page = await open('channels/email', { size, scheme });
    const part = page.getByRole('region', { name: 'Warm-up' });
    await part.getByText('a little more each day').waitFor();
    t.strictSame(await axeFindings(page), []);

    await part.getByRole('button', { name: 'Start warm-up' }).click();
    const numbers = part.getByLabel('Emails per day');
    t.match(await numbers.inputValue(), /^50, 100, 200, .* 100000$/);
    await numbers.fill('50,100,1,000');
    await part.getByText('Put a blank after each comma').waitFor();
    t.strictSame(await axeFindings(page), []);
    await numbers.fill('2, 0');
    await part.getByText('“0” is not a whole number').waitFor();
    await numbers.fill('2, 3, 500');
    await part.getByRole('img', { name: 'From 2 to 500 a day over 3 days' }).waitFor();
    await part.getByRole('button', { name: 'Start', exact: true }).click();
    await part.getByText('Day 1 of 3: 0 of 2 emails sent today.').waitFor();
    t.match(await call('GET', at), { state: 'running', days: [{ max: 2 }, { max: 3 }, {}] });
    t.strictSame(await axeFindings(page), []);

    await part.getByRole('button', { name: 'Hold' }).click();
    await part.getByText('On hold').waitFor();
    t.match(await call('GET', at), { state: 'held' });
    await part.getByRole('button', { name: 'Continue' }).click();
    await part.getByText('Running').waitFor();

    for (const i of [1, 2, 3, 4, 5, 6, 7])
      await call('POST', `${base}/subscribers`, {
        externalUserId: `reader-${i}`,
        devices: [{ channel: 'email', endpoint: `reader-${i}@post.example` }],
      });
    const { id: messageId } = (await call('POST', `${base}/messages`, {
      title: 'Hello',
      body: 'You',
    })) as { readonly id: string };
    const { id } = (await call('POST', `${base}/campaigns`, {
      ...{ name: 'News', messageId, channels: ['email'] },
    })) as { readonly id: string };
    const review = await open(`campaigns/${id}?fold=review`, { size, scheme });
    await review.getByRole('button', { name: 'Start the dry run' }).first().click();
    await review.getByText('2 emails today, 5 emails over 2 more days').waitFor();
    t.strictSame(await axeFindings(review), []);

    await part.getByRole('button', { name: 'End warm-up' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End warm-up' }).click();
    await part.getByText('Off', { exact: true }).waitFor();
    t.match(await call('GET', at), { state: 'off' });
  });

t.test(
  'two people who change its numbers see the version of each other',
  needsBrowser,
  async (t) => {
    const { call, open, appId } = await workplace(t);
    const base = `/v1/apps/${appId}`;
    const at = `${base}/email-domains/acme.example/warm-up`;
    await call('POST', `${base}/email-domains`, { domain: 'acme.example' });
    await call('PUT', at, { days: [{ max: 10 }] });
    const page = await open('channels/email', { expects: /412/ });
    const part = page.getByRole('region', { name: 'Warm-up' });
    await part.getByRole('button', { name: 'Change numbers' }).click();
    await part.getByLabel('Emails per day').fill('20');
    await call('PUT', at, { days: [{ max: 30 }] });
    await part.getByRole('button', { name: 'Save numbers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    t.match(await call('GET', at), { days: [{ max: 30 }] }, 'nothing was overwritten');
  },
);
