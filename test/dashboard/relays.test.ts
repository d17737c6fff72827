// Relays of an app in the dashboard: added, checked, changed against another change, turned off and
// removed; and which of them sends.

import t from 'tap';
import { relayKinds as served } from '../../actors/channels/relays/kinds.ts';
import type { Relay } from '../../dashboard/api/generated.ts';
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
