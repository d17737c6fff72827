// States of screens that a list of screens does not name: their tabs and reports, what a click
// opens, and what an app has after months. All of them are only looked at, by a person.

import type { Page } from 'playwright-core';
import type { LivedInApp } from './lived-in-app.ts';
import { mailboxAnswer } from './mailbox-answers.ts';
import type { ShownScreen } from './screen-list.ts';

export interface PictureState extends ShownScreen {
  /** Done once the screen is there. */
  act?(page: Page): Promise<void>;
}

/** What calls the API in the name of the app. */
interface Filled {
  readonly appId: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

interface Months {
  readonly campaignIds: readonly string[];
  readonly longId: string;
}

/** More than a month of life: ten campaigns to compare, and a journey of 198 steps. */
export async function fillMonths(place: Filled, made: LivedInApp): Promise<Months> {
  const app = `/v1/apps/${place.appId}`;
  const create = async (path: string, body: object) =>
    ((await place.call('POST', `${app}/${path}`, body)) as { readonly id: string }).id;
  const names = ['Spring sale', 'Price change', 'New in Berlin', 'Loyalty week', 'Terms of use'];
  const campaignIds = [made.campaignId];
  for (let at = 0; at < 9; at++) {
    const name = `${names[at % names.length]}, ${at < names.length ? 'first' : 'second'} letter`;
    const filter = { tag: 'orders', in: Array.from({ length: at + 1 }, (_, one) => one) };
    const id = await create('campaigns', { name, messageId: made.mailId, filter });
    await place.call('POST', `/v1/campaigns/${id}/send`, {});
    campaignIds.push(id);
  }
  const steps = longList(made.messageId);
  const longId = await create('journeys', {
    name: 'A year with us',
    triggerEvent: 'signed_up',
    steps,
  });
  return { campaignIds, longId };
}

/** 33 rounds of six steps: 198, two below what a journey may have. */
function longList(messageId: string): readonly object[] {
  return Array.from({ length: 33 }, (_, at) => [
    { id: `wait-${at}`, type: 'wait', days: 7 + (at % 3) },
    {
      id: `plan-${at}`,
      type: 'condition',
      filter: { tag: 'plan', eq: at % 2 === 0 ? 'pro' : 'team' },
      then: [{ id: `news-${at}`, type: 'send', messageId }],
      else: [
        { id: `buys-${at}`, type: 'goal', event: 'order_placed', timeoutHours: 24 },
        { id: `offer-${at}`, type: 'send', messageId },
        { id: `rest-${at}`, type: 'wait', hours: 12 },
      ],
    },
  ]).flat();
}

const filter = JSON.stringify({
  all: [
    { tag: 'plan', eq: 'pro' },
    { event: 'order_placed', withinDays: 30, atLeast: 2 },
    { tag: 'city', in: ['Berlin', 'Lisbon'] },
  ],
});

/** Names of states, each with what follows the app, or `/…` below `/dashboard`. */
function addresses(made: LivedInApp, { campaignIds, longId }: Months): Record<string, string> {
  const campaign = `campaigns/${made.campaignId}`;
  const journey = `journeys/${made.journeyId}`;
  return {
    'people-filtered': `people?filter=${encodeURIComponent(filter)}`,
    'person-failed': 'people/external:moved-away',
    'segment-explained': `segments/${made.segmentId}?person=customer-0003`,
    'campaign-people': `${campaign}?tab=people`,
    'campaign-links': `${campaign}?tab=links`,
    'campaign-plan': `${campaign}?tab=plan`,
    'campaign-when': `campaigns/${made.draftId}?fold=when`,
    'campaign-review': `campaigns/${made.draftId}?fold=review`,
    compare: `compare?ids=${campaignIds.slice(0, 3).join(',')}`,
    'compare-ten': `compare?ids=${campaignIds.join(',')}`,
    'journey-step': `${journey}?panel=step&step=is-paying`,
    'journey-try': `${journey}?panel=try`,
    'journey-forecast': `${journey}?panel=forecast`,
    'journey-people': `${journey}?panel=people`,
    'journey-long': `journeys/${longId}`,
    mail: `messages/${made.mailId}`,
    templates: 'messages?tab=templates',
    failures: 'activity?tab=failures',
    'event-catalog': 'events?tab=catalog',
    'insights-growth': 'insights?tab=growth',
    'insights-health': 'insights?tab=health',
    'insights-mailboxes': 'insights?tab=mailboxes',
    'insights-heatmap': 'insights?tab=heatmap',
    'insights-funnel': 'insights?tab=funnel&steps=app_opened,product_viewed,order_placed',
    'insights-retention': 'insights?tab=retention',
    'insights-rfm': 'insights?tab=rfm',
    'insights-rfm-orders': 'insights?tab=rfm&event=order_placed&value=total',
    'flag-evaluated': 'flags/new-checkout?person=customer-0002',
    'webhook-deliveries': 'integrations?tab=deliveries',
    'team-keys': '/org/team?tab=keys',
    'team-sign-ins': '/org/team?tab=sign-ins',
    'relays-out': '/org/relays',
    'email-relays': 'channels/email',
    'billing-used': '/org/billing',
    'live-activities-open': 'live-activities',
  };
}

const acts: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'relays-out': plantRelays,
  'email-relays': plantRelays,
  'billing-used': plantYear,
  'live-activities-open': plantActivities,
  'insights-mailboxes': async (page) => {
    await plant(page, '/v1/insights/mailbox-providers', mailboxAnswer());
    await page.reload();
  },
};

export function pictureStates(made: LivedInApp, months: Months): readonly PictureState[] {
  return Object.entries(addresses(made, months)).map(([name, address]) => {
    const act = acts[name];
    return {
      name,
      path: (appId) => (address.startsWith('/') ? address : `/${appId}/${address}`),
      ...(act === undefined ? {} : { act }),
    };
  });
}

/** A month with a curve, what it costs so far, and a year of invoices. */
async function plantYear(page: Page): Promise<void> {
  const month = new Date().toISOString().slice(0, 7);
  const curve = (most: number) =>
    Array.from({ length: 21 }, (_, day) => Math.round(most * (1 - 0.86 ** (day + 1))));
  const app = (name: string, most: number, unvouched: number) => ({
    appId: `app_${name}`,
    name,
    deleted: name === 'Old shop',
    mau: curve(most).at(-1),
    mauByDay: name === 'Old shop' ? null : curve(most),
    unvouched,
    expired: 0,
  });
  await plant(page, '/v1/org/usage', {
    month,
    mau: 61_804,
    byApp: [
      app('Acme shop', 41_200, 0),
      app('Acme loyalty', 19_050, 318),
      app('Old shop', 4_000, 0),
    ],
    clients: [
      { orgId: 'org_1', name: 'Harbour Coffee', mau: 1_204, emails: mails(12_480, 0) },
      { orgId: 'org_2', name: 'Blue Door Books', mau: 88, emails: mails(964, 0) },
    ],
    emails: mails(131_072, 31_072),
  });
  await plant(page, '/v1/org/invoice-preview', {
    month,
    prices: '2026-01',
    lines: invoiceLines,
    totalCents: 31_482,
    currency: 'USD',
  });
  await plant(page, '/v1/org/billing', {
    items: (['open', 'failed', 'paid', 'paid', 'void', 'paid'] as const).map(invoice),
    nextCursor: null,
    paymentMethod: { brand: 'visa', last4: '4242', expires: '2028-04' },
  });
  await page.reload();
}

const mails = (delivered: number, overage: number) => ({ delivered, included: 100_000, overage });

const invoiceLines = [
  {
    code: 'mau_free',
    description: '10,000 people without charge',
    quantity: 10_000,
    amountCents: 0,
  },
  { code: 'mau', description: 'Monthly active people', quantity: 51_804, amountCents: 25_902 },
  { code: 'emails', description: 'Emails beyond 100,000', quantity: 31_072, amountCents: 5_580 },
];

function invoice(status: 'open' | 'failed' | 'paid' | 'void', before: number): object {
  const now = new Date();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1)).toISOString();
  return {
    id: `inv_${before}`,
    number: `ENG-2026-${String(1_200 - before).padStart(6, '0')}`,
    month: new Date(Date.parse(at) - 86_400_000).toISOString().slice(0, 7),
    prices: '2026-01',
    lines: invoiceLines,
    totalCents: 31_482 - before * 4_127,
    currency: 'USD',
    status,
    issuedAt: at,
    paidAt: status === 'paid' ? at : null,
    attempts:
      status === 'failed'
        ? [{ attempt: 1, at, outcome: 'failed', reason: 'insufficient funds' }]
        : [],
  };
}

/** One has used up its day, one is refused, one sends, one is off. */
async function plantRelays(page: Page): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const well = { state: 'ok', since: null, until: null, reason: null, detail: null, callsToday: 0 };
  const refused = { reason: 'credential_refused', detail: '535 5.7.8 Not accepted', until: at(2) };
  const one = (nth: number, kind: string, name: string, more: object = {}) => ({
    ...{ id: `rel_${nth}`, name, channel: 'email', kind, order: nth, enabled: true, config: {} },
    ...{ streams: ['transactional', 'marketing'], perSecond: null, perDay: null, health: well },
    ...{ events: null, etag: `e${nth}`, createdAt: at(-9_000 + nth), updatedAt: at(-900) },
    ...more,
  });
  await plant(page, /\/relays$/, {
    items: [
      one(1, 'postmark', 'Postmark', { perDay: 5_000, health: { ...well, callsToday: 5_000 } }),
      one(2, 'ses', 'SES', { health: { ...well, ...refused, state: 'refused', since: at(-48) } }),
      one(3, 'brevo', 'Brevo', { perSecond: 14 }),
      one(4, 'smtp', 'Office server', { enabled: false, streams: ['marketing'] }),
    ],
    nextCursor: null,
    total: 4,
  });
  await page.reload();
}

async function plantActivities(page: Page): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const items = (['active', 'active', 'ended', 'closed'] as const).map((state, nth) => ({
    id: `la_${nth}`,
    activityType: nth === 1 ? 'MatchScore' : 'DeliveryStatus',
    subscriberId: `sub_${nth}`,
    state,
    attributes: { order: `A-${1_000 + nth}` },
    deviceId: null,
    createdAt: at(40 + nth * 90),
    updatedAt: at(2 + nth * 70),
  }));
  await plant(page, /\/live-activities$/, { items, nextCursor: null });
  await page.reload();
}

/** The next loads of the page get this answer. */
async function plant(page: Page, path: string | RegExp, json: object): Promise<void> {
  await page.route(
    ({ pathname }) => (typeof path === 'string' ? pathname === path : path.test(pathname)),
    (route) => (route.request().isNavigationRequest() ? route.fallback() : route.fulfill({ json })),
  );
}
