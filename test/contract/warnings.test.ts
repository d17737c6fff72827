// Members of a body that a route does not know are dropped, and the answer says so; in strict mode
// they are refused.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { makeOrg } from '../support/server.ts';
import { chapter } from './chapter.ts';

t.test('an unknown member is named in the answer, with what was meant', async (t) => {
  const one = await chapter(t);
  const slip = { name: 'Pros', filter: { tag: 'plan', eq: 'pro' }, names: 'P', filters: {} };
  const made = await one.takes(t, `POST ${one.base}/segments`, slip, 201);
  t.same(made.json.warnings, [
    { field: 'names', warning: 'unknown; did you mean name?' },
    { field: 'filters', warning: 'unknown; did you mean filter?' },
  ]);
  t.equal(made.headers['x-engage-warnings'], '2');
  const read = await one.takes(t, `GET ${one.base}/segments/${made.json.id}`, undefined, 200);
  t.equal(read.json.warnings, undefined);
  t.equal(read.headers['x-engage-warnings'], undefined);
  const whole = { name: 'All', filter: { tag: 'plan', eq: 'pro' } };
  const quiet = await one.takes(t, `POST ${one.base}/segments`, whole, 201);
  t.equal(quiet.json.warnings, undefined);
  t.equal(quiet.headers['x-engage-warnings'], undefined);
});

t.test('strict mode refuses what it does not know, and changes nothing', async (t) => {
  const one = await chapter(t);
  const slip = { externalUserId: 'ada', device: [], tag: {} };
  const refusal = {
    status: 400,
    code: 'unknown_field',
    field: 'device',
    error: 'device: unknown; did you mean devices?',
  };
  const refused = await one.refuses(t, `POST ${one.base}/subscribers?strict=true`, slip, refusal);
  t.match(refused.json.issues, [{ field: 'device' }, { field: 'tag' }]);
  const headers = { 'x-engage-strict': 'true' };
  const byHeader = await one.api.call(`POST ${one.base}/subscribers`, slip, headers);
  t.match(byHeader, { status: 400, json: { code: 'unknown_field' } });
  await one.takes(t, `GET ${one.base}/subscribers/external:ada`, undefined, 404);
  await one.takes(t, `POST ${one.base}/subscribers?strict=true`, { externalUserId: 'ada' }, 201);
  await one.takes(t, `POST ${one.base}/subscribers?strict=false`, slip, 200);
  await one.refuses(t, `POST ${one.base}/subscribers?strict=yes`, slip, {
    status: 400,
    field: 'strict',
    error: 'strict: expected true or false',
  });
  await one.refuses(t, `GET ${one.base}/subscribers?strict=true`, undefined, {
    status: 400,
    field: 'strict',
  });
});

t.test('a row of an import of which nothing is known is that row’s error', async (t) => {
  const one = await chapter(t);
  const rows = [
    { externalUserId: 'ada', nickname: 'A' },
    { external_user_id: 'grace' },
    { externalUserId: 'edsger' },
    { colour: 'red' },
  ];
  const { json } = await one.takes(t, 'POST /v1/import/subscribers', { appId: one.app, rows }, 200);
  t.match(json, {
    created: 2,
    failed: 2,
    errors: [
      { row: 1, error: 'external_user_id: unknown; did you mean externalUserId?' },
      { row: 3, error: /^colour: unknown; the row has none of externalUserId, / },
    ],
    warnings: [
      { field: 'rows[0].nickname', warning: 'unknown; ignored' },
      { field: 'rows[1].external_user_id' },
      { field: 'rows[3].colour' },
    ],
  });
});

t.test(
  'a client without a key gets warnings, and a batch names its first such recipient',
  async (t) => {
    const one = await chapter(t);
    await one.takes(t, `POST ${one.base}/subscribers`, { externalUserId: 'ada' }, 201);
    const sdk = await fetch(`${one.server.url}/v1/sdk/subscriber`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ appId: one.app, timeZone: 'Asia/Bangkok' }),
    });
    t.match(await sdk.json(), { warnings: [{ field: 'timeZone' }] });
    t.equal(sdk.headers.get('x-engage-warnings'), '1');
    t.match(sdk.headers.get('access-control-expose-headers'), /x-engage-warnings/);
    const recipients = [{ externalUserId: 'ada' }, { externalUserId: 'ada', variable: {} }];
    const batch = { title: 'Hi', body: 'There', recipients };
    const { json } = await one.takes(t, `POST ${one.base}/notifications/batch`, batch, 202);
    t.match(json.warnings, [
      { field: 'recipients[1].variable', warning: 'unknown; did you mean variables?' },
    ]);
  },
);

t.test('who may see the app is asked before the body is judged', async (t) => {
  const one = await chapter(t);
  const other = await makeOrg(one.server, 'Other');
  const { id: theirs } = await other.client.must('POST /v1/apps', { name: 'Theirs' });
  const unknown = `${theirs.slice(0, -4)}zzzz`;
  const calls: readonly (readonly [string, object | undefined])[] = [
    ['POST /v1/apps/APP/subscribers', { externalUserId: 5 }],
    ['POST /v1/apps/APP/campaigns', { messageId: 5 }],
    ['POST /v1/apps/APP/notifications', { title: '{{', externalUserId: 'x' }],
    ['POST /v1/apps/APP/credentials/fcm', {}],
    ['GET /v1/apps/APP/subscribers?limit=x', undefined],
    ['PUT /v1/apps/APP/integrations/webhook', { url: 'none' }],
  ];
  for (const [line, body] of calls) {
    for (const app of [theirs, unknown, 'app_x'])
      await one.refuses(t, line.replace('APP', app), body, { status: 404, code: 'not_found' }, app);
    await one.refuses(t, line.replace('APP', one.app), body, { status: 400 });
  }
});

t.test('a campaign with a misspelled audience is not sent before somebody says so', async (t) => {
  const one = await chapter(t);
  const { api, base } = one;
  const content = { name: 'Hi', title: 'Hi', body: 'There' };
  const { id: messageId } = await api.must(`POST ${base}/messages`, content);
  const segment = { name: 'S', filter: { tag: 'plan', eq: 'pro' } };
  const { id: segmentId } = await api.must(`POST ${base}/segments`, segment);
  const warnings = [
    { field: 'segmentID', warning: 'unknown; did you mean segmentId?' },
    { field: 'scheduledAt', warning: 'unknown; did you mean schedule?' },
  ];
  const slip = { messageId, segmentID: segmentId, scheduledAt: '2030-01-01', nam: 'Spring' };
  const { json } = await one.takes(t, `POST ${base}/campaigns`, slip, 201);
  t.match(json.warnings, [...warnings, { field: 'nam' }]);
  const path = `${base}/campaigns/${json.id}`;
  const kept = async () => (await api.must(`GET ${path}`)).warnings;
  t.same(await kept(), warnings, 'only what would have narrowed it');
  t.same((await api.must(`GET /v1/campaigns/${json.id}`)).warnings, warnings, 'by its id, too');
  t.same((await api.must(`GET ${base}/campaigns`)).items[0].warnings, warnings, 'and in a list');
  const rehearsed = await one.takes(t, `POST ${path}/dry-run`, undefined, 200);
  t.match(rehearsed.json.warnings, [{ code: 'did_you_mean' }, { code: 'did_you_mean' }]);
  const refusal = { status: 409, code: 'did_you_mean', field: 'segmentID' };
  const refused = await one.refuses(t, `POST ${path}/send`, undefined, refusal);
  t.match(refused.json.issues, [{ field: 'segmentID' }, { field: 'scheduledAt' }]);
  await one.takes(t, `PATCH ${path}`, { segmentId }, 200);
  t.same(await kept(), warnings.slice(1), 'what was corrected is none');
  const copy = await one.takes(t, `POST ${path}/duplicate`, undefined, 201);
  t.same(copy.json.warnings, warnings.slice(1), 'a copy is as doubtful');
  afterKill(one.server, 'a misspelled campaign is still not sent', async (t) => {
    t.same(await kept(), warnings.slice(1));
    await one.refuses(t, `POST ${path}/send`, {}, { status: 409, code: 'did_you_mean' });
    await one.takes(t, `POST ${path}/send`, { confirmWarnings: true }, 200);
  });
});

t.test('a draft whose change of message was misspelled is not sent with the old one', async (t) => {
  const one = await chapter(t);
  const { api, base } = one;
  const message = (title: string) => api.must(`POST ${base}/messages`, { title, body: 'x' });
  const [{ id: messageId }, { id: newer }] = [await message('Old'), await message('New')];
  const { id } = await api.must(`POST ${base}/campaigns`, { messageId });
  const path = `${base}/campaigns/${id}`;
  const warnings = [{ field: 'messageID', warning: 'unknown; did you mean messageId?' }];
  const { json } = await one.takes(t, `PATCH ${path}`, { messageID: newer }, 200);
  t.same(json.warnings, warnings);
  t.same((await api.must(`GET ${path}`)).warnings, warnings, 'told tomorrow, too');
  await one.refuses(t, `POST ${path}/send`, undefined, { status: 409, code: 'did_you_mean' });
  await one.takes(t, `PATCH ${path}`, { messageId: newer }, 200);
  t.equal((await api.must(`GET ${path}`)).warnings, undefined);
});

t.test(
  'what a misspelled field leaves out is told by every read, and holds nothing up',
  async (t) => {
    const one = await chapter(t);
    const { api, base } = one;
    const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body: 'x' });
    const schedule = { type: 'at', at: '2099-01-01T00:00:00Z' };
    const goal = { event: 'order', withinHours: 2 };
    const slip = { messageId, schedule, goall: goal, fallbackChannel: ['email'], iflate: 'skip' };
    const { json } = await one.takes(t, `POST ${base}/campaigns`, slip, 201);
    const warning = (field: string, meant: string) => ({
      ...{ field, warning: `unknown; did you mean ${meant}?`, advisory: true },
    });
    const warnings = [
      warning('goall', 'goal'),
      warning('fallbackChannel', 'fallbackChannels'),
      warning('iflate', 'ifLate'),
    ];
    t.same(json.warnings, warnings);
    const path = `${base}/campaigns/${json.id}`;
    t.same((await api.must(`GET ${path}`)).warnings, warnings);
    await one.takes(t, `PATCH ${path}`, { goal, ifLate: null }, 200);
    t.same(
      (await api.must(`GET ${path}`)).warnings,
      warnings.slice(1, 2),
      'given, or meant to be absent',
    );
    await one.takes(t, `POST ${path}/send`, undefined, 200);
  },
);

t.test('a draft’s reads tell of a fallback that a cap never lets through', async (t) => {
  const one = await chapter(t);
  const { api, base } = one;
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body: 'x' });
  const cap = (max: number) =>
    api.must(`PATCH ${base}/settings`, { caps: [{ max, perHours: 24 }] });
  await cap(1);
  const draft = {
    ...{ messageId, channels: ['fcm'], fallbackChannels: ['email'], fallbackAfterMinutes: 60 },
    schedule: { type: 'at', at: '2099-01-01T00:00:00Z' },
  };
  const { json } = await one.takes(t, `POST ${base}/campaigns`, draft, 201);
  const path = `${base}/campaigns/${json.id}`;
  const told = async () => (await api.must(`GET ${path}`)).warnings;
  const [said] = (await api.must(`POST ${path}/dry-run`)).warnings;
  t.match(said, { code: 'fallback_capped' });
  const advice = [{ field: 'fallbackAfterMinutes', warning: said.message, advisory: true }];
  t.same(json.warnings, advice);
  t.same(await told(), advice);
  t.same((await api.must(`GET ${base}/campaigns`)).items[0].warnings, advice);
  await cap(2);
  t.equal(await told(), undefined, 'the cap is wide enough');
  await cap(1);
  await one.takes(t, `POST ${path}/send`, undefined, 200, 'advice needs no confirmation');
  t.equal(await told(), undefined, 'it is no longer a draft');
  t.same((await api.must(`POST ${path}/unschedule`)).warnings, advice);
});

t.test('a journey does not go live beside the one that a misspelled replaces names', async (t) => {
  const one = await chapter(t);
  const { api, base } = one;
  const steps = [{ id: 'w', type: 'wait', days: 1 }];
  const create = () => api.must(`POST ${base}/journeys`, { name: 'J', triggerEvent: 'x', steps });
  const [{ id: old }, { id }] = [await create(), await create()];
  await api.must(`PATCH ${base}/journeys/${old}`, { active: true });
  const line = `PATCH ${base}/journeys/${id}`;
  const refusal = { status: 409, code: 'did_you_mean', field: 'replace' };
  await one.refuses(t, line, { active: true, replace: old }, refusal);
  t.match(await api.must(`GET ${base}/journeys/${id}`), { active: false });
  await one.takes(t, line, { active: true, replaces: old }, 200);
});

t.test('a journey with a misspelled step goes live only if that is confirmed', async (t) => {
  const one = await chapter(t);
  const { base } = one;
  const message = { title: 'Hi', body: 'There' };
  const steps = [{ id: 'a', type: 'send', message, channel: ['email'] }];
  const slip = { name: 'J', triggerEvent: 'signup', reEntry: 'always', steps };
  const { json } = await one.takes(t, `POST ${base}/journeys`, slip, 201);
  t.match(json.warnings, [
    { field: 'reEntry', warning: 'unknown; did you mean reentry?' },
    { field: 'steps[0].channel', warning: 'unknown; did you mean channels?' },
  ]);
  const read = `GET ${base}/journeys/${json.id}`;
  const kept = async () => (await one.takes(t, read, undefined, 200)).json.warnings;
  t.same(await kept(), json.warnings, 'a read repeats them');
  const { items } = (await one.takes(t, `GET ${base}/journeys`, undefined, 200)).json;
  t.same(items[0].warnings, json.warnings, 'and a list');
  const path = `PATCH ${base}/journeys/${json.id}`;
  const refusal = { status: 409, code: 'did_you_mean', field: 'reEntry' };
  await one.refuses(t, path, { active: true }, refusal);
  const right = [{ id: 'a', type: 'send', message, channels: ['email'] }];
  const corrected = await one.takes(t, path, { steps: right, reentry: 'always' }, 200);
  t.equal(corrected.json.warnings, undefined);
  t.equal(await kept(), undefined);
  await one.takes(t, path, { active: true }, 200);
  const again = await one.takes(t, `POST ${base}/journeys`, slip, 201);
  const live = { active: true, confirmWarnings: true };
  await one.takes(t, `PATCH ${base}/journeys/${again.json.id}`, live, 200);
});

t.test('a refusal for a missing member names what was sent in its place', async (t) => {
  const one = await chapter(t);
  const path = `POST ${one.base}/notifications`;
  const sent = { external_user_id: 'ada', title: 'Hi', body: 'There' };
  const refused = await one.refuses(t, path, sent, {
    status: 400,
    code: 'invalid',
    field: 'subscriberId',
    error:
      /^subscriberId: is missing; .*\. external_user_id: unknown; did you mean externalUserId\?$/,
  });
  t.match(refused.json.issues, [
    { field: 'subscriberId', error: /^is missing/ },
    { field: 'external_user_id', error: 'unknown; did you mean externalUserId?' },
  ]);
  const batch = { title: 'Hi', body: 'There', notifications: [{ externalUserId: 'ada' }] };
  await one.refuses(t, `${path}/batch`, batch, {
    status: 400,
    field: 'recipients',
    error: 'recipients: is missing; expected an array. notifications: unknown',
  });
  const quiet = { name: 5, filter: { tag: 'plan', eq: 'pro' }, colour: 'red' };
  const kept = await one.refuses(t, `POST ${one.base}/segments`, quiet, {
    status: 400,
    field: 'name',
    error: 'name: expected a string, not a number',
  });
  t.equal(kept.json.issues, undefined, 'what is unknown and like nothing has no part in it');
});

t.test('the error of an event names the member that was meant', async (t) => {
  const one = await chapter(t);
  const events = [
    { name: 'bought', external_user_id: 'ada' },
    { Name: 'bought', externalUserId: 'ada' },
    { name: 'bought', externalUserId: 'ada', at: 'noon', atTime: 5 },
  ];
  const { json } = await one.takes(t, 'POST /e', { appId: one.app, events }, 202);
  t.same(
    json.errors.map(({ error }: { error: string }) => error),
    [
      'externalUserId: expected subscriberId or externalUserId. external_user_id: unknown; did you mean externalUserId?',
      'name: expected 1 to 128 characters. Name: unknown; did you mean name?',
      'at: expected an RFC 3339 date-time',
    ],
  );
});

t.test('a link and a cap by the names of other products are answered with ours', async (t) => {
  const one = await chapter(t);
  const { api, base } = one;
  const content = { title: 'Hi', body: 'There', url: 'https://a.example' };
  const warnings = (names: readonly string[], meant: string, at = '') =>
    names.map((name) => ({ field: `${at}${name}`, warning: `unknown; did you mean ${meant}?` }));
  const links = ['clickUrl', 'ctaURL', 'click_action', 'web-url', 'href'];
  const slips = Object.fromEntries(links.map((name) => [name, 'https://a.example']));
  const made = await one.takes(t, `POST ${base}/messages`, { ...content, ...slips }, 201);
  t.same(made.json.warnings, warnings(['url', ...links], 'deepLink'));
  const steps = [{ id: 'a', type: 'send', message: { ...content } }];
  const journey = { name: 'J', triggerEvent: 'x', steps };
  const live = await one.takes(t, `POST ${base}/journeys`, journey, 201);
  t.same(live.json.warnings, warnings(['url'], 'deepLink', 'steps[0].message.'));
  const segment = { name: 'S', filter: { channel: 'email' }, url: 'x', curl: 'x' };
  const other = await one.takes(t, `POST ${base}/segments`, segment, 201);
  t.notMatch(other.text, /deepLink/, 'where no link is known, none is meant');
  const caps = ['cap', 'rateLimit', 'perMinute'];
  const capped = Object.fromEntries(caps.map((name) => [name, 100]));
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body: 'x' });
  const campaign = await one.takes(t, `POST ${base}/campaigns`, { messageId, ...capped }, 201);
  t.same(campaign.json.warnings, warnings(caps, 'throttle'));
});
