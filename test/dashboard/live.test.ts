// Live updates: one stream a browser, and what happens when it comes and goes.

import type { BrowserContext, Page } from 'playwright-core';
import t from 'tap';
import { ApiError } from '../../dashboard/api/errors.ts';
import { EventStreamReader } from '../../dashboard/api/event-stream.ts';
import { LiveStream } from '../../dashboard/api/live-stream.ts';
import { sharedServer } from '../support/server.ts';
import { needsBrowser, workplace } from './support/browser.ts';

const isLive = /\/live\?/;
/** Lines that the browser writes about calls that a test breaks off. */
const broken = /Failed to load resource|ERR_/;

const wait = { id: 'hold', type: 'wait', days: 1 };

interface Made {
  readonly id: string;
}

type Workplace = Awaited<ReturnType<typeof workplace>>;

async function aMessage(place: Workplace): Promise<string> {
  const made = await place.call('POST', `/v1/apps/${place.appId}/messages`, {
    title: 'Sale',
    body: 'Now',
  });
  return (made as { readonly id: string }).id;
}

async function aCampaign(place: Workplace, messageId: string, more: object): Promise<string> {
  const body = { messageId, ...more };
  const made = await place.call('POST', `/v1/apps/${place.appId}/campaigns`, body);
  return (made as { readonly id: string }).id;
}

/** Addresses of calls that a browser made since, but for the stream's. */
function callsOf(context: BrowserContext): { readonly live: string[]; readonly other: string[] } {
  const calls = { live: [] as string[], other: [] as string[] };
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/v1/')) return;
    (isLive.test(pathname + search) ? calls.live : calls.other).push(pathname);
  });
  return calls;
}

/** Lets a test say whether the page can be seen. */
const seenOrNot = `
  let state = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => state });
  addEventListener('test:see', ({ detail }) => {
    state = detail;
    document.dispatchEvent(new Event('visibilitychange'));
  });
`;

/** Resolves once the page's stream has brought its first answers. */
async function streaming(page: Page): Promise<void> {
  await page.waitForResponse((response) => isLive.test(response.url()) && response.ok(), {
    timeout: 90_000, // a server that restarts beside other tests takes its time
  });
}

t.test('events are read out of any pieces, without comments', async (t) => {
  const text =
    'retry: 3000\n\n: still here\n\nevent: campaigns\ndata: {"a":1}\n\nevent: events\r\nid: 7\r\ndata: x\r\ndata: y\r\n\r\n';
  const whole = [
    { event: 'campaigns', data: '{"a":1}', id: undefined },
    { event: 'events', data: 'x\ny', id: '7' },
  ];
  const wrong = [];
  for (let size = 1; size < text.length; size++) {
    const reader = new EventStreamReader();
    const found = [];
    for (let at = 0; at < text.length; at += size)
      found.push(...reader.read(text.slice(at, at + size)));
    if (JSON.stringify(found) !== JSON.stringify(whole)) wrong.push(size);
  }
  t.strictSame(wrong, []);
});

t.test('a topic that does not exist leaves the others their stream', async (t) => {
  const asked: string[] = [];
  const served = new Promise<readonly string[]>((resolve) => {
    const stream: LiveStream = new LiveStream({
      open: async (topics) => {
        asked.push(topics.join());
        if (topics.includes('campaign:gone'))
          throw new ApiError({ message: 'campaign not found', status: 404, code: 'not_found' });
        return new Response('retry: 3000\n\n');
      },
      onItem: () => undefined,
      onServed: (topics) => {
        if (topics.length === 0) return;
        stream.stop();
        resolve(topics);
      },
      random: () => 0,
    });
    stream.want(['campaigns', 'campaign:gone']);
  });
  t.strictSame(await served, ['campaigns']);
  t.strictSame(asked, ['campaigns,campaign:gone', 'campaigns']);
});

t.test('a stream that was stopped while it failed opens at once when it is wanted', async (t) => {
  let opens = 0;
  const again = new Promise<void>((resolve) => {
    const stream: LiveStream = new LiveStream({
      open: async () => {
        opens++;
        if (opens === 1) {
          queueMicrotask(() => {
            stream.stop();
            stream.want(['campaigns']);
          });
          throw new ApiError({ message: 'away', status: 0, code: 'offline' });
        }
        return new Response('retry: 3000\n\n');
      },
      onItem: () => undefined,
      onServed: (topics) => {
        if (topics.length === 0) return;
        stream.stop();
        resolve();
      },
      random: () => 1,
    });
    stream.want(['campaigns']);
  });
  await again;
  t.equal(opens, 2);
});

t.test(
  'the numbers of a campaign move without a reload and without calls',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const messageId = await aMessage(place);
    // A minute and more of sending: longer than a busy machine takes to open the page.
    await place.call('POST', '/v1/import/subscribers', {
      appId: place.appId,
      rows: Array.from({ length: 120 }, (_, nth) => ({
        externalUserId: `person-${nth}`,
        devices: [{ channel: 'email', endpoint: `person-${nth}@example.com` }],
      })),
    });
    const id = await aCampaign(place, messageId, { name: 'Slow', throttle: { perMinute: 60 } });
    await place.call('POST', `/v1/apps/${place.appId}/campaigns/${id}/send`, {});
    const page = await place.open(`campaigns/${id}`);
    const decided = page.getByText(/of 120 people processed/);
    await decided.waitFor();
    const before = await decided.textContent();
    const calls = callsOf(page.context());
    await page.getByText(before ?? '', { exact: true }).waitFor({ state: 'detached' });
    t.notOk(calls.other.some((path) => path.endsWith('/stats')));
    await place.call('POST', `/v1/apps/${place.appId}/campaigns/${id}/pause`);
    await page.getByText(/of 120 sent, the rest is paused/).waitFor();
    t.notOk(calls.other.some((path) => path.endsWith(`/campaigns/${id}`)));
  },
);

t.test(
  'a story keeps its older pages and names its journey, all without calls',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const app = `/v1/apps/${place.appId}`;
    const journey = { name: 'Welcome', triggerEvent: 'signup', steps: [wait] };
    const { id } = (await place.call('POST', `${app}/journeys`, journey)) as Made;
    await place.call('PATCH', `${app}/journeys/${id}`, { active: true });
    const ada = await place.call('POST', `${app}/subscribers`, { externalUserId: 'ada' });
    const track = (...names: readonly string[]) =>
      place.call('POST', '/e', {
        appId: place.appId,
        events: names.map((name) => ({ name, externalUserId: 'ada' })),
      });
    await track(...Array.from({ length: 70 }, (_, nth) => `visit ${nth}`));
    const shown = (page: Page, name: string) =>
      page.getByText(`The event "${name}" was tracked.`, { exact: true });
    let opened: Promise<void> | undefined;
    const page = await place.open(`people/${(ada as Made).id}`, {
      before: async (page) => {
        opened = streaming(page);
      },
    });
    await opened;
    await shown(page, 'visit 69').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await shown(page, 'visit 0').waitFor();
    const calls = callsOf(page.context());
    await track('signup');
    await shown(page, 'signup').waitFor();
    await page.getByRole('link', { name: 'Welcome' }).first().waitFor();
    for (const name of ['visit 69', 'visit 20', 'visit 19', 'visit 0'])
      t.equal(await shown(page, name).count(), 1, name);
    t.strictSame(calls.other, []);
  },
);

t.test('two tabs have one connection, and the second takes it over', needsBrowser, async (t) => {
  const place = await workplace(t);
  const messageId = await aMessage(place);
  let opened: Promise<void> | undefined;
  const first = await place.open('campaigns', {
    before: async (page) => {
      opened = streaming(page);
    },
  });
  await opened;
  await first.getByText('Send your first campaign').waitFor();
  const calls = callsOf(first.context());
  const second = await first.context().newPage();
  await second.goto(first.url());
  await second.getByText('Send your first campaign').waitFor();
  await aCampaign(place, messageId, { name: 'Seen by both' });
  await first.getByText('Seen by both').waitFor();
  await second.getByText('Seen by both').waitFor();
  t.strictSame(calls.live, []);
  const taken = streaming(second);
  await first.close();
  await taken;
  await aCampaign(place, messageId, { name: 'After the first closed' });
  await second.getByText('After the first closed').waitFor();
  t.equal(calls.live.length, 1);
});

t.test('without a stream the list is asked for, and comes back to it', needsBrowser, async (t) => {
  const place = await workplace(t);
  const messageId = await aMessage(place);
  const inAMinute = { schedule: { type: 'at', at: new Date(Date.now() + 55_000).toISOString() } };
  const id = await aCampaign(place, messageId, { name: 'Soon', ...inAMinute });
  await place.call('POST', `/v1/apps/${place.appId}/campaigns/${id}/send`, {});
  const page = await place.open('campaigns', {
    expects: broken,
    before: async (page) => void (await page.route(isLive, (route) => route.abort())),
  });
  await page.getByText('Soon').waitFor();
  await aCampaign(place, messageId, { name: 'Polled' });
  await page.getByText('Polled').waitFor();
  const back = streaming(page);
  await page.unroute(isLive);
  await back;
  await aCampaign(place, messageId, { name: 'Streamed' });
  await page.getByText('Streamed').waitFor();
});

t.test('a server that restarts is followed again', needsBrowser, async (t) => {
  const place = await workplace(t);
  const messageId = await aMessage(place);
  const page = await place.open('campaigns', { expects: broken });
  await page.getByText('Send your first campaign').waitFor();
  const back = streaming(page);
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  await server.restart();
  await back;
  await aCampaign(place, messageId, { name: 'After the restart' });
  await page.getByText('After the restart').waitFor();
});

t.test(
  'a tab that is hidden for a minute lets go, and is current when it is seen',
  needsBrowser,
  async (t) => {
    const place = await workplace(t);
    const messageId = await aMessage(place);
    let opened: Promise<void> | undefined;
    const page = await place.open('campaigns', {
      before: async (page) => {
        await page.clock.install();
        await page.addInitScript(seenOrNot);
        opened = streaming(page);
      },
    });
    const see = (state: string) =>
      page.evaluate(`dispatchEvent(new CustomEvent('test:see', { detail: '${state}' }))`);
    await page.getByText('Send your first campaign').waitFor();
    await opened;
    const ended = page.waitForEvent('requestfailed', (request) => isLive.test(request.url()));
    await see('hidden');
    await page.clock.fastForward(61_000);
    await ended;
    await aCampaign(place, messageId, { name: 'Made meanwhile' });
    const back = streaming(page);
    await see('visible');
    await page.getByText('Made meanwhile').waitFor();
    await back;
  },
);
