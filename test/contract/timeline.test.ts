// Why was this not delivered? Over HTTP, with real faults of the stand-ins: what a send's story and
// a person's timeline say of refusals, retries, opt-outs, preferences, quiet hours, allowances and
// journeys, in codes and in words; and to whom.

import t from 'tap';
import { client, eventually, makeOrg } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, org, server, refuses } = all;
const sandbox = client(server.sandboxUrl);
const operator = client(server.url, server.bootstrapToken);

interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly code: string;
  readonly text: string;
  readonly reason?: string;
  readonly attempt?: number;
  readonly checks?: readonly { readonly check: string; readonly passed: boolean }[];
  readonly next?: { readonly code: string; readonly text: string; readonly at?: string };
  readonly sendId?: string;
  readonly channel?: string;
}

let people = 0;
/** A person with these devices; names decide what stand-ins do. */
async function person(
  devices: Readonly<Record<string, string>>,
  more: object = {},
): Promise<{ readonly id: string; readonly ref: string }> {
  const externalUserId = `person-${++people}`;
  const { id } = await api.must(`POST ${base}/subscribers`, {
    externalUserId,
    devices: Object.entries(devices).map(([channel, endpoint]) => ({ channel, endpoint })),
    ...more,
  });
  return { id, ref: externalUserId };
}

const canary = 'canary words of a message';
const send = async (externalUserId: string, more: object = {}): Promise<string> =>
  (
    await api.must(`POST ${base}/notifications`, {
      externalUserId,
      title: 'Hello',
      body: canary,
      ...more,
    })
  ).id;

const read = (id: string) => api.must(`GET ${base}/notifications/${id}?story=true`);
const timeline = (id: string, query = '') =>
  api.must(`GET ${base}/subscribers/${id}/timeline${query}`);

/** The send's answer once its story has an entry of this code. */
const told = (id: string, code: string) =>
  eventually(async () => {
    const answer = await read(id);
    return answer.story.some((entry: Entry) => entry.code === code) ? answer : undefined;
  }, `the story of ${id} never says ${code}`);
/** The timeline once it has an entry of this code. */
const happened = (id: string, code: string) =>
  eventually(async () => {
    const answer = await timeline(id);
    const entries = [...answer.items, ...answer.now];
    return entries.some((entry: Entry) => entry.code === code) ? answer : undefined;
  }, `the timeline of ${id} never says ${code}`);
const codes = (entries: readonly Entry[]) => entries.map(({ code }) => code);
const failedOf = ({ checks = [] }: Entry) =>
  checks.filter(({ passed }) => !passed).map(({ check }) => check);
const passedOf = ({ checks = [] }: Entry) =>
  checks.filter(({ passed }) => passed).map(({ check }) => check);

t.test('a send that arrives tells that it was accepted, checked and taken', async (t) => {
  const { ref, id: who } = await person({ fcm: 'phone-of-a' });
  const id = await send(ref);
  const { story, status } = await told(id, 'delivered');
  t.equal(status, 'delivered');
  t.same(codes(story), ['accepted', 'delivered']);
  t.match(story[0], {
    kind: 'send',
    text: 'Engage accepted the message for Android push (FCM).',
    sendId: id,
  });
  t.match(story[1], {
    text: 'The Android push (FCM) provider accepted the message.',
    attempt: 1,
  });
  t.same(passedOf(story[1]), ['device', 'expiry', 'opt_out', 'configured', 'content']);
  const { items } = await timeline(who);
  t.same(codes(items), ['delivered', 'accepted'], 'the timeline has the same, newest first');
  t.match(items[0], { eventId: /^evt_/, sendId: id, channel: 'fcm' });
});

t.test('a provider that asks to wait is told with what it said, and when it goes on', async (t) => {
  const { ref, id: who } = await person({ fcm: 'quota600-b' });
  const id = await send(ref);
  const { story, status } = await told(id, 'channel_paused');
  t.equal(status, 'pending');
  t.same(codes(story), ['accepted', 'attempt_paused', 'channel_paused']);
  t.match(story[1], {
    reason: 'quota_exceeded',
    detail: /429/,
    attempt: 1,
    text: /asked to wait before the next call\. The provider's rate limit was reached/,
  });
  t.match(story[2].next, { code: 'resume', text: /One message is tried/ });
  const waitMs = Date.parse(story[2].next.at) - Date.parse(story[1].at);
  t.ok(waitMs >= 500_000 && waitMs <= 900_000, `it waits as it was asked to: ${waitMs}`);
  const { now, items } = await timeline(who);
  t.same(codes(items), ['attempt_paused', 'accepted']);
  t.match(
    now.filter(({ sendId }: Entry) => sendId === undefined),
    [{ code: 'channel_paused', channel: 'fcm', next: { code: 'resume', at: String } }],
  );
  const behind = await person({ fcm: 'phone-behind' });
  const second = await told(await send(behind.ref), 'channel_paused');
  t.match(second.story.at(-1), {
    kind: 'state',
    text: /Sending on Android push \(FCM\) is paused because the provider asked to wait/,
    next: { at: String },
  });
});

t.test(
  'a device that is gone bounces, and the timeline says that it is switched off',
  async (t) => {
    const { ref, id: who } = await person({ email: 'nouser@example.com' });
    const { story, status } = await told(await send(ref), 'bounced');
    t.equal(status, 'bounced');
    t.match(story.at(-1), {
      reason: 'mailbox_not_found',
      detail: /5\.1\.1/,
      text: /^The message cannot be delivered on Email.* The mailbox does not exist/,
    });
    const { now } = await timeline(who);
    t.match(now, [{ code: 'device_disabled', reason: 'mailbox_not_found', channel: 'email' }]);
    const again = await told(await send(ref), 'suppressed');
    t.match(again.story.at(-1), { reason: 'no_device', text: /The person had no enabled device/ });
    t.same(failedOf(again.story.at(-1)), ['device']);
  },
);

t.test('each retry is told with its answer, also once the send has arrived', async (t) => {
  await sandbox.must('POST /control/faults', {
    channel: 'email',
    match: 'flaky',
    fault: 'status',
    value: 451,
    count: 2,
  });
  const { ref, id: who } = await person({ email: 'flaky@example.com' });
  const id = await send(ref);
  const { story, status, outcomes } = await told(id, 'delivered');
  t.equal(status, 'delivered');
  t.same(codes(story), ['accepted', 'attempt_not_taken', 'attempt_not_taken', 'delivered']);
  t.same(
    story.slice(1).map(({ attempt }: Entry) => attempt),
    [1, 2, 3],
  );
  t.match(story.at(-1).text, /accepted the message on call 3\.$/);
  t.same(Object.keys(outcomes[0]).includes('tries'), false, 'outcomes are as they were');
  const { items } = await timeline(who);
  t.same(codes(items), [...codes(story)].reverse());
  for (let limit = 1; limit <= 4; limit++) {
    const found: Entry[] = [];
    let cursor = '';
    do {
      const page = await timeline(who, `?limit=${limit}${cursor}`);
      t.ok(page.items.length <= limit);
      found.push(...page.items);
      cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
    } while (cursor !== '');
    t.same(found, items, `pages of ${limit}`);
  }
});

t.test('an answer that never came is told as that', async (t) => {
  await sandbox.must('POST /control/faults', {
    channel: 'email',
    match: 'cutoff',
    fault: 'drop',
    count: 1,
  });
  const { ref } = await person({ email: 'cutoff@example.com' });
  const { story } = await told(await send(ref), 'attempt_unanswered');
  t.match(story[1], {
    code: 'attempt_unanswered',
    reason: 'connection_lost',
    text: /^Call 1 to the Email provider was sent, but got no response\. The connection/,
  });
});

t.test('an address that opted out is told with its source, and since when', async (t) => {
  const { ref, id: who } = await person({ sms: '+14155550198', whatsapp: '+14155550198' });
  await api.must(`POST ${base}/suppressions`, {
    channel: 'sms',
    address: '+14155550198',
    reason: 'asked by phone',
  });
  const { story, status } = await told(await send(ref), 'suppressed');
  t.equal(status, 'suppressed');
  const receipts = story.filter(({ code }: Entry) => code === 'suppressed');
  t.equal(receipts.length, 2, 'one on each channel of the number');
  for (const receipt of receipts) {
    t.match(receipt, { reason: 'opt_out', text: /was not sent on .* The address has opted out/ });
    t.same(failedOf(receipt), ['opt_out']);
    t.same(passedOf(receipt), ['device', 'expiry']);
  }
  const { now } = await timeline(who);
  const opted = now.filter(({ code }: Entry) => code === 'opted_out');
  t.match(opted, [
    {
      source: 'api',
      reason: 'asked by phone',
      channels: ['sms', 'voice', 'whatsapp', 'rcs', 'kakao'],
      text: /opted out through the API, so nothing is sent to it on SMS, Voice call/,
    },
  ]);
});

t.test('a dead letter says why in words, and who sends it again is noted', async (t) => {
  const rule = await sandbox.must('POST /control/faults', {
    channel: 'email',
    match: 'never',
    fault: 'status',
    value: 451,
  });
  const { ref } = await person({ email: 'never@example.com' });
  const id = await send(ref, { data: { ttlSeconds: 1 } });
  const { story } = await told(id, 'failed');
  t.match(story.at(-1), {
    reason: 'expired',
    text: /failed on Email.* The message's time to live/,
  });
  const { items } = await api.must(`GET ${base}/dead-letters?lane=transactional`);
  const letter = items.find(({ sendId }: Entry) => sendId === id);
  t.match(letter, { lane: 'transactional', text: /^The message failed on Email/ });
  await sandbox.must(`DELETE /control/faults/${rule.id}`);
  await api.must(`POST ${base}/dead-letters/redrive`, { ids: [letter.id] });
  const landed = await told(id, 'delivered');
  t.match(
    landed.story.slice(-3).map(({ code }: Entry) => code),
    ['failed', 'redriven', 'delivered'],
  );
  t.match(landed.story.at(-2), { text: 'The message was sent again on Email, by a redrive.' });
  const log = await api.must('GET /v1/org/audit-log?action=dead_letters.redriven');
  t.match(log.items, [{ target: id, appId: app, actor: /^key_/, after: { redriven: 1 } }]);
});

t.test('somebody without a device, and a preference, are told for what they are', async (t) => {
  const nobody = await person({});
  const { story } = await told(await send(nobody.ref), 'suppressed');
  t.match(story, [
    { code: 'accepted', text: /had no enabled device on these channels/ },
    { reason: 'no_device' },
  ]);
  t.match((await timeline(nobody.id)).now, [{ code: 'no_device', text: /has no device/ }]);
  const choosy = await person({ email: 'choosy@example.com' }, { preferredChannels: ['sms'] });
  t.match((await timeline(choosy.id)).now, [
    { code: 'prefers_channels', channels: ['sms'], text: /wants marketing messages on SMS only/ },
  ]);
});

t.test(
  'a campaign is told by its receipts: put off by quiet hours, left out, in line',
  async (t) => {
    const night = await api.must('POST /v1/apps', { name: 'Night' });
    const at = `/v1/apps/${night.id}`;
    const hour = (shift: number) =>
      `${String((new Date().getUTCHours() + shift + 24) % 24).padStart(2, '0')}:00`;
    await api.must(`PATCH ${at}/settings`, {
      quietHours: { start: hour(-1), end: hour(2), timezone: 'UTC' },
    });
    const of = (externalUserId: string, more: object) =>
      api.must(`POST ${at}/subscribers`, { externalUserId, ...more });
    const email = (endpoint: string) => ({ devices: [{ channel: 'email', endpoint }] });
    const sleeper = await of('sleeper', email('sleeper@example.com'));
    const choosy = await of('choosy', {
      ...email('choosy@example.org'),
      preferredChannels: ['sms'],
    });
    const message = await api.must(`POST ${at}/messages`, { title: 'Sale', body: canary });
    const campaign = await api.must(`POST ${at}/campaigns`, {
      name: 'Sale',
      messageId: message.id,
      channels: ['email'],
    });
    await api.must(`POST /v1/campaigns/${campaign.id}/send`);
    const story = (id: string, code: string) =>
      eventually(async () => {
        const answer = await api.must(`GET ${at}/subscribers/${id}/timeline`);
        return answer.items.some((entry: Entry) => entry.code === code) ? answer : undefined;
      }, `${code} never comes`);
    const held = await story(sleeper.id, 'deferred');
    t.match(held.items[0], {
      kind: 'receipt',
      reason: 'quiet_hours',
      campaignId: campaign.id,
      text: 'The message was deferred on Email. Quiet hours are in effect for the person.',
      next: { code: 'recheck', at: /:00:00\.000Z$/ },
    });
    t.same(failedOf(held.items[0]), ['quiet_hours']);
    t.same(codes(held.now).sort(), ['campaign_held', 'quiet_hours_now']);
    const left = await story(choosy.id, 'suppressed');
    t.match(left.items[0], { reason: 'channel_preference' });
    t.same(failedOf(left.items[0]), ['preference']);
    t.same(passedOf(left.items[0]), ['device', 'opt_out']);
    await api.must(`POST /v1/campaigns/${campaign.id}/pause`);
    const paused = await api.must(`GET ${at}/subscribers/${sleeper.id}/timeline`);
    t.ok(codes(paused.now).includes('campaign_paused'));
    await api.must(`POST /v1/campaigns/${campaign.id}/cancel`);
  },
);

t.test('a journey tells where the person waits, until when, and for what', async (t) => {
  const journey = await api.must(`POST ${base}/journeys`, {
    name: 'Welcome',
    triggerEvent: 'signed_up',
    steps: [
      { id: 'a day', type: 'wait', days: 1 },
      { id: 'buys', type: 'goal', event: 'order_placed', timeoutHours: 5 },
    ],
  });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: true });
  const { ref, id: who } = await person({});
  await client(server.url).must('POST /e', {
    appId: app,
    events: [{ name: 'signed_up', externalUserId: ref }],
  });
  const { items, now } = await happened(who, 'journey_waits');
  t.same(codes(items), ['journey_enrolled', 'tracked']);
  t.match(items[1], { kind: 'event', text: 'The event "signed_up" was tracked.' });
  const waits = now.find(({ code }: Entry) => code === 'journey_waits');
  t.match(waits, { journeyId: journey.id, step: 'a day', text: /waiting at the step "a day"/ });
  const untilMs = Date.parse(waits.next.at) - Date.parse(waits.at);
  t.equal(untilMs, 86_400_000);
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: false });
  t.ok(codes((await timeline(who)).now).includes('journey_leaves'));
});

t.test('campaigns and journeys have their names of now, and none once deleted', async (t) => {
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'Hi', body: canary });
  const email = { email: 'named@example.com' };
  const tags = { named: true };
  const { ref, id: who } = await person(email, { preferredChannels: ['sms'], tags });
  const other = await person({ email: 'other@example.com' }, { tags });
  const journey = await api.must(`POST ${base}/journeys`, {
    name: 'Winter',
    triggerEvent: 'came',
    steps: [{ id: 'a day', type: 'wait', days: 1 }],
  });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: true });
  const events = [{ name: 'came', externalUserId: ref }];
  await client(server.url).must('POST /e', { appId: app, events });
  const campaign = await api.must(`POST ${base}/campaigns`, {
    name: 'Spring',
    messageId,
    filter: { tag: 'named', eq: true },
    channels: ['email'],
  });
  await api.must(`POST /v1/campaigns/${campaign.id}/send`);
  await happened(who, 'suppressed');
  const { items, now } = await happened(who, 'journey_waits');
  const of = (entries: readonly Entry[], code: string) => entries.find((one) => one.code === code);
  t.match(of(items, 'suppressed'), { campaignId: campaign.id, campaignName: 'Spring' });
  t.match(of(items, 'journey_enrolled'), { journeyId: journey.id, journeyName: 'Winter' });
  t.match(of(now, 'journey_waits'), { journeyName: 'Winter' });
  t.notMatch(of(items, 'tracked'), { journeyName: String });
  const got = of((await happened(other.id, 'delivered')).items, 'delivered');
  t.match(got, { campaignName: 'Spring' });
  t.match(of((await read(got?.sendId ?? '')).story, 'campaign_send'), { campaignName: 'Spring' });
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { name: 'Autumn' });
  const renamed = await timeline(who);
  t.match(of(renamed.items, 'journey_enrolled'), { journeyName: 'Autumn' });
  t.match(of(renamed.now, 'journey_waits'), { journeyName: 'Autumn' });
  await api.must(`DELETE ${base}/campaigns/${campaign.id}`);
  await api.must(`PATCH ${base}/journeys/${journey.id}`, { active: false });
  await api.must(`DELETE ${base}/journeys/${journey.id}`);
  const after = (await timeline(who)).items;
  t.match(of(after, 'suppressed'), { campaignId: campaign.id });
  for (const entry of after) t.notOk('campaignName' in entry || 'journeyName' in entry);
});

t.test('an allowance that is used up is told, and when it begins anew', async (t) => {
  const poor = await makeOrg(server, 'Poor', {
    rateLimits: { transactional: null, standard: null },
    emailAllowance: 0,
  });
  const { id: theirs } = await poor.client.must('POST /v1/apps', { name: 'Poor' });
  const at = `/v1/apps/${theirs}`;
  const { id: who } = await poor.client.must(`POST ${at}/subscribers`, {
    externalUserId: 'p',
    devices: [{ channel: 'email', endpoint: 'p@example.com' }],
  });
  const { id } = await poor.client.must(`POST ${at}/notifications`, {
    externalUserId: 'p',
    title: 'x',
    body: 'x',
  });
  const { story } = await eventually(async () => {
    const answer = await poor.client.must(`GET ${at}/notifications/${id}?story=true`);
    return answer.status === 'pending' ? undefined : answer;
  }, 'it stays pending');
  t.match(story.at(-1), { code: 'suppressed', reason: 'email_cap' });
  t.same(failedOf(story.at(-1)), ['email_allowance']);
  const { now } = await poor.client.must(`GET ${at}/subscribers/${who}/timeline`);
  t.match(now, [{ code: 'email_allowance_used', next: { at: /-01T00:00:00\.000Z$/ } }]);
  await operator.must(`PATCH /v1/orgs/${poor.id}`, { emailAllowance: null });
  t.same((await poor.client.must(`GET ${at}/subscribers/${who}/timeline`)).now, []);
});

t.test('a send that nobody queued is told as that, whoever it may be of', async (t) => {
  const { ref, id: who } = await person({ fcm: 'quota600-z' });
  const id = await send(ref);
  await told(id, 'accepted');
  const stranger = await makeOrg(server, 'Stranger');
  const { id: theirs } = await stranger.client.must('POST /v1/apps', { name: 'Theirs' });
  const unknown = {
    status: 'pending',
    outcomes: [],
    story: [{ code: 'unknown_send', text: /this app never queued it/ }],
  };
  for (const path of [
    `${base}/notifications/${id}?story=true`,
    `/v1/apps/${theirs}/notifications/${id}?story=true`,
  ]) {
    const answer = await stranger.client.must(`GET ${path}`);
    t.match(answer, { ...unknown, id });
    t.same(answer.story.length, 1);
  }
  for (const path of [
    `${base}/subscribers/${who}/timeline`,
    `/v1/apps/${theirs}/subscribers/${who}/timeline`,
  ])
    checkRefusal(
      t,
      await stranger.client.call(`GET ${path}`),
      { status: 404, code: 'not_found' },
      'a stranger',
    );
});

t.test('a timeline is read with the read scope, and only its own cursors go on', async (t) => {
  const { id } = await person({});
  const { key } = await api.must('POST /v1/keys', { name: 'w', scopes: ['write', 'send'] });
  checkRefusal(
    t,
    await withKey(all, key).call(`GET ${base}/subscribers/${id}/timeline`),
    { status: 403, code: 'forbidden' },
    'no read scope',
  );
  for (const cursor of ['x', 't0---', 'e1-1', `t1-1-1.e1-${'0'.repeat(26)}`])
    await refuses(
      t,
      `GET ${base}/subscribers/${id}/timeline?cursor=${cursor}`,
      undefined,
      { status: 400, field: 'cursor' },
      cursor,
    );
  await refuses(t, `GET ${base}/subscribers/external:nobody/timeline`, undefined, {
    status: 404,
    code: 'not_found',
  });
});

t.test('no story holds a word of a message or an address', async (t) => {
  for (let n = 1; n <= people; n++) {
    const text = JSON.stringify(await timeline(`external:person-${n}`));
    for (const word of [canary, '@example.com', '+1415', 'quota600'])
      t.notOk(text.includes(word), `person-${n} and ${word}`);
  }
  t.ok(org.id);
});
