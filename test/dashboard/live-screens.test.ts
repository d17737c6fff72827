// The screens that follow the live stream: at rest they ask for nothing, what happens appears by
// itself, and without a stream they ask.

import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../support/server.ts';
import { everyNth } from '../support/tries.ts';
import { needsBrowser, workplace } from './support/browser.ts';
import { whenSettled } from './support/screen-list.ts';

const isLive = /\/live\?/;
/** Longer than any screen waits to ask again, shorter than a stream may be silent. */
const restMs = 30_000;

type Workplace = Awaited<ReturnType<typeof workplace>>;

interface Followed {
  readonly screen: string;
  /** Its address, when it shows something that has to be made. */
  path?(place: Workplace): Promise<string>;
  /** Does something that the screen shows. */
  happen(place: Workplace): Promise<void>;
  seen(page: Page): Promise<void>;
}

const eventOf = (place: Workplace) =>
  place.call('POST', '/e', {
    appId: place.appId,
    events: [{ name: 'signup', externalUserId: 'ada' }],
  });

const followed: readonly Followed[] = [
  {
    screen: 'home',
    happen: async (place) => {
      const app = `/v1/apps/${place.appId}`;
      const message = { title: 'Sale', body: 'Now' };
      const { id: messageId } = (await place.call('POST', `${app}/messages`, message)) as Made;
      const at = new Date(Date.now() + 3_600_000).toISOString();
      const campaign = { name: 'In an hour', messageId, schedule: { type: 'at', at } };
      const { id } = (await place.call('POST', `${app}/campaigns`, campaign)) as Made;
      await place.call('POST', `${app}/campaigns/${id}/send`, {});
    },
    seen: (page) => page.getByRole('link', { name: 'In an hour' }).waitFor(),
  },
  {
    screen: 'journeys',
    happen: async (place) => void (await eventOf(place)),
    seen: (page) =>
      page
        .getByRole('row', { name: /Welcome/ })
        .getByRole('gridcell', { name: '1', exact: true })
        .first()
        .waitFor(),
  },
  {
    screen: 'activity',
    happen: async (place) => {
      const send = { externalUserId: 'ada', title: 'Your order', body: 'It is on its way' };
      await place.call('POST', `/v1/apps/${place.appId}/notifications`, send);
    },
    seen: (page) => page.getByRole('row', { name: /Your order/ }).waitFor(),
  },
  {
    screen: 'events',
    happen: async (place) => void (await eventOf(place)),
    seen: (page) => page.getByRole('row', { name: /signup/ }).waitFor(),
  },
  {
    screen: 'events?name=signup',
    happen: async (place) => void (await eventOf(place)),
    seen: (page) => page.getByRole('row', { name: /signup/ }).waitFor(),
  },
  {
    screen: 'a person',
    path: async (place) => `people/${await ada(place)}`,
    happen: async (place) => void (await eventOf(place)),
    seen: (page) => page.getByText('The event "signup" was tracked.').waitFor(),
  },
  {
    screen: 'a send',
    path: aFailedSend,
    happen: async (place) => {
      await place.call('DELETE', `/v1/apps/${place.appId}/subscribers/external:eve`);
    },
    // What was said to somebody who was erased is gone, and so is the title of the page.
    seen: (page) => page.getByRole('heading', { level: 1, name: 'Send', exact: true }).waitFor(),
  },
  {
    screen: 'activity?tab=failures',
    happen: async (place) => void (await aFailedSend(place)),
    seen: (page) =>
      page
        .getByRole('list', { name: 'Failures by reason' })
        .getByText('The message expired before it could be sent')
        .first()
        .waitFor(),
  },
  {
    screen: 'deliveries',
    path: async (place) => {
      await aWebhook(place, 'campaign.*');
      return 'integrations?tab=deliveries';
    },
    happen: async (place) => {
      await place.call('POST', `/v1/apps/${place.appId}/integrations/webhook/test`);
    },
    seen: (page) => page.getByRole('row', { name: /webhook\.test/ }).waitFor(),
  },
  {
    screen: 'a webhook',
    path: async (place) => {
      await aWebhook(place, 'campaign.*');
      return 'integrations/webhook';
    },
    happen: (place) => aWebhook(place, 'message.bounced', 'message.failed'),
    seen: (page) => page.getByText('message.bounced, message.failed').waitFor(),
  },
  {
    screen: 'live-activities',
    happen: async (place) => {
      const { appId } = place;
      const login = { appId, externalUserId: 'grace' };
      const { clientToken } = (await place.call('POST', '/v1/sdk/subscriber', login)) as {
        readonly clientToken: string;
      };
      const pushToken = 'ab'.repeat(40);
      const activity = { appId, clientToken, activityType: 'Delivery', pushToken };
      await place.call('POST', '/v1/sdk/live-activities', activity);
    },
    seen: (page) => page.getByRole('row', { name: /Delivery/ }).waitFor(),
  },
];

async function ada(place: Workplace): Promise<string> {
  const path = `/v1/apps/${place.appId}/subscribers/external:ada`;
  return ((await place.call('GET', path)) as Made).id;
}

/** The address of a send that has failed. */
async function aFailedSend(place: Workplace): Promise<string> {
  const app = `/v1/apps/${place.appId}`;
  const devices = [{ channel: 'email', endpoint: 'busy-eve@example.com' }];
  await place.call('POST', `${app}/subscribers`, { externalUserId: 'eve', devices });
  const message = { externalUserId: 'eve', title: 'Receipt', body: 'Thanks', ttlSeconds: 1 };
  const { id } = (await place.call('POST', `${app}/notifications`, message)) as Made;
  await eventually(async () => {
    const read = (await place.call('GET', `${app}/notifications/${id}`)) as {
      readonly status: string;
    };
    return read.status === 'failed' ? read : undefined;
  }, 'the send does not fail');
  return `activity/${id}`;
}

async function aWebhook(place: Workplace, ...events: readonly string[]): Promise<void> {
  const body = { url: 'http://127.0.0.1:9/hook', events };
  await place.call('PUT', `/v1/apps/${place.appId}/integrations/webhook`, body);
}

interface Made {
  readonly id: string;
}

/** A person, and a journey that is live. */
async function inUse(t: Parameters<typeof workplace>[0]): Promise<Workplace> {
  const place = await workplace(t);
  const app = `/v1/apps/${place.appId}`;
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  const { id } = (await place.call('POST', `${app}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signup',
    steps: [{ id: 'hold', type: 'wait', days: 1 }],
  })) as Made;
  await place.call('PATCH', `${app}/journeys/${id}`, { active: true });
  return place;
}

const visited = followed.filter((_, index) => index % everyNth(3) === 0);

for (const { screen, path = async () => screen, happen, seen } of visited) {
  t.test(`${screen} asks for nothing at rest and shows what happens`, needsBrowser, async (t) => {
    const place = await inUse(t);
    let streaming: Promise<unknown> | undefined;
    const page = await place.open(await path(place), {
      // The clock's script, in the frame of a mail that was sent.
      expects: /^Blocked script execution in .* sandboxed/,
      before: async (page) => {
        await page.clock.install();
        streaming = page.waitForResponse(
          (response) => isLive.test(response.url()) && response.ok(),
          { timeout: 90_000 },
        );
      },
    });
    await streaming;
    await whenSettled(page);
    await quiet(page);
    const asked = calls(page);
    await page.clock.fastForward(restMs);
    await page.evaluate('fetch("/v1/session")');
    t.strictSame(
      asked.filter((path) => path !== '/v1/session'),
      [],
      'no call in half a minute',
    );
    await happen(place);
    await seen(page);
  });

  t.test(`${screen} asks while there is no stream`, needsBrowser, async (t) => {
    const place = await inUse(t);
    const page = await place.open(await path(place), {
      expects: /Failed to load resource|ERR_/,
      before: async (page) => void (await page.route(isLive, (route) => route.abort())),
    });
    await whenSettled(page);
    await happen(place);
    await seen(page);
    t.pass('it appeared');
  });
}

t.test('a stream of events that is paused stays as it is', needsBrowser, async (t) => {
  const place = await inUse(t);
  await eventOf(place);
  const page = await place.open('events');
  const rows = page.getByRole('row', { name: /signup/ });
  await rows.first().waitFor();
  await page.getByRole('button', { name: 'Pause the stream' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  // Another tab of the same browser follows the same topic.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('row', { name: /signup/ }).waitFor();
  await eventOf(place);
  await other
    .getByRole('row', { name: /signup/ })
    .nth(1)
    .waitFor();
  t.equal(await rows.count(), 1);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Resume' }).click();
  await rows.nth(1).waitFor();
});

/** The paths that a page asks for from now on. */
function calls(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/') && !isLive.test(pathname + search)) asked.push(pathname);
  });
  return asked;
}

/** Until what the stream's first words made old was asked for: a step of time without a call. */
async function quiet(page: Page): Promise<void> {
  for (let step = 0; step < 3; step++) {
    const asked = calls(page);
    await page.clock.fastForward(2_500);
    await page.evaluate('fetch("/v1/session")');
    if (asked.every((path) => path === '/v1/session')) return;
  }
}
