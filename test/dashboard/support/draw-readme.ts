// Draws the pictures of the README and of docs/: a small roaster's app with people, a live journey
// and what its customers got; 1,280 by 800 at twice the size, light and dark.
//   npm run build && npm run pictures:readme

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import t from 'tap';
import { root } from '../../support/places.ts';
import { eventually } from '../../support/server.ts';
import { type Workplace, workplace } from './browser.ts';
import { whenSettled } from './screen-list.ts';

const size = { width: 1280, height: 800 };
const first = ['Linh', 'Grace', 'Mateo', 'Amara', 'Jonas', 'Noor', 'Yuki', 'Elif', 'Tom', 'Priya'];
const last = ['Nguyễn', 'Okafor', 'García', 'Lindqvist', 'Tanaka', 'Haddad', 'Kowalski', 'Sharma'];
const cities = ['Lisbon', 'Hà Nội', 'Berlin', 'Jakarta', 'Oslo', 'Porto', 'Kraków'];
const peopleCount = 2_400;
/** Drawn for a card of a message. */
const parcel = `<body style="margin:0"><svg width="640" height="320" viewBox="0 0 640 320">
  <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#e6dac6"/>
  <stop offset="1" stop-color="#c9b58f"/></linearGradient></defs>
  <rect width="640" height="320" fill="url(#g)"/><ellipse cx="320" cy="258" rx="150" ry="22" fill="#a08c66" opacity=".6"/>
  <path d="M320 84l100 40v92l-100 44-100-44v-92z" fill="#c08f55"/><path d="M320 84l100 40-100 42-100-42z" fill="#d6a366"/>
  <path d="M320 166v94l100-44v-92z" fill="#b3824a"/><path d="M248 112l100 42v26l22-10v-25l-100-42z" fill="#1f4a3d"/></svg>`;

t.setTimeout(0);
await t.test('drawn', async (t) => {
  const place = await workplace(t, 'Juniper Coffee');
  await place.call('PATCH', `/v1/apps/${place.appId}`, { name: 'Juniper Coffee' });
  const { journeyId, personPath } = await fillRoaster(place);
  for (const scheme of ['light', 'dark'] as const) {
    const page = await place.open('home', { size, scheme, pixelRatio: 2 });
    const shot = async (screen: string, name: string) => {
      await page.goto(`${place.url}/dashboard/${place.appId}/${screen}`);
      await page.locator('h1').first().waitFor();
      await settled(page);
      writeFileSync(join(root, `docs/${name}-${scheme}.png`), await page.screenshot());
    };
    await shot(`journeys/${journeyId}`, 'dashboard');
    await shot(personPath, 'dashboard-person');
    await drawInbox(page.context().browser(), place, scheme);
    await page.context().close();
  }
});

async function settled(page: Page): Promise<void> {
  await whenSettled(page);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.waitForTimeout(500); // a chart's last frame
}

/** Its page has the fonts of its reader; here it gets the dashboard's, in a browser without any. */
async function drawInbox(
  browser: Browser | null,
  { sandboxUrl }: Workplace,
  scheme: 'light' | 'dark',
): Promise<void> {
  if (browser === null) throw new Error('the page has no browser of its own');
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: 2,
    colorScheme: scheme,
    bypassCSP: true,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto(sandboxUrl);
  await page.addStyleTag({ content: `${fontFaces()}*:not(code,pre){font-family:Inter!important}` });
  await page.locator('#list li, #list [role=option], #list a').first().waitFor();
  await page.locator('#list').getByText('Your parcel is on its way').first().click();
  await settled(page);
  writeFileSync(join(root, `docs/inbox-${scheme}.png`), await page.screenshot());
  await context.close();
}

function fontFaces(): string {
  const folder = join(root, 'dist/dashboard-files/a');
  return readdirSync(folder)
    .filter((name) => /^inter-(latin|vietnamese)-wght/.test(name))
    .map((name) => {
      const data = readFileSync(join(folder, name)).toString('base64');
      return `@font-face{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,${data})}`;
    })
    .join('');
}

interface Roaster {
  readonly journeyId: string;
  readonly personPath: string;
}

async function fillRoaster(place: Workplace): Promise<Roaster> {
  const app = `/v1/apps/${place.appId}`;
  const made = async (path: string, body: object) =>
    ((await place.call('POST', `${app}/${path}`, body)) as { readonly id: string }).id;
  for (const rows of inThousands(people()))
    await place.call('POST', '/v1/import/subscribers', { appId: place.appId, rows });
  const message = (name: string, title: string, body: string) =>
    made('messages', { name, title, body });
  const hello = await message(
    'Welcome to Juniper',
    'Welcome, {{ first_name }}',
    'Your first bag is roasted on Tuesday. Tell us how you brew, and we choose the grind.',
  );
  const thanks = await message(
    'Thanks for your first order',
    'Thank you, {{ first_name }}',
    'Ten per cent off your next bag, for seven days.',
  );
  const nudge = await message(
    'A free tasting set',
    'Three small bags, on us',
    'Try Yirgacheffe, Huila and Đà Lạt before you choose.',
  );
  const journeyId = await made('journeys', {
    name: 'Welcome new customers',
    triggerEvent: 'signed_up',
    goals: [{ event: 'order_placed' }],
    steps: [
      { id: 'Say hello', type: 'send', messageId: hello, channels: ['fcm', 'email'] },
      {
        id: 'Ordered before?',
        type: 'condition',
        filter: { tag: 'orders', exists: true },
        then: [{ id: 'Thank them', type: 'send', messageId: thanks, channels: ['email'] }],
        else: [
          { id: 'First order', type: 'goal', event: 'order_placed', timeoutHours: 48 },
          { id: 'Offer a tasting set', type: 'send', messageId: nudge, channels: ['email'] },
        ],
      },
    ],
  });
  await place.call('PATCH', `${app}/journeys/${journeyId}`, { active: true });
  const events = async (name: string, each: number) => {
    const all = Array.from({ length: peopleCount }, (_, at) => at).filter((at) => at % each === 0);
    for (const some of inThousands(all)) {
      const happened = some.map((at) => ({ name, externalUserId: idOf(at) }));
      await place.call('POST', '/e', { appId: place.appId, events: happened });
    }
  };
  await events('app_opened', 3);
  await events('signed_up', 2);
  await delivered(place, `${app}/journeys/${journeyId}/stats`);
  await events('order_placed', 14);
  // The inbox shows what comes after.
  await fetch(`${place.sandboxUrl}/control/messages`, { method: 'DELETE' });
  await channelsOfGrace(place);
  return { journeyId, personPath: 'people/external:grace' };
}

interface Stats {
  readonly enrolled: number;
  readonly bySteps: Readonly<Record<string, { readonly sent: number; readonly delivered: number }>>;
}

/** Until everybody has entered, and what was sent has arrived. */
async function delivered(place: Workplace, path: string): Promise<void> {
  await eventually(
    async () => {
      const { enrolled, bySteps } = (await place.call('GET', path)) as Stats;
      const steps = Object.values(bySteps);
      const isThere = steps.every(({ sent, delivered }) => sent === delivered);
      return (enrolled === peopleCount / 2 && isThere) || undefined;
    },
    'the journey does not fill',
    120_000,
  );
}

/** One customer with many channels; the inbox shows what she got. */
async function channelsOfGrace(place: Workplace): Promise<void> {
  const app = `/v1/apps/${place.appId}`;
  const picture = await parcelPicture(place);
  await place.call('POST', `${app}/subscribers`, {
    externalUserId: 'grace',
    tags: {
      first_name: 'Grace',
      last_name: 'Okafor',
      city: 'Lisbon',
      plan: 'weekly',
      brews: ['espresso', 'filter'],
      orders: 12,
    },
    timezone: 'Europe/Lisbon',
    devices: [
      { channel: 'email', endpoint: 'grace.okafor@example.com' },
      { channel: 'apns', endpoint: 'c0ffee00'.repeat(8) },
      ...['sms', 'voice', 'whatsapp', 'rcs'].map((channel) => ({
        channel,
        endpoint: '+351912345678',
      })),
      { channel: 'telegram', endpoint: '123456789' },
      { channel: 'line', endpoint: `U${'0123456789abcdef'.repeat(2)}` },
    ],
  });
  await sendToGrace(place, picture);
  await eventually(async () => {
    const { items } = (await place.call('GET', `${app}/notifications?limit=20`)) as {
      readonly items: readonly { readonly status: string }[];
    };
    return items.every(({ status }) => status !== 'queued') || undefined;
  }, 'her messages do not leave');
}

/** One message on each of her channels. */
async function sendToGrace(place: Workplace, picture: string): Promise<void> {
  const send = (channel: string, more: object) =>
    place.call('POST', `/v1/apps/${place.appId}/notifications`, {
      externalUserId: 'grace',
      channels: [channel],
      ...more,
    });
  const way = {
    title: 'Your parcel is on its way',
    body: 'Hello {{ first_name }}, A-1042 arrives on Wednesday before noon.',
  };
  const buttons = [
    { label: 'Track parcel', url: 'https://juniper.example/track' },
    { label: 'Change day', url: 'https://juniper.example/day' },
  ];
  await send('telegram', { ...way, buttons: buttons.slice(0, 1) });
  await send('line', {
    title: 'On its way',
    body: 'Hello {{ first_name }}, your parcel has left.',
  });
  await send('sms', {
    title: 'Juniper Coffee',
    body: 'Your parcel arrives on Wednesday before noon.',
    deepLink: 'https://juniper.example/track',
  });
  await send('apns', {
    title: 'Your driver is two stops away',
    body: 'Parcel A-1042 arrives in about ten minutes.',
  });
  await send('voice', { title: 'Your sign-in code', body: 'Your code is 4 1 7 7.' });
  await send('email', {
    title: 'Your beans are roasted, {{ first_name }}',
    body: `<h1>Roasted this morning</h1><p>A-1042 arrives on Wednesday before noon.</p>`,
  });
  await send('whatsapp', {
    payload: {
      whatsapp: {
        templateName: 'order_update',
        languageCode: 'en_US',
        bodyParams: ['{{ first_name }}', 'A-1042'],
      },
    },
  });
  await send('rcs', { ...way, image: picture, buttons });
}

/** A parcel, drawn by the browser and uploaded. Returns its address. */
async function parcelPicture(place: Workplace): Promise<string> {
  const home = await place.open('home', { size: { width: 640, height: 320 } });
  const page = await home.context().newPage();
  await page.setContent(parcel);
  const png = await page.screenshot();
  await home.context().close();
  const answer = await fetch(`${place.url}/v1/apps/${place.appId}/assets?name=parcel.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.key}`, 'content-type': 'image/png' },
    body: new Uint8Array(png),
  });
  const { url } = (await answer.json()) as { readonly url: string };
  return url;
}

function idOf(at: number): string {
  return `customer-${String(at).padStart(4, '0')}`;
}

function people(): readonly object[] {
  return Array.from({ length: peopleCount }, (_, at) => {
    const [name = '', family = ''] = [first[at % first.length], last[(at * 3) % last.length]];
    return {
      externalUserId: idOf(at),
      tags: {
        first_name: name,
        last_name: family,
        city: cities[at % cities.length],
        ...(at % 4 === 0 && { orders: 1 + (at % 7) }),
      },
      devices: [
        { channel: 'email', endpoint: `${name}.${at}@example.com`.toLowerCase() },
        ...(at % 3 === 0 ? [{ channel: 'fcm', endpoint: `phone-${at}` }] : []),
      ],
    };
  });
}

function inThousands<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / 1000) }, (_, at) =>
    items.slice(at * 1000, at * 1000 + 1000),
  );
}
