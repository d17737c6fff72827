// Rows of the specification's Limits that a whole server holds: below them, at them and above. Most
// rows have their test beside what they bound: lanes in rate-lanes.test.ts, recipients in
// batch.test.ts, keys and content in transactional.test.ts, handles in message-templates.test.ts,
// fallbacks in campaigns.test.ts, windows and nesting in segments.test.ts.

import t from 'tap';
import { limits } from '../../actors/limits.ts';
import { client } from '../support/server.ts';
import { chapter, checkRefusal } from './chapter.ts';

const all = await chapter(t);
const { api, base, server, takes, refuses } = all;
const ada = { externalUserId: 'ada', devices: [{ channel: 'email', endpoint: 'a@example.com' }] };
await api.must(`POST ${base}/subscribers`, ada);
const words = { title: 'x', body: 'x' };
const send = { externalUserId: 'ada', ...words };

/** The body as JSON of exactly so many bytes; unknown members are ignored. */
function padded(bytes: number, body: object): string {
  const text = JSON.stringify({ ...body, padding: '' });
  return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`);
}

t.test('a request of the transactional lane has at most 1 MiB', async (t) => {
  for (const [line, body, status] of [
    [`POST ${base}/notifications`, send, 202],
    [
      `POST ${base}/notifications/batch`,
      { ...words, recipients: [{ externalUserId: 'ada' }] },
      202,
    ],
    [`POST ${base}/message-templates`, { name: 'large', ...words }, 201],
    [`POST ${base}/messages`, words, 201],
  ] as const) {
    for (const bytes of [limits.bodyBytesMax - 1, limits.bodyBytesMax]) {
      const named = 'name' in body ? { ...body, name: `large-${bytes}` } : body;
      const { status: got, text } = await api.call(line, padded(bytes, named));
      t.equal(got, status, `${line} of ${bytes}: ${text.slice(0, 200)}`);
    }
    const over = await api.call(line, padded(limits.bodyBytesMax + 1, body));
    checkRefusal(t, over, { status: 413, code: 'body_too_large' }, line);
  }
});

t.test('a batch has room for about 1 KB a recipient at its cap', async (t) => {
  const note = 'n'.repeat(960);
  const recipients = Array.from({ length: limits.batchRecipientsMax }, (_, i) => ({
    externalUserId: 'ada',
    variables: { note: `${i} ${note}` },
  }));
  const body = { title: 'x', body: '{{ note }}', recipients };
  t.ok(JSON.stringify(body).length < limits.bodyBytesMax);
  const { json } = await takes(t, `POST ${base}/notifications/batch`, body, 202);
  t.match(json, { queued: 1_000, rejected: 0 });
});

t.test(
  'variables are at most 50, those of a batch and of a recipient taken together',
  async (t) => {
    const named = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${from + i}`, i]));
    const single = `POST ${base}/notifications`;
    for (const count of [49, 50]) await takes(t, single, { ...send, variables: named(count) }, 202);
    const over = { status: 400, field: 'variables', error: /50/ };
    await refuses(t, single, { ...send, variables: named(51) }, over);
    const batch = `POST ${base}/notifications/batch`;
    const to = (own?: object) => ({ externalUserId: 'ada', ...(own && { variables: own }) });
    const shared = (count: number, ...recipients: object[]) => ({
      ...words,
      variables: named(count),
      recipients,
    });
    for (const count of [49, 50]) await takes(t, batch, shared(count, to()), 202);
    await refuses(t, batch, shared(51, to()), over, 'of the batch: nobody is queued');
    const mixed = shared(49, to(named(1)), to(named(1, 49)), to(named(2, 49)), to(named(51)));
    const { json } = await takes(t, batch, mixed, 202);
    t.match(json.results, [
      { outcome: 'queued' },
      { outcome: 'queued' },
      { outcome: 'invalid', field: 'variables', error: /50/ },
      { outcome: 'invalid', field: 'variables', error: /50/ },
    ]);
  },
);

t.test('6,000 recipients fit into a minute by default, and not one more', async (t) => {
  const operator = client(server.url, server.bootstrapToken);
  const { apiKey } = await operator.must('POST /v1/orgs', { name: 'Default' });
  const org = client(server.url, apiKey.key);
  const { id } = await org.must('POST /v1/apps', { name: 'Default' });
  const line = `POST /v1/apps/${id}/notifications/batch`;
  const of = (count: number) => ({
    ...words,
    recipients: Array.from({ length: count }, () => ({ externalUserId: 'nobody' })),
  });
  for (let left = 5_000; left >= 0; left -= 1_000) {
    const { status, headers } = await org.call(line, of(left === 0 ? 999 : 1_000));
    t.match([status, headers['x-ratelimit-remaining']], [202, `${left === 0 ? 1 : left}`]);
  }
  const over = await org.call(line, of(2));
  checkRefusal(t, over, { status: 429, code: 'rate_limited' }, 'two where there is room for one');
  t.match(over.headers, { 'x-ratelimit-remaining': '1', 'retry-after': /^\d+$/ });
  const last = await org.call(line, of(1));
  t.match([last.status, last.headers['x-ratelimit-remaining']], [202, '0']);
  t.equal((await org.call(line, of(1))).status, 429);
});

t.test(
  'a keyed batch replays after its template was deleted, and a new one is a 404',
  async (t) => {
    const line = `POST ${base}/notifications/batch`;
    await api.must(`POST ${base}/message-templates`, { name: 'gone', ...words });
    const body = { templateName: 'gone', recipients: [{ externalUserId: 'ada' }] };
    const keyed = (key: string) => api.call(line, body, { 'idempotency-key': key });
    const made = await keyed('gone');
    t.match([made.status, made.json], [202, { queued: 1 }]);
    await api.call(`DELETE ${base}/message-templates/gone`);
    const again = await keyed('gone');
    t.match([again.status, again.json], [202, { replayed: 1, rejected: 0 }]);
    t.equal(again.json.results[0].id, made.json.results[0].id);
    const fresh = await keyed('fresh');
    checkRefusal(
      t,
      fresh,
      { status: 404, code: 'not_found', field: 'templateName' },
      'another key',
    );
  },
);
