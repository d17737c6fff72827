// Relays of an app in the dashboard: added, checked, changed against another change, turned off and
// removed; and which of them sends.

import t from 'tap';
import { relayKinds as served } from '../../actors/channels/relays/kinds.ts';
import type { Relay } from '../../dashboard/api/generated.ts';
import {
  blankGateway,
  credentialNames,
  gatewayChange,
  gatewayDraftOf,
} from '../../dashboard/relays/gateway-draft.ts';
import { blank, relayBodyOf } from '../../dashboard/relays/relay-draft.ts';
import {
  configOf,
  relayForms,
  relayKinds,
  shownConfig,
} from '../../dashboard/relays/relay-forms.ts';
import { sendingOf } from '../../dashboard/relays/relay-standing.ts';
import { axeFindings } from './support/axe.ts';
import { desk, needsBrowser, phone, workplace } from './support/browser.ts';

const hostile = '<img src=x onerror=alert(1)> "x" ‮ relay';

t.test('each kind has a form with the fields of its configuration', async (t) => {
  for (const kind of relayKinds) {
    const schema = served[kind]?.configSchema as unknown as {
      readonly shape?: object;
    };
    const names = Object.keys(schema.shape ?? {});
    const asked = Object.keys(relayForms[kind].fields);
    t.ok(
      asked.every((name) => names.includes(name)),
      `${kind}: ${asked} of ${names}`,
    );
    const { secrets = [] } = served[kind] ?? {};
    for (const [name, field] of Object.entries(relayForms[kind].fields))
      t.equal(field.kind === 'secret', secrets.includes(name), `${kind}.${name}`);
  }
});

t.test('only what was typed anew is sent, and an empty secret is kept', async (t) => {
  const shown = shownConfig('postmark', { marketingStream: 'news' });
  t.same(configOf('postmark', { ...shown, marketingStream: 'news' }, shown), {});
  t.same(configOf('postmark', { ...shown, eventsPassword: 'p', marketingStream: 'b' }, shown), {
    marketingStream: 'b',
    eventsPassword: 'p',
  });
  t.same(configOf('smtp', { host: 'a.example', port: '25', implicitTls: 'false' }), {
    host: 'a.example',
    port: 25,
    implicitTls: false,
  });
});

t.test('what was shown can be taken back, and what is no number is not "no limit"', async (t) => {
  const shown = shownConfig('postmark', { marketingStream: 'news' });
  t.same(configOf('postmark', { ...shown, marketingStream: ' ' }, shown), {
    marketingStream: null,
  });
  t.same(configOf('smtp', { port: '5b7' }), { port: '5b7' });
  const typed = { ...blank, name: 'A', perDay: '1,000', perSecond: '1e', order: 'two' };
  t.match(relayBodyOf(typed), { perDay: '1,000', perSecond: '1e', order: 'two' });
  t.match(relayBodyOf({ ...typed, perDay: ' ', order: '' }), { perDay: null });
});

t.test('the first relay in the order that can sends', async (t) => {
  const relay = (id: string, order: number, more: object = {}) =>
    ({
      ...{ id, order, name: id, streams: ['transactional'], enabled: true, perDay: null },
      ...{ createdAt: `2026-01-0${order}T00:00:00Z`, health: { state: 'ok', callsToday: 0 } },
      ...more,
    }) as unknown as Relay;
  const down = { health: { state: 'unreachable', callsToday: 0 } };
  const full = { perDay: 5, health: { state: 'ok', callsToday: 5 } };
  const now = (...all: readonly Relay[]) => {
    const one = sendingOf(all, 'transactional');
    return one && [one.by?.id, one.out.map(({ id }) => id).join()];
  };
  t.same(now(relay('b', 2), relay('a', 1)), ['a', '']);
  t.same(now(relay('a', 1, down), relay('b', 2)), ['b', 'a']);
  t.same(now(relay('a', 1, full), relay('b', 2)), ['b', 'a']);
  t.same(now(relay('a', 1, { enabled: false }), relay('b', 2)), ['b', '']);
  t.same(now(relay('a', 1, down)), [undefined, 'a']);
  t.same(now(relay('a', 1, { streams: ['marketing'] })), undefined);
});

for (const [name, size, scheme] of [
  ['a desk', desk, 'light'],
  ['a phone', phone, 'dark'],
] as const)
  t.test(`a relay is added, changed and removed on ${name}`, needsBrowser, async (t) => {
    const { call, open, appId } = await workplace(t);
    const at = `/v1/apps/${appId}/relays`;
    const page = await open('channels/email', { size, scheme, expects: /400|412/ });
    const part = page.locator('#relays');
    await part.getByRole('button', { name: 'Add relay' }).click();
    await part.getByLabel('Service').selectOption({ label: 'Postmark' });
    await part.getByLabel('Name').fill(hostile);
    await part.getByLabel('Server API token').fill('00000000-0000-4000-8000-000000000000');
    await part.getByLabel('Stream for marketing emails').fill('Not A Stream');
    t.strictSame(await axeFindings(page), []);
    await part.getByRole('button', { name: 'Add', exact: true }).click();
    await part.getByText('must be the id of a message stream').waitFor();
    await part.getByLabel('Stream for marketing emails').fill('news');
    await part.getByLabel('Campaigns and journeys').uncheck();
    await part.getByRole('button', { name: 'Add', exact: true }).click();
    const card = part.getByRole('article', { name: hostile });
    await card.waitFor();
    await part.getByText(`Transactional emails: ${hostile} sends.`).waitFor();
    await card.getByText('It has reported nothing yet').waitFor();
    t.notOk((await page.content()).includes('00000000-0000-4000'), 'the token is not in the page');
    t.strictSame(await axeFindings(page), []);
    if (process.env['ENGAGE_SHOTS'] !== undefined)
      await page.screenshot({
        path: `${process.env['ENGAGE_SHOTS']}-${scheme}.png`,
        fullPage: true,
      });

    await card.getByRole('button', { name: 'Check now' }).click();
    await card.getByText(/The service (accepted|rejected)|could not be checked/).waitFor();

    const { items } = (await call('GET', at)) as { readonly items: readonly Relay[] };
    const [relay] = items;
    t.match(relay, {
      kind: 'postmark',
      streams: ['transactional'],
      config: { marketingStream: 'news' },
    });
    await card.getByRole('button', { name: 'Change' }).click();
    await part.getByLabel('Emails per UTC day at most').fill('500');
    await call('PATCH', `${at}/${relay?.id}`, { perDay: 700 });
    await part.getByRole('button', { name: 'Save relay' }).click();
    const conflict = page.getByRole('dialog', { name: /changed while you/ });
    await conflict.waitFor();
    t.match(await call('GET', `${at}/${relay?.id}`), { perDay: 700 }, 'nothing was overwritten');
    await conflict
      .getByRole('button', { name: /mine|Keep my/i })
      .first()
      .click();
    await part.getByText('0 of 500 today').waitFor();

    await card.getByRole('button', { name: 'Turn off' }).click();
    await card.getByRole('button', { name: 'Turn on' }).waitFor();
    await card.getByRole('button', { name: 'Remove relay' }).click();
    const question = page.getByRole('dialog', { name: /^Remove / });
    await question.getByText('they become dead letters').waitFor();
    await question.getByRole('textbox').fill(hostile);
    await question.getByRole('button', { name: 'Remove relay' }).click();
    await card.waitFor({ state: 'detached' });
    t.match(await call('GET', at), { items: [] });
  });

t.test('relays of the org send for an app that has none of its own', needsBrowser, async (t) => {
  const { call, open, appId } = await workplace(t);
  // An undo names the version before: the page finds that only itself has changed it since.
  const page = await open('/org/relays', { expects: /412/ });
  await page.getByText('The organization shares no relay.').waitFor();
  const add = async (name: string, host: string) => {
    await page.getByRole('button', { name: 'Add shared relay' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Host').fill(host);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('article', { name }).waitFor();
  };
  await add('Office server', 'smtp.example.com');
  await add('Spare server', 'spare.example.com');
  t.match(await call('GET', `/v1/apps/${appId}/relays`), { items: [] });
  const named = async (name: string) => {
    const { items } = (await call('GET', '/v1/org/relays')) as { readonly items: readonly Relay[] };
    return items.find((one) => one.name === name);
  };
  t.match(await named('Office server'), { kind: 'smtp', order: 1, streams: { length: 2 } });
  t.match(await named('Spare server'), { kind: 'smtp', order: 2 });
  const office = page.getByRole('article', { name: 'Office server' });
  await office.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('textbox', { name: /^Port/ }).fill('2525');
  await page.getByRole('button', { name: 'Save relay' }).click();

  await office.getByRole('button', { name: 'Move Office server down' }).press('Enter');
  await page.getByText('Campaigns and journeys: Spare server sends.').waitFor();
  const focused = page.locator('[aria-label="Move Office server up"]:focus');
  await focused.waitFor();
  await page
    .getByRole('heading', { name: 'Office server' })
    .dragTo(page.getByRole('heading', { name: 'Spare server' }));
  await page.getByText('Campaigns and journeys: Office server sends.').waitFor();

  await office.getByRole('button', { name: 'Turn off' }).click();
  await office.getByText('Nothing leaves by it.').waitFor();
  t.match(await named('Office server'), {
    enabled: false,
    config: { host: 'smtp.example.com', port: 2525 },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await office.getByRole('button', { name: 'Turn off' }).waitFor();
  t.strictSame(await axeFindings(page), []);

  const email = await open('channels/email');
  await email
    .locator('#relays')
    .getByText('Campaigns and journeys: Office server sends.')
    .waitFor();
  await email.getByRole('link', { name: 'Open shared relays' }).click();
  await email.getByRole('heading', { name: 'Shared relays', level: 1 }).waitFor();
});

t.test('a key of one app is told where shared relays are seen', needsBrowser, async (t) => {
  const { call, open, appId } = await workplace(t);
  const one = { name: 'One app', scopes: ['read', 'admin'], appId };
  const { key } = (await call('POST', '/v1/keys', one)) as { readonly key: string };
  for (const screen of ['channels/email', '/org/relays']) {
    const page = await open(screen, { key, expects: /403/ });
    await page.getByText('signed in with a key that works for one app').waitFor();
    t.equal(await page.locator('main [role="alert"]').count(), 0, `${screen} shows no error`);
  }
});

t.test('two people replace a secret: each is told, and none is shown', needsBrowser, async (t) => {
  const { call, open, appId } = await workplace(t);
  const at = `/v1/apps/${appId}/relays`;
  const made = { name: 'Resend', kind: 'resend', config: { apiKey: 're_first_of_all' } };
  const { id } = (await call('POST', at, made)) as { readonly id: string };
  const page = await open('channels/email', { expects: /412/ });
  const card = page.getByRole('article', { name: 'Resend' });
  await card.getByRole('button', { name: 'Change' }).click();
  await card.getByLabel('API key').fill('re_mine_and_mine_alone');
  await call('PATCH', `${at}/${id}`, { config: { apiKey: 're_theirs' } });
  await card.getByRole('button', { name: 'Save relay' }).click();
  const question = page.getByRole('dialog', { name: /changed while you/ });
  await question.getByRole('button', { name: 'Compare versions' }).click();
  await question.getByText('A new value, not shown').waitFor();
  t.notOk((await question.innerText()).includes('re_mine'), 'the question does not show it');
  await question.getByRole('button', { name: 'Keep mine' }).click();
  await card.getByRole('button', { name: 'Change' }).waitFor();
  t.notOk((await page.content()).includes('re_mine'), 'the page does not have it');
});

const described = {
  url: 'https://gateway.example.com/v1/messages',
  headers: { authorization: 'Bearer {{ credentials.key }}' },
  body: { to: '{{ to }}', text: '{{ text }}' },
  answer: { id: 'id', code: ['status', 'error'], accepted: { code: ['queued'] } },
  callbacks: {
    proof: { kind: 'token', secret: 'reports' },
    reports: { status: 'status', statuses: [{ means: 'taken' }] },
  },
};

t.test('a description becomes the change of what was typed', async (t) => {
  const config = {
    ...described,
    from: 'Shop',
    segmentsMax: 2,
    price: { currency: 'USD', perSegment: 1 },
  };
  const draft = gatewayDraftOf({ config } as unknown as Relay);
  t.same(gatewayChange(draft, config), {}, 'nothing was changed');
  const { segmentsMax: _gone, from: _from, price: _price, ...rest } = config;
  const url = 'https://other.example.com/';
  const typed = {
    ...draft,
    ...{ from: '', byCountry: 'VN 0.05\nid: 0.02', credentials: { key: 'k', reports: '' } },
    description: JSON.stringify({ ...rest, url }),
  };
  t.same(gatewayChange(typed, config), {
    ...{ url, segmentsMax: null, from: null, credentials: { key: 'k' } },
    price: { currency: 'USD', perSegment: 1, byCountry: { VN: 0.05, ID: 0.02 } },
  });
  t.same(gatewayChange({ ...draft, recipe: 'esms', credentials: { apiKey: 'a' } }, config), {
    recipe: 'esms',
    credentials: { apiKey: 'a' },
  });
  t.same(gatewayChange({ ...blankGateway, recipe: 'esms', from: 'A' }), {
    ...{ recipe: 'esms', from: 'A', credentials: {} },
  });
  t.same(credentialNames(draft.description), ['key', 'reports']);
});

for (const [name, size, scheme] of [
  ['a desk', desk, 'light'],
  ['a phone', phone, 'dark'],
] as const)
  t.test(
    `a gateway is added, tried, changed by two and saved on ${name}`,
    needsBrowser,
    async (t) => {
      const { call, open, appId } = await workplace(t);
      const at = `/v1/apps/${appId}/relays`;
      const page = await open('channels/sms', { size, scheme, expects: /400|412/ });
      const part = page.locator('#relays');
      const shoot = async (what: string) => {
        const to = process.env['ENGAGE_SHOTS'];
        if (to !== undefined) await part.screenshot({ path: `${to}-${what}-${scheme}.png` });
      };
      await part.getByRole('button', { name: 'Add gateway' }).click();
      await part.getByLabel('Gateway').selectOption({ label: 'Vonage' });
      await part.getByLabel('Name').fill('Vonage');
      await part.getByText('Enter the address for reports in its dashboard').waitFor();
      await part.getByLabel('API key').fill('key-of-mine-12');
      await part.getByLabel('API secret').fill('secret-of-mine-34');
      await part.getByLabel('A long random text of your own').fill('token-of-mine-56');
      await part.getByLabel('Sender').fill('Shop');
      await shoot('new');
      t.strictSame(await axeFindings(page), []);
      await part.getByRole('button', { name: 'Add', exact: true }).click();
      const card = part.getByRole('article', { name: 'Vonage' });
      await card.waitFor();
      await part.getByText('Transactional texts: Vonage sends.').waitFor();
      await shoot('card');
      const { items } = (await call('GET', at)) as { readonly items: readonly Relay[] };
      const [relay] = items;
      t.match(relay, { channel: 'sms', kind: 'http', config: { recipe: 'vonage', from: 'Shop' } });

      await card.getByRole('button', { name: 'Change' }).click();
      await part.getByLabel('Your phone number').fill('0901234567');
      await part.getByRole('button', { name: 'Show the request' }).click();
      await part.getByText('must be a phone number').waitFor();
      await part.getByLabel('Your phone number').fill('+84901234567');
      await part.getByRole('button', { name: 'Show the request' }).click();
      await part.getByText('api_secret=*apiSecret*').waitFor();
      const json = part.getByLabel('Description');
      const typed = JSON.parse(await json.inputValue());
      await json.fill(JSON.stringify({ ...typed, segmentsMax: 3 }, null, 2));
      await part.getByRole('button', { name: 'Send the text' }).click();
      await part.getByText('Answer: HTTP 200').waitFor();
      await part.getByText('Accepted', { exact: true }).waitFor();
      await part.getByLabel('Currency').fill('USD');
      await part.getByLabel('Prices by country').fill('VN 0.05');
      await shoot('change');
      t.strictSame(await axeFindings(page), []);
      t.notOk(/(key|secret|token)-of-mine/.test(await page.content()), 'no secret is in the page');

      await call('PATCH', `${at}/${relay?.id}`, { config: { segmentsMax: 5 } });
      await part.getByRole('button', { name: 'Save gateway' }).click();
      const conflict = page.getByRole('dialog', { name: /changed while you/ });
      await conflict.waitFor();
      await conflict
        .getByRole('button', { name: /mine|Keep my/i })
        .first()
        .click();
      await card.getByRole('button', { name: 'Change' }).waitFor();
      t.match(await call('GET', `${at}/${relay?.id}`), {
        config: { segmentsMax: 3, price: { currency: 'USD', byCountry: { VN: 0.05 } } },
      });
    },
  );

t.test('gateways of the org are added, ordered, tried and kept secret', needsBrowser, async (t) => {
  const { call, open } = await workplace(t);
  const page = await open('/org/relays', { expects: /412/ });
  const part = page.locator('#sms');
  await part.getByText('The organization shares no gateway.').waitFor();
  const add = async (recipe: string, secrets: Readonly<Record<string, string>>) => {
    await part.getByRole('button', { name: 'Add shared gateway' }).click();
    await part.getByLabel('Gateway').selectOption({ label: recipe });
    await part.getByLabel('Name').fill(recipe);
    for (const [label, secret] of Object.entries(secrets))
      await part.getByLabel(label).fill(secret);
    await part.getByRole('button', { name: 'Add', exact: true }).click();
    await part.getByRole('article', { name: recipe }).waitFor();
  };
  const reports = { 'A long random text of your own': 'token-of-mine-56' };
  await add('Vonage', {
    'API key': 'key-of-mine-12',
    'API secret': 'secret-of-mine-34',
    ...reports,
  });
  await add('Infobip', { 'API key': 'other-of-mine-78', ...reports });
  await part.getByText('Transactional texts: Vonage sends.').waitFor();
  await part
    .getByText(/\?app=…&token=…/)
    .first()
    .waitFor();
  await part.getByRole('button', { name: 'Move Infobip up' }).click();
  await part.getByText('Transactional texts: Infobip sends.').waitFor();
  t.equal(await page.locator('#email').getByRole('article').count(), 0);

  const card = part.getByRole('article', { name: 'Vonage' });
  await card.getByRole('button', { name: 'Change' }).click();
  await part.getByLabel('Your phone number').fill('+84901234567');
  await part.getByRole('button', { name: 'Show the request' }).click();
  await part.getByText('api_secret=*apiSecret*').waitFor();
  await part.getByLabel('API secret').fill('secret-of-mine-90');
  const { items } = (await call('GET', '/v1/org/relays')) as { readonly items: readonly Relay[] };
  const id = items.find(({ name }) => name === 'Vonage')?.id;
  await call('PATCH', `/v1/org/relays/${id}`, { config: { credentials: { apiSecret: 'theirs' } } });
  await part.getByRole('button', { name: 'Save gateway' }).click();
  const question = page.getByRole('dialog', { name: /changed while you/ });
  await question.getByRole('button', { name: 'Compare versions' }).click();
  await question.getByText('A new value, not shown').waitFor();
  t.notOk(/of-mine/.test(await question.innerText()), 'the question does not show it');
  await question.getByRole('button', { name: 'Keep mine' }).click();
  await card.getByRole('button', { name: 'Change' }).waitFor();
  t.strictSame(await axeFindings(page), []);
  t.notOk(/of-mine/.test(await page.content()), 'no secret is in the page');

  await card.getByRole('button', { name: 'Remove gateway' }).click();
  const removal = page.getByRole('dialog', { name: /^Remove / });
  await removal.getByText('It stops sending for all apps').waitFor();
});

t.test('relays of texts are not among those of emails', needsBrowser, async (t) => {
  const { call, open, appId } = await workplace(t);
  await call('POST', `/v1/apps/${appId}/relays`, {
    ...{ name: 'Texts', channel: 'sms', kind: 'http' },
    config: { ...described, credentials: { key: 'k', reports: 'r' } },
  });
  const page = await open('channels/email');
  const part = page.locator('#relays');
  await part.getByRole('button', { name: 'Add relay' }).waitFor();
  t.equal(await part.getByRole('article').count(), 0);
  t.equal(await part.getByText('Texts sends').count(), 0);
});
