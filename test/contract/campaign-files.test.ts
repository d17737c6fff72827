// Contract, section 6: what is downloaded of campaigns over HTTP: the people of a dry run, and
// every campaign with its funnel.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, app, base, takes, refuses } = await chapter(t);
const messageId = (await api.must(`POST ${base}/messages`, { title: 'New', body: 'Hi' })).id;
const make = async (change: object = {}): Promise<string> =>
  (await api.must(`POST ${base}/campaigns`, { messageId, ...change })).id;

const rows = [
  ...Array.from({ length: 7 }, (_, i) => ({
    externalUserId: `user-${i}`,
    devices: [
      { channel: 'fcm', endpoint: `phone-${i}` },
      { channel: 'email', endpoint: `user${i}@example.com` },
    ],
  })),
  { externalUserId: '=bare' },
];
await api.must('POST /v1/import/subscribers', { appId: app, rows });
const everybody = { tag: 'unknown', exists: false };

t.test('the people of a dry run are listed by page, by verdict, and as one file', async (t) => {
  const id = await make({ filter: everybody });
  const dry = await api.must(`POST /v1/campaigns/${id}/dry-run`);
  t.match(dry, {
    dryRunId: /^dry_/,
    audience: 8,
    wouldSend: 7,
    byChannel: { fcm: 7, email: 7 },
    wouldSuppress: { no_device: 1 },
    wouldDefer: {},
    holdout: 0,
  });
  t.equal(dry.sampled.length, 8);
  t.equal(Date.parse(dry.expiresAt) - Date.parse(dry.at), 86_400_000);
  const list = `GET /v1/campaigns/${id}/dry-run/${dry.dryRunId}`;
  const found: object[] = [];
  let cursor = '';
  do {
    const page = await api.must(`${list}?limit=3${cursor}`);
    found.push(...page.items);
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  t.same(found, dry.sampled, 'each once, in order');
  const bare = { externalUserId: '=bare', verdict: 'suppress', reason: 'no_device', channels: [] };
  const suppressed = await api.must(`${list}?verdict=suppress`);
  t.match(suppressed, { items: [bare], nextCursor: null });
  t.equal(suppressed.items.length, 1);
  const file = await takes(t, `${list}?format=csv`, undefined, 200);
  t.match(file.headers, {
    'content-type': /^text\/csv/,
    'content-disposition': `attachment; filename="${dry.dryRunId}.csv"`,
  });
  const lines = file.text.trimEnd().split('\r\n');
  t.equal(
    lines[0],
    'subscriberId,externalUserId,verdict,reason,until,channels,variant,fallback,fallbackReason',
  );
  t.match(lines[1], /^sub_\w+,user-0,send,,,fcm\|email,,,$/);
  t.match(lines[8], /^sub_\w+,'=bare,suppress,no_device,,,,,$/, 'no formula');
  t.equal(lines.length, 9);

  await refuses(t, `${list}?verdict=maybe`, undefined, { status: 400, field: 'verdict' });
  await refuses(t, `${list}?format=xml`, undefined, { status: 400, field: 'format' });
  await refuses(t, `${list}?cursor=x`, undefined, { status: 400, field: 'cursor' });
  for (const format of ['json', 'csv'])
    await refuses(t, `GET /v1/campaigns/${id}/dry-run/dry_x?format=${format}`, undefined, {
      status: 404,
      field: 'dryRunId',
    });
});

t.test('what was looked at is what is sent, or it is a conflict with the numbers', async (t) => {
  const id = await make({ filter: everybody, channels: ['fcm'] });
  const send = `POST /v1/campaigns/${id}/send`;
  const first = await api.must(`POST /v1/campaigns/${id}/dry-run`);
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'new' });
  const { dryRunId } = first;
  const another = { status: 409, code: 'changed', field: 'dryRunId' };
  await refuses(t, send, { dryRunId }, { ...another, error: /1 joined and 0 left/ });
  await api.must(`PATCH ${base}/campaigns/${id}`, { channels: ['email'] });
  const changed = { ...another, error: /changed after the dry run/ };
  await refuses(t, send, { dryRunId, tolerance: 1 }, changed);
  const second = await api.must(`POST /v1/campaigns/${id}/dry-run`);
  t.match(second, { audience: 9, byChannel: { email: 7 } });
  await takes(t, send, { dryRunId: second.dryRunId }, 200);
});

t.test('every campaign is in the export, with the numbers of its stats', async (t) => {
  const name = '=1+1, "two"';
  const id = await make({ name });
  const file = await takes(t, `GET /v1/campaigns/export?appId=${app}`, undefined, 200);
  t.match(file.headers, {
    'content-type': /^text\/csv/,
    'content-disposition': /^attachment; filename="campaigns-\d{4}-\d\d-\d\d\.csv"$/,
  });
  const lines = file.text.trimEnd().split('\r\n');
  const { items } = await api.must(`GET ${base}/campaigns?limit=200`);
  t.equal(lines.length, items.length + 1, 'and a header');
  t.match(lines[0], /^id,name,state,.*,sent,delivered,opened,clicked,/);
  t.ok(lines.at(-1)?.startsWith(`${id},"'=1+1, ""two""",draft,`));
  await refuses(t, 'GET /v1/campaigns/export', undefined, { status: 400, field: 'appId' });
  const unknown = `GET /v1/campaigns/export?appId=app_${'0'.repeat(26)}`;
  await refuses(t, unknown, undefined, { status: 404, field: 'appId' });
});

t.test('an export is whole while campaigns are deleted', async (t) => {
  const ids = await Promise.all(Array.from({ length: 150 }, () => make({ name: 'goes' })));
  let left = ids.length;
  const deleting = (async () => {
    for (const id of ids) {
      await api.must(`DELETE ${base}/campaigns/${id}`);
      left--;
    }
  })();
  const answers = new Set<string>();
  while (left > 0) {
    const { status, text } = await api.call(`GET /v1/campaigns/export?appId=${app}`);
    answers.add(`${status}${text.endsWith('\r\n') ? '' : ` ${text}`}`);
  }
  await deleting;
  t.same([...answers], ['200']);
});

t.test('recipients and events of a campaign are listed, as a page and as a file', async (t) => {
  const id = await make({ filter: everybody });
  await takes(t, `POST /v1/campaigns/${id}/send`, undefined, 200);
  const list = `GET ${base}/campaigns/${id}/recipients`;
  const stats = async () => api.must(`GET ${base}/campaigns/${id}/stats`);
  for (let i = 0; i < 500 && (await stats()).state !== 'completed'; i++);
  const { audience, suppressed } = await stats();
  const { items } = await api.must(`${list}?limit=200`);
  t.equal(items.length, audience);
  t.equal((await api.must(`${list}?outcome=suppressed`)).items.length, suppressed);
  const file = await takes(t, `${list}?format=csv`, undefined, 200);
  t.match(file.headers, {
    'content-type': /^text\/csv/,
    'content-disposition': `attachment; filename="${id}-recipients.csv"`,
  });
  const lines = file.text.trimEnd().split('\r\n');
  t.equal(
    lines[0],
    'subscriberId,externalUserId,outcome,reason,variant,opened,clicked,converted,occurrence,unsubscribed,complained',
  );
  t.equal(lines.length, items.length + 1);
  const { items: events } = await api.must(`GET ${base}/events?campaignId=${id}&limit=200`);
  t.ok(events.length >= audience);
  t.ok(events.every((one: { campaignId: string }) => one.campaignId === id));
  const { sendId } = events.find((one: { sendId: string | null }) => one.sendId !== null);
  const ofSend = await api.must(`GET ${base}/events?sendId=${sendId}`);
  t.ok(ofSend.items.length > 0);
  t.ok(ofSend.items.every((one: { sendId: string }) => one.sendId === sendId));
  t.same((await api.must(`GET ${base}/events?campaignId=${id}&journeyId=jrn_x`)).items, []);
  t.same(await api.must(`GET ${base}/campaigns/${id}/links`), {
    items: [],
    others: { clicks: 0, people: 0 },
  });
  await refuses(t, `${list}?outcome=lost`, undefined, { status: 400, field: 'outcome' });
  await refuses(t, `${list}?cursor=x`, undefined, { status: 400, field: 'cursor' });
  await refuses(t, `${list}?occurrence=7`, undefined, { status: 404, field: 'occurrence' });
  const other = `GET ${base}/campaigns/cmp_${'0'.repeat(26)}`;
  for (const path of ['recipients', 'links'])
    await refuses(t, `${other}/${path}`, undefined, { status: 404 });
});
