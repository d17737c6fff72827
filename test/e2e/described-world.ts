// An app with one of everything that an id can name, for the tests that call every operation of the
// description, and what an operation needs beside it.

import { client, type RunningServer, type TestOrg, until } from '../support/server.ts';
import { browser } from '../support/signed-in.ts';
import { idOf, type Operation, queries, type World } from './described-calls.ts';

/**
 * Makes an app with one of everything; the dead letter, which takes a second to be one, and the
 * email domain only if the world is whole. FCM must refuse endpoints of `never-lands`.
 */
export async function makeWorld(server: RunningServer, org: TestOrg, marker: string, whole = true) {
  const app: string = (await org.client.must('POST /v1/apps', { name: marker })).id;
  const base = `/v1/apps/${app}`;
  const tags = { first_name: marker };
  const person = await org.client.must(`POST ${base}/subscribers`, {
    tags,
    devices: [
      { channel: 'email', endpoint: `${marker}@example.com` },
      { channel: 'fcm', endpoint: `never-lands-${marker}-${app}` },
    ],
  });
  const external = `${marker}-user`;
  await org.client.must(`POST ${base}/subscribers`, { externalUserId: external, tags });
  const { id: ntf } = await org.client.must(`POST ${base}/notifications`, {
    subscriberId: person.id,
    title: marker,
    body: marker,
    ttlSeconds: 4, // time enough for a first attempt on a busy machine, and few retries
  });
  await org.client.must(
    `POST ${base}/suppressions`,
    queries['DELETE /v1/apps/{appId}/suppressions'] ?? {},
  );
  await org.client.must(`POST ${base}/credentials/carrier`, {
    ...carrierAccount,
    from: '+14155550123',
  });
  const dbt = await addDoubt(server, org, app);
  await org.client.must(`PUT ${base}/integrations/cdp`);
  const whd = await addWebhook(server, org, base);
  const events = [{ name: marker, externalUserId: external }];
  await org.client.must('POST /e', { appId: app, events });
  const { key, ses } = await addKey(server, org, app, marker);
  let dl = idOf('dl');
  if (whole) {
    await addDomain(org, app);
    await until(
      async () => {
        const { items } = await org.client.must(`GET ${base}/dead-letters`);
        dl = items[0]?.id ?? dl;
        return items.length > 0;
      },
      'no dead letter',
      60_000,
    );
  }
  const devices: { id: string; channel: string }[] = person.devices;
  const dev = devices.find(({ channel }) => channel === 'email')?.id ?? '';
  const made = await makeContent(server, org, app, marker);
  return {
    ...made,
    sub: person.id as string,
    ntf: ntf as string,
    whd,
    dbt,
    inv: idOf('inv'), // e2e/billing-kills.test.ts and invoice-reads.test.ts have real ones
    app,
    dev,
    dl,
    key,
    ses,
    external,
    org: org.id,
    mbr: await addMember(org, app),
    rel: await addRelay(org, `/v1/apps/${app}`),
    shared: await addRelay(org, '/v1/org'),
    client: await addWorkspace(org, marker),
  };
}

/** The form of paths, and the topic that forms of the examples name. */
async function addForm({ client: api }: TestOrg, appId: string) {
  await api.call(`POST /v1/apps/${appId}/topics`, { key: 'news', name: 'News' });
  const form = { key: 'new-checkout', name: 'Form', topics: ['news'], consent: 'Yes, please.' };
  await api.call(`POST /v1/apps/${appId}/forms`, form);
}

/** The tag and the event that the description's examples name. */
async function addNames({ client: api }: TestOrg, appId: string) {
  const externalUserId = 'whose-names';
  const tags = { lifetime_value: 1 };
  await api.must(`POST /v1/apps/${appId}/subscribers`, { externalUserId, tags });
  await api.must('POST /e', { appId, events: [{ name: 'page_viewed', externalUserId }] });
}

/** Returns the id of a client workspace, if the org may have one: a client has none itself. */
async function addWorkspace({ client: api }: TestOrg, name: string) {
  const { json } = await api.call('POST /v1/org/clients', { name });
  return (json.org?.id ?? idOf('org')) as string;
}

/** Returns the id of a member of the org, one for each app. */
async function addMember({ client: api }: TestOrg, app: string) {
  const email = `${app}@example.com`;
  return (await api.must('POST /v1/org/members', { email, role: 'viewer' })).id as string;
}

/** Returns the id of a relay of an app or org, through which nothing is sent; an org has few. */
async function addRelay({ client: api }: TestOrg, of: string) {
  const { items } = await api.must(`GET ${of}/relays`);
  if (items.length > 0) return items[0].id as string;
  const config = { host: 'mail.example.com' };
  const relay = { name: 'Mail server', kind: 'smtp', config, enabled: false };
  return (await api.must(`POST ${of}/relays`, relay)).id as string;
}

/** Returns the ids of a key of the app, and of a session of whoever holds it. */
async function addKey(server: RunningServer, { client: api }: TestOrg, app: string, name: string) {
  const body = { name, scopes: ['read'], appId: app };
  const { id, key } = await api.must('POST /v1/keys', body);
  const { json } = await browser(server.url).signIn({ apiKey: key });
  return { key: id as string, ses: json.id as string };
}

const carrierAccount = {
  accountSid: 'AC00000000000000000000000000000000',
  authToken: '00000000000000000000000000000000',
};

/** Returns the id of a reply that may be an opt-out, from the number of nobody. */
async function addDoubt(server: RunningServer, { client: api }: TestOrg, app: string) {
  await client(server.sandboxUrl).must('POST /control/sms/inbound', {
    ...carrierAccount,
    from: '+14155550188',
    body: 'please stop sending me these',
    url: `${server.url}/v1/webhooks/twilio/sms-inbound/${app}`,
  });
  const { items } = await api.must(`GET /v1/apps/${app}/suppressions/doubtful`);
  return items[0].id as string;
}

/** Returns the id of a delivery to the sandbox's receiver. */
async function addWebhook(server: RunningServer, { client: api }: TestOrg, base: string) {
  const url = `${server.sandboxUrl}/receiver`;
  await api.must(`PUT ${base}/integrations/webhook`, { url, events: ['campaign.failed'] });
  return (await api.must(`POST ${base}/integrations/webhook/test`)).id as string;
}

/** The one of the examples; making its key takes a tenth of a second. */
function addDomain({ client: api }: TestOrg, app: string) {
  return api.must(`POST /v1/apps/${app}/email-domains`, { domain: 'acme.example' });
}

/** The head of a picture, which is all that is read, with the marker behind it. */
async function addPicture(
  server: RunningServer,
  { key }: TestOrg,
  base: string,
  marker: string,
): Promise<{ readonly id: string }> {
  const reply = await fetch(`${server.url}${base}/assets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: `GIF89a\x01\0\x01\0\0\0\0${marker}`,
  });
  return (await reply.json()) as { readonly id: string };
}

/** What an app sends and shows, one of each. */
async function makeContent(server: RunningServer, org: TestOrg, app: string, marker: string) {
  const base = `/v1/apps/${app}`;
  const { id: seg } = await org.client.must(`POST ${base}/segments`, {
    name: marker,
    filter: { tag: 'marker', eq: marker },
  });
  // One to be used, as a message that an in-app message shows cannot be deleted.
  const [{ id: msg }, { id: shown }] = await Promise.all(
    [marker, `${marker} shown`].map((body) =>
      org.client.must(`POST ${base}/messages`, { title: marker, body }),
    ),
  );
  const { id: tpl } = await org.client.must(`POST ${base}/message-templates`, {
    name: marker,
    title: marker,
    body: marker,
  });
  const { id: ast } = await addPicture(server, org, base, marker);
  const { id: iam } = await org.client.must(`POST ${base}/in-app-messages`, { messageId: shown });
  for (const key of ['tips', 'digest', 'new-checkout'])
    await org.client.must(`POST ${base}/topics`, { key, name: marker });
  const { id: flg } = await org.client.must(`POST ${base}/flags`, { key: marker });
  const { id: cmp } = await org.client.must(`POST ${base}/campaigns`, {
    messageId: shown,
    schedule: { type: 'at', at: '2099-01-01T00:00:00Z' },
  });
  const { dryRunId: dry } = await org.client.must(`POST /v1/campaigns/${cmp}/dry-run`);
  const { id: jrn } = await org.client.must(`POST ${base}/journeys`, {
    name: marker,
    triggerEvent: 'never',
    steps: [{ id: 'welcome', type: 'send', messageId: shown }],
  });
  const { id: blk } = await org.client.must(`POST ${base}/subscribers/bulk`, {
    filter: { tag: 'nobody', exists: true },
    tags: { marker },
  });
  const page = client(server.url);
  const { clientToken } = await page.must('POST /v1/sdk/subscriber', { appId: app });
  const { id: la } = await page.must('POST /v1/sdk/live-activities', {
    appId: app,
    clientToken,
    activityType: marker,
    pushToken: 'ab'.repeat(80),
  });
  const ids = { seg: seg as string, la: la as string, dry: dry as string, blk: blk as string };
  return { ...ids, msg, tpl, ast: ast as string, iam, flg, cmp, jrn };
}

/** Makes what an operation needs beside its world. */
export async function readyFor(
  { line, path }: Operation,
  org: TestOrg,
  own: Pick<World, 'app' | 'cmp'>,
): Promise<void> {
  for (const verb of before[line.split('/').at(-1) ?? ''] ?? [])
    await org.client.must(`POST /v1/campaigns/${own.cmp}/${verb}`);
  if (path.includes('{domain}')) await addDomain(org, own.app);
  if (path.endsWith('/warm-up'))
    await org.client.must(`PUT /v1/apps/${own.app}/email-domains/acme.example/warm-up`, {});
  if (path.includes('{name}')) await addNames(org, own.app);
  if (path.includes('/forms')) await addForm(org, own.app);
  if (path.includes('/topics/{key}'))
    await org.client.call(`POST /v1/apps/${own.app}/topics`, {
      key: 'new-checkout',
      name: 'Topic',
    });
}

/** What is done to a campaign of one's own before a verb that its state would not allow. */
const before: Readonly<Record<string, readonly string[]>> = {
  pause: ['send'],
  resume: ['send', 'pause'],
  unschedule: ['send'],
};
