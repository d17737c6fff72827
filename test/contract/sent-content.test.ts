// What a send said, over HTTP: of transactional sends as it was rendered, of campaigns and journeys
// from the copy that they sent, and never the words of a message that was edited since.

import t from 'tap';
import { formatId, type IdParts, parseId } from '../../engine/base/id.ts';
import { client, eventually, makeOrg } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, org, server, app, refuses } = all;

const path = (id: string) => `${base}/notifications/${id}`;
const read = (id: string) => api.must(`GET ${path(id)}`);
const preview = (id: string) => api.must(`GET ${path(id)}/preview`);
const make = async (what: string, body: object): Promise<string> =>
  (await api.must(`POST ${base}/${what}`, body)).id;
const settled = (id: string) =>
  eventually(async () => {
    const send = await read(id);
    return send.status === 'pending' ? undefined : send;
  }, `${id} does not end`);

let people = 0;
/** A person with these devices, and their external id. */
async function person(
  devices: Readonly<Record<string, string>>,
  more: object = {},
): Promise<{ readonly id: string; readonly ref: string }> {
  const ref = `reader-${++people}`;
  const { id } = await api.must(`POST ${base}/subscribers`, {
    externalUserId: ref,
    devices: Object.entries(devices).map(([channel, endpoint]) => ({ channel, endpoint })),
    ...more,
  });
  return { id, ref };
}

/** The send of a person's newest receipt that the filter admits. */
const sendOf = (subscriberId: string, filter: string, name = 'delivered'): Promise<string> =>
  eventually(async () => {
    const { items } = await api.must(
      `GET ${base}/events?subscriberId=${subscriberId}&name=${name}&${filter}`,
    );
    return items[0]?.sendId;
  }, `no ${name} of ${subscriberId}`);

t.test('a send tells what each channel got, and until when that is kept', async (t) => {
  const { ref } = await person(
    { fcm: 'phone-content', email: 'content@example.com', sms: '+14155550101' },
    { tags: { first_name: 'Ada <3' } },
  );
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId: ref,
    title: 'Order {{ order }}',
    body: '<p>Hello {{ first_name }}</p>',
    image: 'https://acme.example/{{ order }}.png',
    buttons: [{ label: 'Track {{ order }}', url: 'https://acme.example/{{ order }}' }],
    data: { order: '{{ order }}' },
    sound: 'chime',
    variables: { order: '1042' },
  });
  const sent = await settled(id);
  t.match(sent, { status: 'delivered', contentState: 'as_sent' });
  const [fcm, email, sms] = sent.content;
  t.same(
    sent.content.map(({ channel }: { channel: string }) => channel),
    ['fcm', 'email', 'sms'],
  );
  t.match(fcm, {
    deviceIds: [/^dev_/],
    language: null,
    title: 'Order 1042',
    body: 'Hello Ada <3',
    image: 'https://acme.example/1042.png',
    buttons: [{ label: 'Track 1042', url: 'https://acme.example/1042' }],
    data: { order: '1042' },
    sound: 'chime',
  });
  t.match(email, { title: 'Order 1042', body: '<p>Hello Ada &lt;3</p>' });
  t.match(sms, { body: 'Hello Ada <3' });
  const { acceptedAt } = await api.must(`GET ${path(id)}?story=true`);
  t.equal(Date.parse(sent.contentUntil) - Date.parse(acceptedAt), 90 * 86_400_000);
  const bare = await api.must(`GET ${path(id)}?content=false`);
  t.notOk('content' in bare || 'contentState' in bare, 'left out on request');
});

t.test('the preview of a send is what its providers were given', async (t) => {
  const { ref } = await person({ email: 'preview@example.com', voice: '+14155550102' });
  const { id } = await api.must(`POST ${base}/notifications`, {
    externalUserId: ref,
    title: 'Code',
    body: 'Your code is {{ code }}',
    variables: { code: '{{ 7 | times: 6 }}' },
  });
  await settled(id);
  const { items, contentState } = await preview(id);
  t.equal(contentState, 'as_sent');
  t.match(items[0], {
    channel: 'email',
    content: { title: 'Code', body: 'Your code is {{ 7 | times: 6 }}' },
    payload: { subject: 'Code', html: /Your code is \{\{ 7 \| times: 6 \}\}/ },
    mailPath: /^\/preview\//,
  });
  t.notMatch(items[0].payload, { headers: { 'List-Unsubscribe': String } }, 'not marketing');
  t.match(items[1], { channel: 'voice', payload: { Twiml: /Your code is/ } });
  const { text } = await client(server.url).call(`GET ${items[0].mailPath}`);
  t.match(text, /Your code is/);
});

t.test('each localization is told as it was chosen', async (t) => {
  const { results } = await (async () => {
    const readers = [];
    for (const language of ['de-AT', 'vi', 'fr'])
      readers.push(await person({ fcm: `phone-${language}` }, { tags: { language } }));
    return api.must(`POST ${base}/notifications/batch`, {
      title: 'Hello',
      body: 'Base {{ n }}',
      variables: { n: 1 },
      localizations: {
        de: { title: 'Hallo', body: 'Deutsch {{ n }}' },
        vi: { body: 'Tiếng {{ n }}' },
      },
      recipients: readers.map(({ ref }, n) => ({ externalUserId: ref, variables: { n } })),
    });
  })();
  const told = [];
  for (const { id } of results) {
    const { content } = await read(id);
    told.push([content[0].language, content[0].title, content[0].body]);
  }
  t.same(told, [
    ['de', 'Hallo', 'Deutsch 0'],
    ['vi', 'Hello', 'Tiếng 1'],
    [null, 'Hello', 'Base 2'],
  ]);
});

t.test('a failed send, one to nobody and a test are told like any other', async (t) => {
  const gone = await person({ email: 'nouser@example.com' });
  const bounced = await settled(
    await make('notifications', { externalUserId: gone.ref, title: 'Hi', body: 'You there?' }),
  );
  t.match(bounced, { status: 'bounced', contentState: 'as_sent', content: [{ title: 'Hi' }] });
  const nobody = await person({});
  const none = await read(
    await make('notifications', { externalUserId: nobody.ref, title: 'Hi', body: 'Nobody home' }),
  );
  t.match(none, {
    status: 'suppressed',
    contentState: 'as_sent',
    content: [{ channel: null, deviceIds: [], body: 'Nobody home' }],
  });
  const tester = await person({ fcm: 'phone-tester' }, { tags: { first_name: 'Tess' } });
  const messageId = await make('messages', { title: 'For {{ first_name }}', body: 'A trial' });
  const test = await make(`messages/${messageId}/test`, { externalUserId: tester.ref });
  await api.must(`PATCH ${base}/messages/${messageId}`, { title: 'Edited' });
  t.match(await settled(test), { test: true, content: [{ title: 'For Tess', body: 'A trial' }] });
});

t.test('a campaign tells its copy, whatever became of its message', async (t) => {
  const segment = { tag: 'group', eq: 'campaign' };
  const one = await person(
    { fcm: 'phone-campaign' },
    { tags: { group: 'campaign', first_name: 'Cora', language: 'de' } },
  );
  const other = await person({ fcm: 'phone-other' }, { tags: { group: 'campaign' } });
  const messageId = await make('messages', {
    title: 'Sale for {{ first_name | default: "you" }}',
    body: 'Now',
    localizations: { de: { body: 'Jetzt' } },
  });
  const campaignId = await make('campaigns', { messageId, filter: segment, channels: ['fcm'] });
  await api.must(`POST /v1/campaigns/${campaignId}/send`, {});
  const sendId = await sendOf(one.id, `campaignId=${campaignId}`);
  const expected = { channel: 'fcm', language: 'de', title: 'Sale for Cora', body: 'Jetzt' };
  t.match(await read(sendId), { contentState: 'as_sent', content: [expected] });
  await api.must(`PATCH ${base}/messages/${messageId}`, { title: 'Edited', body: 'Edited' });
  t.match(await read(sendId), { contentState: 'as_sent', content: [expected] });
  t.match(await preview(sendId), {
    contentState: 'as_sent',
    items: [{ channel: 'fcm', payload: { message: { notification: { title: 'Sale for Cora' } } } }],
  });
  await api.must(`PATCH ${base}/subscribers/${one.id}`, { tags: { first_name: 'Dora' } });
  t.match(
    await read(sendId),
    { contentState: 'may_differ', content: [{ title: 'Sale for Dora' }] },
    'values of a person who changed may differ, and that is said',
  );
  const theirs = await sendOf(other.id, `campaignId=${campaignId}`);
  t.match(await read(theirs), {
    content: [{ language: null, title: 'Sale for you', body: 'Now' }],
  });
  await api.must(`DELETE ${base}/subscribers/${other.id}`);
  t.match(await read(theirs), { contentState: 'erased', content: null, contentUntil: null });
  t.match(await preview(theirs), { contentState: 'erased', items: [] });
});

t.test('a campaign shows what it sends: its message before, its copy from then on', async (t) => {
  const one = await person({ fcm: 'phone-look' }, { tags: { group: 'look', first_name: 'Lou' } });
  const a = await make('messages', { title: 'A for {{ first_name }}', body: 'A' });
  const b = await make('messages', {
    title: 'B',
    body: 'B',
    localizations: { de: { body: 'B!' } },
  });
  const campaignId = await make('campaigns', {
    messageId: a,
    filter: { tag: 'group', eq: 'look' },
    channels: ['fcm', 'email'],
    variants: [
      { id: 'a', weight: 1, messageId: a },
      { id: 'b', weight: 1, messageId: b },
    ],
  });
  const line = `POST ${base}/campaigns/${campaignId}/preview`;
  const before = await api.must(line, { externalUserId: one.ref });
  t.match(before, { isCopy: false, occurrence: null });
  t.match(before.items, [
    { channel: 'fcm', content: { title: 'A for Lou' }, payload: { message: {} } },
    { channel: 'email', content: { title: 'A for Lou' }, mailPath: /^\/preview\// },
  ]);
  t.equal(before.items.length, 2, 'its channels alone');
  await api.must(`PATCH ${base}/messages/${a}`, { title: 'Edited once' });
  t.match(await api.must(line, {}), { items: [{ content: { title: 'Edited once' } }] });
  await api.must(`POST /v1/campaigns/${campaignId}/send`, {});
  await api.must(`PATCH ${base}/messages/${a}`, { title: 'Edited twice' });
  await api.must(`PATCH ${base}/messages/${b}`, { body: 'Edited' });
  const after = await api.must(line, { channel: 'fcm' });
  t.match(after, { isCopy: true, occurrence: 1, items: [{ content: { title: 'Edited once' } }] });
  const german = { variant: 'b', language: 'de', channel: 'fcm' };
  t.match(await api.must(line, german), { items: [{ language: 'de', content: { body: 'B!' } }] });
  await refuses(t, line, { variant: 'c' }, { status: 400, field: 'variant' });
  await refuses(t, line, { occurrence: 2 }, { status: 404, field: 'occurrence' });
  await refuses(t, line, { externalUserId: 'nobody-at-all' }, { status: 404 });
});

t.test('a campaign’s send that was not called says so', async (t) => {
  const one = await person({ fcm: 'phone-waits' }, { tags: { group: 'waits' } });
  const messageId = await make('messages', { title: 'Later', body: 'Later' });
  const made = { messageId, filter: { tag: 'group', eq: 'waits' }, channels: ['fcm'] };
  const first = await make('campaigns', made);
  await api.must(`POST /v1/campaigns/${first}/send`, {});
  const sendId = await sendOf(one.id, `campaignId=${first}`);
  // The same person on a channel that the campaign does not use.
  const { content, contentState } = await read(onAnotherChannel(sendId));
  t.same([content, contentState], [null, 'not_rendered']);
});

t.test(
  'a journey tells the words that the person got, before and after a correction',
  async (t) => {
    const messageId = await make('messages', {
      title: 'Welcome {{ first_name }}',
      body: 'First words',
    });
    const journeyId = await make('journeys', {
      name: 'Welcome',
      triggerEvent: 'joined',
      steps: [{ id: 'hello', type: 'send', messageId, channels: ['fcm'] }],
    });
    await api.must(`PATCH ${base}/journeys/${journeyId}`, { active: true });
    const join = async (name: string) => {
      const one = await person({ fcm: `phone-${name}` }, { tags: { first_name: name } });
      await api.must('POST /e', { appId: app, events: [{ name: 'joined', subscriberId: one.id }] });
      return { ...one, sendId: await sendOf(one.id, `journeyId=${journeyId}`) };
    };
    const early = await join('Eve');
    const first = {
      channel: 'fcm',
      deviceIds: [/^dev_/],
      title: 'Welcome Eve',
      body: 'First words',
    };
    t.match(await read(early.sendId), { contentState: 'as_sent', content: [first] });
    await api.must(`PATCH ${base}/journeys/${journeyId}/steps/hello`, {
      message: { title: 'Welcome {{ first_name }}', body: 'Better words' },
    });
    const late = await join('Lara');
    t.match(await read(late.sendId), {
      content: [{ title: 'Welcome Lara', body: 'Better words' }],
    });
    t.match(await read(early.sendId), { contentState: 'as_sent', content: [first] });
    t.match(await preview(early.sendId), {
      items: [{ channel: 'fcm', content: { title: 'Welcome Eve' } }],
    });
    // An app may tell an open of anybody's send: it is no receipt.
    await api.must('POST /e', {
      appId: app,
      events: [{ name: 'opened', subscriberId: late.id, sendId: early.sendId }],
    });
    t.match(await read(early.sendId), { content: [first] });
    await api.must(`PATCH ${base}/journeys/${journeyId}`, { active: false });
    await api.must(`PATCH ${base}/journeys/${journeyId}`, {
      steps: [{ id: 'hello', type: 'send', message: { title: 'Other', body: 'Other' } }],
    });
    await api.must(`PATCH ${base}/journeys/${journeyId}`, { active: true });
    t.match(await read(early.sendId), { contentState: 'not_kept', content: null });
    await api.must(`DELETE ${base}/subscribers/${late.id}`);
    t.notMatch(JSON.stringify(await read(late.sendId)), /Lara/);
  },
);

t.test('erasing a person takes what they were sent with it', async (t) => {
  const { id: who, ref } = await person({ fcm: 'phone-erased' });
  const { results } = await api.must(`POST ${base}/notifications/batch`, {
    body: 'Secret of a batch',
    recipients: [{ externalUserId: ref }],
  });
  const single = await make('notifications', { externalUserId: ref, body: 'Secret of one' });
  await settled(single);
  t.match(await read(results[0].id), { content: [{ body: 'Secret of a batch' }] });
  await api.must(`DELETE ${base}/subscribers/${who}`);
  for (const id of [single, results[0].id]) {
    const sent = await read(id);
    t.match(sent, { contentState: 'erased', content: null, contentUntil: null });
    t.match(await preview(id), { contentState: 'erased', items: [] });
  }
  t.notMatch(JSON.stringify(await api.must(`GET ${base}/notifications`)), /Secret/);
});

t.test('nobody else’s send tells anything, and a key may read what it may send', async (t) => {
  const { ref } = await person({ fcm: 'phone-tenant' });
  const id = await make('notifications', { externalUserId: ref, body: 'Only ours' });
  const unknown = await read(`ntf_${'0'.repeat(26)}`);
  t.match(unknown, { status: 'pending', content: null, contentState: 'not_kept' });
  const { client: stranger } = await makeOrg(server, 'Other');
  const other = await stranger.must('POST /v1/apps', { name: 'Other' });
  for (const line of [`/v1/apps/${other.id}/notifications/${id}`, path(id)]) {
    const { json } = await stranger.call(`GET ${line}`);
    t.same({ ...json, id: '' }, { ...unknown, id: '' }, line);
    const { status } = await stranger.call(`GET ${line}/preview`);
    t.equal(status, 404, line);
  }
  await refuses(t, `GET ${path(unknown.id)}/preview`, undefined, { status: 404 });
  const { key } = await org.client.must('POST /v1/keys', { name: 's', scopes: ['send'] });
  t.match(await withKey(all, key).must(`GET ${path(id)}`), { content: [{ body: 'Only ours' }] });
  const { key: writes } = await org.client.must('POST /v1/keys', { name: 'w', scopes: ['write'] });
  t.equal((await withKey(all, writes).call(`GET ${path(id)}/preview`)).status, 403);
});

t.test('lists and stories show a title, else the first words', async (t) => {
  const { id: who, ref } = await person({ sms: '+14155550109', fcm: 'phone-list' });
  const long = `Line one\nof ${'a very long text '.repeat(20)}`;
  const titled = await make('notifications', { externalUserId: ref, title: 'Titled', body: 'x' });
  const untitled = await make('notifications', {
    externalUserId: ref,
    channels: ['sms'],
    body: long,
  });
  await settled(titled);
  await settled(untitled);
  const { items } = await api.must(`GET ${base}/notifications`);
  const titleOf = (id: string) => items.find((one: { id: string }) => one.id === id).title;
  t.equal(titleOf(titled), 'Titled');
  t.match(titleOf(untitled), /^Line one of a very long text .*…$/);
  t.ok(titleOf(untitled).length <= 80);
  const { items: story } = await api.must(`GET ${base}/subscribers/${who}/timeline`);
  for (const entry of story)
    if (entry.sendId === titled) t.equal(entry.title, 'Titled', entry.code);
  t.ok(story.some((entry: { sendId?: string }) => entry.sendId === titled));
});

/** An id of the same send on the next channel of the catalog. */
function onAnotherChannel(sendId: string): string {
  const parts = parseId('ntf', sendId) as IdParts;
  return formatId('ntf', { ...parts, high16: parts.high16 + 1 });
}
