// The topic of a campaign and of a journey's send step, in their editors.

import t from 'tap';
import { eventually } from '../support/server.ts';
import { axeFindings } from './support/axe.ts';
import { needsBrowser, type Workplace, workplace } from './support/browser.ts';

interface Made {
  readonly id: string;
}

async function withTopic(t: Parameters<typeof workplace>[0]) {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  const make = async (path: string, body: object) =>
    ((await place.call('POST', app + path, body)) as Made).id;
  await make('/topics', { key: 'news', name: 'Product news' });
  for (const who of ['ada', 'eve', 'tom']) {
    const devices = [{ channel: 'email', endpoint: `${who}@example.com` }];
    await make('/subscribers', { externalUserId: who, devices });
  }
  const preferences = { topics: { news: 'in' } };
  await place.call('PUT', `${app}/subscribers/external:ada/preferences`, preferences);
  const messageId = await make('/messages', { name: 'Letter', title: 'News', body: 'Look.' });
  const otherId = await make('/messages', { name: 'Other', title: 'More', body: 'Look again.' });
  return { place, app, make, messageId, otherId };
}

async function saved(place: Workplace, path: string, isSo: (thing: never) => boolean) {
  await eventually(
    async () => isSo((await place.call('GET', path)) as never) || undefined,
    `${path} is not saved so`,
  );
}

t.test('a review says how many people the topic leaves out', needsBrowser, async (t) => {
  const { place, app, make, messageId } = await withTopic(t);
  const id = await make('/campaigns', { name: 'November', messageId });
  const page = await place.open(`campaigns/${id}`);
  const topic = page.getByLabel('Topic', { exact: true });
  await topic.selectOption({ label: 'Product news' });
  await saved(place, `${app}/campaigns/${id}`, ({ topic }) => topic === 'news');
  await page.getByRole('complementary').getByText('Product news').waitFor();
  t.strictSame(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Review' }).first().click();
  const left = page.getByRole('listitem').filter({ hasText: 'Not in this topic' });
  await left.getByText('2', { exact: true }).waitFor();
  await page.goto(`${place.url}/dashboard/${place.appId}/campaigns/${id}`);
  await topic.selectOption({ label: 'No topic' });
  await saved(place, `${app}/campaigns/${id}`, ({ topic }) => topic === null);
});

t.test('an app without topics asks for none', needsBrowser, async (t) => {
  const place = await workplace(t);
  const page = await place.open('campaigns/new?fold=who');
  await page.getByText('Hold out a control group').waitFor();
  t.equal(await page.getByLabel('Topic', { exact: true }).count(), 0);
});

t.test('a send step keeps its topic when its message changes', needsBrowser, async (t) => {
  const { place, app, make, messageId, otherId } = await withTopic(t);
  const id = await make('/journeys', {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [{ id: 'hello', type: 'send', messageId }],
  });
  const page = await place.open(`journeys/${id}?panel=step&step=hello`);
  await page.getByLabel('Topic', { exact: true }).selectOption({ label: 'Product news' });
  type Steps = readonly { readonly topic?: string; readonly messageId?: string }[];
  const first = (isSo: (step: Steps[number]) => boolean) =>
    saved(place, `${app}/journeys/${id}`, ({ steps }: { readonly steps: Steps }) =>
      steps.some(isSo),
    );
  await first(({ topic }) => topic === 'news');
  await page.getByText('to people in the topic news').first().waitFor();
  const message = page.getByRole('combobox', { name: 'Saved message' });
  await message.fill('Other');
  await page.getByRole('option', { name: 'Other' }).click();
  await first((step) => step.messageId === otherId && step.topic === 'news');
  await page.getByLabel('Topic', { exact: true }).selectOption({ label: 'No topic' });
  await first((step) => step.messageId === otherId && step.topic === undefined);
  t.pass('it is kept, and can be taken out');
});
