// An app with a month of life in it: people, segments, messages, campaigns of several states, a
// journey, sends that arrived and sends that did not, topics with a form, flags, in-app messages,
// webhooks, a team.

import { eventually } from '../../support/server.ts';

/** What fills an app: calls of the API with a key of all scopes. */
interface Filled {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly appId: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Ids of what can be opened. */
export interface LivedInApp {
  readonly campaignId: string;
  readonly draftId: string;
  readonly journeyId: string;
  readonly segmentId: string;
  readonly messageId: string;
  readonly mailId: string;
  readonly inAppId: string;
  readonly sendId: string;
}

const dayMs = 86_400_000;
const names = ['Ada', 'Linh', 'Marek', 'Noor', 'Elif', 'Jonas', 'Mai', 'Priya', 'Tom', 'Yuki'];
const plans = ['free', 'free', 'pro', 'team'];
const cities = ['Hanoi', 'Berlin', 'Lisbon', 'Jakarta', 'Austin'];
const zones = ['Asia/Ho_Chi_Minh', 'Europe/Berlin', 'Europe/Lisbon', 'Asia/Jakarta'];
const peopleCount = 240;

/** `nowMs` is the server's. */
export async function fillApp(place: Filled, nowMs = Date.now()): Promise<LivedInApp> {
  const app = `/v1/apps/${place.appId}`;
  const made = async (path: string, body: object) =>
    ((await place.call('POST', path, body)) as { readonly id: string }).id;
  await place.call('POST', '/v1/import/subscribers', { appId: place.appId, rows: people() });
  for (const events of inHundreds(happenings(nowMs)))
    await place.call('POST', '/e', { appId: place.appId, events });

  const segmentId = await made(`${app}/segments`, {
    name: 'Pro and team',
    filter: {
      any: [
        { tag: 'plan', eq: 'pro' },
        { tag: 'plan', eq: 'team' },
      ],
    },
  });
  await made(`${app}/segments`, {
    name: 'Bought lately',
    filter: {
      all: [
        { event: 'order_placed', withinDays: 14 },
        { tag: 'city', eq: 'Berlin' },
      ],
    },
  });
  const messageId = await made(`${app}/messages`, {
    name: 'Autumn sale',
    title: 'Autumn sale, {{ first_name }}',
    body: 'Twenty per cent off everything in {{ city }} until Sunday.',
  });
  const mailId = await made(`${app}/messages`, {
    name: 'Monthly letter',
    title: 'What is new in November',
    body: 'Hello {{ first_name }}, four things that are new this month.',
  });
  await made(`${app}/message-templates`, {
    name: 'order-shipped',
    title: 'Your order is on its way',
    body: 'Parcel {{ parcel }} has left for {{ city }}.',
  });

  await topics(place, app);
  await optOuts(place, app); // before the campaigns, or some runs would reach them
  const campaign = (name: string, more: object) =>
    made(`${app}/campaigns`, { name, messageId, ...more });
  const campaignId = await campaign('Autumn sale', { segmentId });
  await place.call('POST', `/v1/campaigns/${campaignId}/send`, {});
  const letter = await campaign('November letter', { messageId: mailId, channels: ['email'] });
  await place.call('POST', `/v1/campaigns/${letter}/send`, {});
  const slow = await campaign('Loyalty survey', { throttle: { perMinute: 6 } });
  await place.call('POST', `/v1/campaigns/${slow}/send`, {});
  const draftId = await campaign('Winter preview', { filter: { tag: 'city', eq: 'Lisbon' } });

  const journeyId = await journeys(place, app, made, { messageId, mailId });
  const inAppId = await setUp(place, app, made, messageId);
  const sendId = await sends(place, app, made);
  await place.call('POST', '/e', {
    appId: place.appId,
    events: [5, 6, 8].map((at) => ({ name: 'signed_up', externalUserId: idOf(at) })),
  });
  await team(place);
  // Both, or a screen that opens now changes when the second one ends.
  for (const id of [campaignId, letter])
    await eventually(async () => {
      const stats = await place.call('GET', `${app}/campaigns/${id}`);
      return (stats as { readonly state: string }).state === 'completed' || undefined;
    }, 'the campaign does not end');
  return { campaignId, draftId, journeyId, segmentId, messageId, mailId, inAppId, sendId };
}

async function topics(place: Filled, app: string): Promise<void> {
  const news = { key: 'news', name: 'Product news', description: 'What is new, once a month.' };
  await place.call('POST', `${app}/topics`, { ...news, doubleOptIn: true });
  await place.call('POST', `${app}/topics`, { key: 'offers', name: 'Offers', default: 'in' });
  const choices = [
    [2, { news: 'in', offers: 'out' }],
    [4, { news: 'in' }],
    [7, { news: 'out', offers: 'out' }],
  ] as const;
  for (const [at, chosen] of choices)
    await place.call('PUT', `${app}/subscribers/external:${idOf(at)}/preferences`, {
      topics: chosen,
    });
  await place.call('POST', `${app}/forms`, {
    key: 'newsletter',
    name: 'Our newsletter',
    fields: [
      { tag: 'first_name', label: 'First name', type: 'text' },
      { tag: 'is_adult', label: 'I am 18 or older', type: 'checkbox', required: true },
    ],
    topics: ['news'],
    consent: 'I want news about products by email. I can unsubscribe at any time.',
  });
}

async function optOuts(place: Filled, app: string): Promise<void> {
  for (const address of ['p7@example.com', 'p11@example.com'])
    await place.call('POST', `${app}/suppressions`, {
      channel: 'email',
      address,
      reason: 'asked by telephone',
    });
}

type Made = (path: string, body: object) => Promise<string>;

async function journeys(
  place: Filled,
  app: string,
  made: Made,
  { messageId, mailId }: { readonly messageId: string; readonly mailId: string },
): Promise<string> {
  const journeyId = await made(`${app}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signed_up',
    steps: [
      { id: 'hello', type: 'send', messageId },
      { id: 'settle', type: 'wait', days: 1 },
      {
        id: 'is-paying',
        type: 'condition',
        filter: { tag: 'plan', eq: 'pro' },
        then: [{ id: 'thanks', type: 'send', messageId: mailId }],
        else: [
          { id: 'buys', type: 'goal', event: 'order_placed', timeoutHours: 48 },
          { id: 'nudge', type: 'send', messageId },
        ],
      },
    ],
  });
  await place.call('PATCH', `${app}/journeys/${journeyId}`, { active: true });
  await made(`${app}/journeys`, {
    name: 'Win back',
    triggerEvent: 'cancelled',
    steps: [{ id: 'sorry', type: 'send', messageId }],
  });
  return journeyId;
}

/** Flags, an in-app message and a webhook. Returns the in-app message. */
async function setUp(place: Filled, app: string, made: Made, messageId: string): Promise<string> {
  await made(`${app}/flags`, {
    key: 'new-checkout',
    enabled: true,
    filter: { tag: 'plan', eq: 'pro' },
    rolloutPercent: 25,
    variants: [
      { key: 'control', weight: 50 },
      { key: 'one-page', weight: 50 },
    ],
  });
  await made(`${app}/flags`, { key: 'dark-mode', enabled: false });
  await relays(made, app);
  const inAppId = await made(`${app}/in-app-messages`, { messageId, show: 'both', priority: 10 });
  await place.call('PUT', `${app}/integrations/webhook`, {
    url: `${place.sandboxUrl}/hook`,
    events: ['message.bounced', 'campaign.completed'],
  });
  return inAppId;
}

/** Turned off: what fills the app leaves by the sandbox's own relay. */
async function relays(made: Made, app: string): Promise<void> {
  const off = { enabled: false };
  const server = { kind: 'smtp', config: { host: 'smtp.example.com' }, ...off };
  await made(`${app}/relays`, { name: 'Receipts', streams: ['transactional'], ...server });
  await made('/v1/org/relays', { name: 'Office server', ...server });
  const config = { apiKey: 'xkeysib-0123456789abcdef' };
  await made('/v1/org/relays', { name: 'Newsletters', kind: 'brevo', config, ...off });
}

function idOf(at: number): string {
  return `customer-${String(at).padStart(4, '0')}`;
}

function people(): readonly object[] {
  return Array.from({ length: peopleCount }, (_, at) => ({
    externalUserId: idOf(at),
    tags: {
      first_name: names[at % names.length],
      plan: plans[at % plans.length],
      city: cities[at % cities.length],
      orders: at % 9,
      interests: at % 2 === 0 ? ['tea', 'cycling'] : ['chess'],
    },
    timezone: zones[at % zones.length],
    devices: [
      {
        channel: 'email',
        endpoint: at % 40 === 13 ? `nouser${at}@example.com` : `p${at}@example.com`,
      },
      ...(at % 3 === 0
        ? [{ channel: 'fcm', endpoint: at % 30 === 9 ? `dead-${at}` : `phone-${at}` }]
        : []),
      ...(at % 5 === 0 ? [{ channel: 'sms', endpoint: `+4915100${String(10_000 + at)}` }] : []),
    ],
  }));
}

/** Thirty days of what people do, more of it on some days than on others. */
function happenings(nowMs: number): readonly object[] {
  return Array.from({ length: 900 }, (_, at) => {
    const daysAgo = (at * 7) % 29;
    const hour = 7 + ((at * 5) % 15);
    const name = ['app_opened', 'product_viewed', 'order_placed'][at % 7 === 0 ? 2 : at % 2];
    return {
      name,
      externalUserId: idOf((at * 31) % peopleCount),
      at: new Date(nowMs - daysAgo * dayMs - ((24 - hour) * dayMs) / 24).toISOString(),
      props:
        name === 'order_placed' ? { total: 20 + (at % 80), currency: 'EUR' } : { page: at % 12 },
    };
  });
}

/** Transactional sends: most arrive, one bounces, one is held back. Returns the id of one. */
async function sends(place: Filled, app: string, made: Made): Promise<string> {
  const to = (at: number, more: object) =>
    made(`${app}/notifications`, { externalUserId: idOf(at), ...more });
  for (let at = 0; at < 12; at++)
    await to(at, { templateName: 'order-shipped', variables: { parcel: `A-${1000 + at}` } });
  await to(7, { title: 'Your invoice', body: 'It is attached to your account.' });
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'moved-away',
    devices: [{ channel: 'email', endpoint: 'nouser@example.com' }],
  });
  await made(`${app}/notifications`, {
    externalUserId: 'moved-away',
    title: 'Your password was changed',
    body: 'If this was not you, tell us.',
  });
  return to(3, { title: 'Your table is booked', body: 'Tomorrow at seven, for two.' });
}

async function team(place: Filled): Promise<void> {
  const stamp = place.appId.slice(-6);
  await place.call('POST', '/v1/org/members', {
    email: `ada-${stamp}@acme.example`,
    role: 'owner',
  });
  await place.call('POST', '/v1/org/members', {
    email: `ben-${stamp}@acme.example`,
    role: 'viewer',
  });
  await place.call('POST', '/v1/keys', { name: 'Shop backend', scopes: ['send'] });
  await place.call('POST', '/v1/org/clients', { name: 'Harbour Coffee' });
}

function inHundreds<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / 100) }, (_, at) =>
    items.slice(at * 100, at * 100 + 100),
  );
}
