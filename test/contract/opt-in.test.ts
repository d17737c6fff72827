// Sign-ups with a double opt-in, through a whole server: one mail, one page, one confirmation.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually } from '../support/server.ts';
import { chapter, checkRefusal } from './chapter.ts';

const { api, app, base, org, server } = await chapter(t);
const sandbox = client(server.sandboxUrl);
const anybody = client(server.url);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const signUp = (endpoint: string, more: object = {}) =>
  anybody.call('POST /v1/sdk/subscribe', { appId: app, channel: 'email', endpoint, ...more });

async function mailsTo(address: string): Promise<readonly { id: number; title: string }[]> {
  const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=100');
  return messages.filter(({ to }: { to: string }) => to === address);
}

/** The newest mail to an address, and the link that is in it. */
async function mailTo(address: string, count = 1) {
  const { id } = await eventually(
    async () => {
      const mails = await mailsTo(address);
      return mails.length >= count ? mails[0] : undefined;
    },
    () => `no mail to ${address}`,
  );
  const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
  const mail = await simpleParser(exchange.requestBody);
  const html = String(mail.html);
  const link = /href="([^"]+\/confirm\/[^"]+)"/.exec(html)?.[1] ?? '';
  const headers = mail.headerLines.map(({ key }) => key);
  return {
    subject: mail.subject,
    html,
    text: mail.text,
    headers,
    link: link.slice(server.url.length),
  };
}

const seenOn = (page: string) => /name="seen" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** Opens the page and presses its button. */
async function confirm(link: string) {
  const page = await anybody.call(`GET ${link}`);
  return anybody.call(`POST ${link}`, `seen=${seenOn(page.text)}`, form);
}

const person = async (address: string) =>
  (await api.must(`GET ${base}/subscribers?address=${encodeURIComponent(address)}`)).items[0];

t.test('a new address is unconfirmed until its owner presses the button', async (t) => {
  const { status, json } = await signUp('new@example.com', { tags: { from: 'footer' } });
  t.equal(status, 202);
  t.same(json, { confirmation: 'asked' });
  const before = await person('new@example.com');
  t.match(before.devices, [{ enabled: false, disabledReason: 'unconfirmed' }]);
  t.same(before.tags, {}, 'nothing of it is stored before');
  const mail = await mailTo('new@example.com');
  t.equal(mail.subject, 'Please confirm your email address');
  t.notMatch(mail.html, /\/[oc]\//, 'no pixel and no tracked link');
  t.notOk(mail.headers.includes('list-unsubscribe'));
  const opened = await anybody.call(`GET ${mail.link}`);
  t.match(opened, { status: 200, text: /new@example\.com/ });
  t.match(
    (await person('new@example.com')).devices,
    [{ enabled: false }],
    'a GET confirms nothing',
  );
  const bare = await anybody.call(`POST ${mail.link}`, '', form);
  t.match(bare.text, /name="seen"/, 'nor does whoever has not seen the page');
  t.match(await confirm(mail.link), { status: 200, text: /that is confirmed/ });
  const after = await person('new@example.com');
  t.match(after.devices, [{ enabled: true }]);
  t.same(after.tags, { from: 'footer' });
  t.match((await anybody.call(`POST ${mail.link}`, '', form)).text, /confirmed already/);
  const events = await api.must(`GET ${base}/events?name=opt_in_confirmed&limit=10`);
  t.match(events.items ?? events.events, [{ props: { address: 'new@example.com' } }]);
});

t.test('a second sign-up on one day sends no second mail', async (t) => {
  await api.must(`POST ${base}/topics`, { key: 'news', name: 'Our <news>', doubleOptIn: true });
  await signUp('twice@example.com', { topics: ['news'], language: 'en' });
  const { link, html } = await mailTo('twice@example.com');
  t.match(html, /Our &lt;news&gt;/);
  const shown = await anybody.call(`GET ${link}`);
  t.equal((await signUp('TWICE@example.com', { tags: { plan: 'b' } })).status, 202);
  t.equal((await mailsTo('twice@example.com')).length, 1);
  const late = await anybody.call(`POST ${link}`, `seen=${seenOn(shown.text)}`, form);
  t.match(late.text, /name="seen"/, 'what was added after the page was shown has to be seen');
  await confirm(link);
  t.match((await person('twice@example.com')).tags, { plan: 'b', 'topic.news': 'in' });
});

t.test('a stranger changes nothing of somebody who is there', async (t) => {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'known',
    tags: { plan: 'pro' },
    devices: [{ channel: 'email', endpoint: 'known@example.com' }],
  });
  const { updatedAt: _at, ...before } = await person('known@example.com');
  t.same((await signUp('known@example.com', { tags: { plan: 'none' } })).json, {
    confirmation: 'asked',
  });
  const { link } = await mailTo('known@example.com');
  const { updatedAt: _now, ...now } = await person('known@example.com');
  t.same(now, before);
  await api.must(`PATCH ${base}/subscribers/external:known`, { tags: { plan: 'gold' } });
  await confirm(link);
  t.match(await person('known@example.com'), { externalUserId: 'known', tags: { plan: 'gold' } });
});

t.test(
  'an opt-out of the person ends with the confirmation, and that of the app stays',
  async (t) => {
    for (const name of ['own', 'tenant'])
      await api.must(`POST ${base}/subscribers`, {
        externalUserId: name,
        devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
      });
    await api.must(`POST ${base}/suppressions`, {
      channel: 'email',
      address: 'tenant@example.com',
    });
    t.same((await signUp('tenant@example.com')).json, { confirmation: 'asked' });
    await api.must(`POST ${base}/notifications`, {
      externalUserId: 'own',
      title: 'Receipt',
      body: 'Hi',
      unsubscribe: 'both',
    });
    await mailTo('own@example.com');
    const id = (await mailsTo('own@example.com'))[0]?.id;
    const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
    const html = String((await simpleParser(exchange.requestBody)).html);
    const out = /href="([^"]+\/u\/[^"]+)"/.exec(html)?.[1]?.slice(server.url.length) ?? '';
    await anybody.call(`POST ${out}`, 'List-Unsubscribe=One-Click', form);
    const optOuts = async (name: string) =>
      (await api.must(`GET ${base}/suppressions?channel=email&address=${name}@example.com`)).items;
    t.match(await optOuts('own'), [{ source: 'unsubscribe' }]);
    await signUp('own@example.com');
    const { link } = await mailTo('own@example.com', 2);
    await confirm(link);
    t.same(await optOuts('own'), []);
    t.match(await optOuts('tenant'), [{ source: 'api' }]);
    t.same(await mailsTo('tenant@example.com'), [], 'nobody was written to');
  },
);

t.test('whoever registers the address with an API key has no need to confirm', async (t) => {
  await signUp('later@example.com');
  const { link } = await mailTo('later@example.com');
  const { json } = await api.call(`POST ${base}/subscribers`, {
    externalUserId: 'later',
    devices: [{ channel: 'email', endpoint: 'later@example.com' }],
  });
  t.match(json.devices, [{ enabled: true }]);
  const { deviceId } = { deviceId: json.devices[0].id };
  await api.must(`PATCH ${base}/subscribers/external:later/devices/${deviceId}`, {
    enabled: false,
  });
  t.match((await confirm(link)).text, /no longer valid/, 'the API key has the last word');
});

t.test('bad sign-ups name their field', async (t) => {
  const refusals = [
    [{ channel: 'sms' }, 'channel', /\/v1\/sdk\/register/],
    [{ endpoint: 'nobody' }, 'endpoint', /./],
    [{ topics: ['other'] }, 'topics[0]', /no topic "other"/],
    [{ tags: { 'topic.news': 'in' } }, 'tags.topic.news', /topics/],
    [{ tags: { plan: null } }, 'tags.plan', /./],
    [{ language: '???' }, 'language', /./],
  ] as const;
  for (const [more, field, error] of refusals)
    checkRefusal(t, await signUp('bad@example.com', more), { status: 400, field, error }, field);
  const token = await signUp('bad@example.com', { clientToken: 'no' });
  checkRefusal(t, token, { status: 401, field: 'clientToken' }, 'token');
  t.match(await anybody.call('GET /confirm/forged'), { status: 404, text: /no longer valid/ });
});

t.test("an app's own template has the link, or is refused", async (t) => {
  const path = `${base}/message-templates`;
  const without = await api.call(`POST ${path}`, { name: 'double-opt-in', title: 'A', body: 'B' });
  checkRefusal(t, without, { status: 400, field: 'body', error: /confirm_url/ }, 'no link');
  const unknown = { name: 'double-opt-in', title: 'A', body: '{{ first_name }} {{ confirm_url }}' };
  checkRefusal(t, await api.call(`POST ${path}`, unknown), { status: 400, field: 'body' }, 'name');
  await api.must(`POST ${path}`, {
    name: 'double-opt-in',
    title: 'Welcome to {{ app_name }}',
    body: '<p>{{ topics }}: <a href="{{ confirm_url }}">yes</a></p>',
  });
  await signUp('own-words@example.com', { topics: ['news'] });
  const { subject, html, link } = await mailTo('own-words@example.com');
  t.equal(subject, 'Welcome to Contract');
  t.match(html, /Our &lt;news&gt;: /);
  t.match(await confirm(link), { text: /that is confirmed/ });
});

t.test('what a client chooses of a topic with a double opt-in is asked for by mail', async (t) => {
  const { clientToken } = await anybody.must('POST /v1/sdk/subscriber', { appId: app });
  const body = { appId: app, clientToken, channel: 'email', endpoint: 'chooser@example.com' };
  await anybody.must('POST /v1/sdk/register', body);
  const topics = { news: 'in' };
  const set = await anybody.must('PUT /v1/sdk/preferences', { appId: app, clientToken, topics });
  t.equal(set.topics.news, 'pending');
  const { link } = await mailTo('chooser@example.com');
  t.match(await confirm(link), { text: /that is confirmed/ });
  t.equal((await person('chooser@example.com')).tags['topic.news'], 'in');
});

t.test('with doubleOptIn off, a sign-up without topics needs no confirmation', async (t) => {
  await api.must(`PATCH ${base}/settings`, { doubleOptIn: false });
  const none = { confirmation: 'none' };
  t.same((await signUp('trusted@example.com', { tags: { plan: 'free' } })).json, none);
  t.match(await person('trusted@example.com'), {
    devices: [{ enabled: true }],
    tags: { plan: 'free' },
  });
  const chosen = await signUp('chooser@example.com', { tags: { plan: 'evil' } });
  t.same(chosen.json, none, 'the answer does not tell whose it is');
  t.notOk((await person('chooser@example.com')).tags.plan, 'but never for somebody else');
  const asked = await signUp('asked@example.com', { topics: ['news'] });
  t.same(asked.json, { confirmation: 'asked' });
  t.match(
    (await person('asked@example.com')).devices,
    [{ enabled: false }],
    'a topic decides itself',
  );
  await api.must(`PATCH ${base}/settings`, { doubleOptIn: true });
});

/** The text of a mail to somebody, after their newest one. */
async function preferencesLink(address: string, title: string): Promise<string> {
  const { id } = await eventually(
    async () => (await mailsTo(address)).find((one) => one.title === title),
    () => `no mail ${title}`,
  );
  const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
  const { html } = await simpleParser(exchange.requestBody);
  return /href="([^"]+\/p\/[^"]+)"/.exec(String(html))?.[1]?.slice(server.url.length) ?? '';
}

t.test('a sign-up with more tags than wait for a confirmation is refused', async (t) => {
  const tags = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`large_${i}`, 'x'.repeat(1_000)]),
  );
  const body = { appId: app, channel: 'email', endpoint: 'large@example.com', tags };
  t.match(await anybody.call('POST /v1/sdk/subscribe', body), {
    status: 400,
    json: { field: 'tags', error: /^tags: expected at most 16384 bytes/ },
  });
});

t.test('the preference center shows and changes what a person wants', async (t) => {
  await api.must(`POST ${base}/topics`, {
    key: 'offers',
    name: 'Offers & more',
    description: 'Once a week',
    default: 'in',
  });
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'pat',
    tags: { language: 'en' },
    devices: [
      { channel: 'email', endpoint: 'pat@example.com' },
      { channel: 'sms', endpoint: '+14155550123' },
    ],
  });
  await api.must(`POST ${base}/notifications`, {
    externalUserId: 'pat',
    channels: ['email'],
    title: 'Settings',
    body: 'Here: <a href="{{ preferences_url }}">yours</a>',
  });
  const link = await preferencesLink('pat@example.com', 'Settings');
  t.match(link, /^\/p\/[\w-]+$/);
  const { status, text, headers } = await anybody.call(`GET ${link}`);
  t.equal(status, 200);
  t.match(text, /p•••@example\.com/);
  t.notMatch(text, /pat@example|0123456|4155550/, 'addresses are masked');
  t.match(text, /Offers &#38; more<small>Once a week/);
  t.match(text, /value="offers" checked/);
  t.notMatch(text, /<script/);
  t.match(headers['content-security-policy'], /default-src 'none'/);
  const save = 'do=save&shown=offers&shown=news&topic=news&channel=email&language=de';
  t.match((await anybody.call(`POST ${link}`, save, form)).status, 200);
  const preferences = () => api.must(`GET ${base}/subscribers/external:pat/preferences`);
  t.match(await preferences(), {
    channels: ['email'],
    language: 'de',
    topics: { offers: 'out', news: 'in' },
  });
  const { items } = await api.must(`GET ${base}/events?name=preferences_changed&limit=5`);
  t.match(items[0], { props: { source: 'page' } });
  // Without any channel there is nothing left to reach them by, whatever they think of topics.
  await anybody.call(`POST ${link}`, 'do=save&shown=offers&topic=offers', form);
  t.match(await preferences(), { channels: ['email'], suppressed: ['email', 'sms'] });
  t.match((await anybody.call(`POST ${link}`, 'do=nothing', form)).status, 200);
  t.match(await preferences(), {
    topics: { offers: 'out', news: 'out' },
    suppressed: ['email', 'sms'],
  });
  await anybody.call(
    `POST ${link}`,
    'do=save&shown=offers&topic=offers&channel=email&channel=sms',
    form,
  );
  const back = await preferences();
  t.match(back, { topics: { offers: 'in' } });
  t.same(back.suppressed, ['sms'], 'only the address that got the link is taken back');
  t.match(await anybody.call('GET /p/forged'), { status: 404, text: /does not work/ });
});

t.test(
  'a campaign has the link in its footer, and so has the page that unsubscribes',
  async (t) => {
    const message = await api.must(`POST ${base}/messages`, { title: 'Weekly', body: 'Hi' });
    await api.must(`POST ${base}/subscribers`, {
      externalUserId: 'foot',
      tags: { only: 'foot' },
      devices: [{ channel: 'email', endpoint: 'foot@example.com' }],
    });
    const filter = { tag: 'only', eq: 'foot' };
    const { id } = await api.must(`POST ${base}/campaigns`, { messageId: message.id, filter });
    await api.must(`POST ${base}/campaigns/${id}/send`);
    const link = await preferencesLink('foot@example.com', 'Weekly');
    t.match(await anybody.call(`GET ${link}`), { status: 200, text: /f•••@example\.com/ });
    const mail = (await mailsTo('foot@example.com'))[0]?.id;
    const { exchange } = await sandbox.must(`GET /control/messages/${mail}`);
    const html = String((await simpleParser(exchange.requestBody)).html);
    const out = /href="([^"]+\/u\/[^"]+)"/.exec(html)?.[1]?.slice(server.url.length) ?? '';
    const page = await anybody.call(`GET ${out}`);
    const more = /href="(\/p\/[^"]+)"/.exec(page.text)?.[1] ?? '';
    t.match(await anybody.call(`GET ${more}`), { status: 200, text: /f•••@example\.com/ });
  },
);

t.test('a form signs up, keeps what was typed, and proves what was agreed to', async (t) => {
  const consent = 'I want "news" & offers.';
  const made = await api.must(`POST ${base}/forms`, {
    key: 'footer',
    name: 'Our <newsletter>',
    consent,
    topics: ['news'],
    fields: [
      { tag: 'first_name', label: 'First name', type: 'text', required: true },
      { tag: 'beta', label: 'Try <new> things', type: 'checkbox' },
    ],
  });
  t.match(made, { path: `/f/${made.id}`, redirectUrl: null, archivedAt: null });
  const page = await anybody.call(`GET ${made.path}`);
  t.equal(page.status, 200);
  for (const text of [
    'Our &#60;newsletter&#62;',
    'First name',
    'Try &#60;new&#62; things',
    'I want &#34;news&#34; &#38; offers.',
  ])
    t.ok(page.text.includes(text), text);
  t.notMatch(page.text, /<script/);
  const post = (body: string, path = made.path) => anybody.call(`POST ${path}`, body, form);
  const wrong = await post('email=nobody&field0=Zo%C3%AB&field1=yes');
  t.equal(wrong.status, 422);
  t.match(wrong.text, /such as ann@example\.com/);
  t.match(wrong.text, /only if you agree/);
  t.match(wrong.text, /value="Zoë"/, 'what was typed stays');
  t.match(wrong.text, /name="field1" value="yes" checked/);
  const full = 'email=form@example.com&field0=Zo%C3%AB&field1=yes&consent=yes';
  const known = await post(full);
  t.equal(known.status, 200);
  t.match(known.text, /Check your mail/);
  await api.must(`PATCH ${base}/forms/footer`, { consent: 'Something else.' });
  const { link } = await mailTo('form@example.com');
  t.ok((await anybody.call(`GET ${link}`)).text.includes('I want &#34;news&#34; &#38; offers.'));
  await confirm(link);
  t.match(await person('form@example.com'), {
    devices: [{ enabled: true }],
    tags: { first_name: 'Zoë', beta: true, 'topic.news': 'in' },
  });
  const { items } = await api.must(`GET ${base}/events?name=opt_in_confirmed&limit=1`);
  t.match(items[0].props, { sentences: [consent], forms: ['footer'], topics: ['news'] });
  await post(`${full.replace('form@', 'robot@')}&website=spam`);
  t.notOk(await person('robot@example.com'), 'a program that fills in everything gets nothing');
  await api.must(`PATCH ${base}/forms/footer`, { redirectUrl: 'https://example.com/thanks' });
  const sent = await post('email=plain@example.com&first_name=Al&consent=yes');
  t.equal(sent.status, 303, 'a form of your own names fields by their tags');
  t.equal(sent.headers['location'], 'https://example.com/thanks');
  await api.must(`PATCH ${base}/forms/footer`, { archived: true });
  t.equal((await anybody.call(`GET ${made.path}`)).status, 404);
  t.equal((await anybody.call('GET /f/frm_nothing')).status, 404);
});

t.test('bad forms name their field', async (t) => {
  const good = { key: 'bad', name: 'Bad', consent: 'Yes.' };
  const field = (more: object) => ({ fields: [{ tag: 'a', label: 'A', type: 'text', ...more }] });
  const refusals = [
    [{ topics: ['other'] }, 'topics[0]'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    [field({ tag: '$x' }), 'fields[0].tag'],
    [field({ tag: 'topic.news' }), 'fields[0].tag'],
    [{ fields: [...field({}).fields, ...field({}).fields] }, 'fields[1].tag'],
    [{ consent: ' ' }, 'consent'],
    [{ key: 'a b' }, 'key'],
  ] as const;
  for (const [more, name] of refusals) {
    const reply = await api.call(`POST ${base}/forms`, { ...good, ...more });
    checkRefusal(t, reply, { status: 400, field: name }, name);
  }
  const again = await api.call(`POST ${base}/forms`, { ...good, key: 'footer' });
  checkRefusal(t, again, { status: 409, field: 'key' }, 'key in use');
});

afterKill(
  server,
  'a sign-up that was answered right before a kill is mailed once',
  async (t) => {
    const { link } = await mailTo('killed@example.com');
    t.equal((await mailsTo('killed@example.com')).length, 1);
    t.match(await confirm(link), { text: /that is confirmed/ });
  },
  async () => {
    await signUp('killed@example.com');
  },
);

const counts = () => api.must(`GET ${base}/opt-ins`);

t.test('addresses that an import brings unconfirmed are asked once', async (t) => {
  const devices = (name: string) => [{ channel: 'email', endpoint: `${name}@import.example` }];
  const rows = Array.from({ length: 12 }, (_, i) => ({
    externalUserId: `imported-${i}`,
    devices: devices(`p${i}`),
  }));
  const before = await counts();
  const dry = { appId: app, rows, consent: 'doubleOptIn', dryRun: true };
  t.match(await api.must('POST /v1/import/subscribers', dry), { created: 12, unconfirmed: 12 });
  const body = { appId: app, rows, consent: 'doubleOptIn' };
  const answer = await api.must('POST /v1/import/subscribers', body);
  t.match(answer, { created: 12, unconfirmed: 12, errors: [] });
  t.notOk('warnings' in answer);
  t.match((await person('p3@import.example')).devices, [{ disabledReason: 'unconfirmed' }]);
  const { link } = await mailTo('p3@import.example');
  await eventually(
    async () => (await counts()).waiting === before.waiting + 12 || undefined,
    () => 'not all were asked',
  );
  await confirm(link);
  t.match((await person('p3@import.example')).devices, [{ enabled: true }]);
  t.match(await counts(), { queued: before.queued, confirmed: before.confirmed + 1 });
  t.match(await api.must('POST /v1/import/subscribers', { appId: app, rows }), { updated: 12 });
  t.match((await person('p4@import.example')).devices, [{ enabled: true }], 'by a new consent');
  const wrong = await api.call('POST /v1/import/subscribers', { ...body, consent: 'maybe' });
  checkRefusal(t, wrong, { status: 400, code: 'invalid', field: 'consent' }, 'a wrong consent');
});

t.test('a call for one person and other services ask in the same way', async (t) => {
  const devices = [{ channel: 'email', endpoint: 'one@import.example' }];
  const one = { externalUserId: 'one', devices, consent: 'doubleOptIn' };
  const made = await api.must(`POST ${base}/subscribers`, one);
  t.match(made.devices, [{ enabled: false, disabledReason: 'unconfirmed' }]);
  await mailTo('one@import.example');
  const cdp = `${base}/integrations/cdp`;
  const { writeKey, path } = await api.must(`PUT ${cdp}`, { consent: 'doubleOptIn' });
  t.match(await api.must(`GET ${cdp}`), { consent: 'doubleOptIn', devicesFromTraits: true });
  const traits = { email: 'trait@import.example' };
  const identify = { type: 'identify', userId: 'trait', traits };
  await anybody.must(`POST ${path}/batch`, { batch: [identify], writeKey });
  await mailTo('trait@import.example');
  const auth = Buffer.from(`${app}:${org.key}`).toString('base64');
  const line = 'PUT /compat/customerio/api/v1/customers/cio';
  const email = 'cio@import.example';
  const headers = { authorization: `Basic ${auth}` };
  await anybody.call(line, { email }, headers);
  await mailTo('cio@import.example');
  t.match(await person('cio@import.example'), { devices: [{ enabled: false }] });
  await api.must(`PATCH ${cdp}`, { consent: 'confirmed' });
});
