// The batch of the transactional lane: what it takes, what becomes of each recipient, how it
// replays, and what it costs of the lane (specification, "Transactional lane", "Errors" and
// "Limits"; contract, sections 1 and 7).

import t from 'tap';
import { client, eventually, makeOrg, type Reply } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, server, takes, refuses } = all;
const line = `POST ${base}/notifications/batch`;
const people = 1_000;
const rows = Array.from({ length: people }, (_, i) => ({
  externalUserId: `user-${i}`,
  tags: { first_name: `Name ${i}`, ...(i % 2 === 0 ? {} : { language: 'th-TH' }) },
  devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
}));
await api.must('POST /v1/import/subscribers', { appId: all.app, rows });
const first = { id: await idOf(0) };

const users = (count: number, own: object = {}) =>
  Array.from({ length: count }, (_, i) => ({ externalUserId: `user-${i}`, ...own }));
const batch = (recipients: readonly unknown[], more: object = {}) => ({
  title: 'Hi {{ first_name }}',
  body: 'World',
  channels: ['email'],
  recipients,
  ...more,
});
const keyed = (key: string, body: object) => api.call(line, body, { 'idempotency-key': key });
const outcomes = ({ json }: Reply) => json.results.map(({ outcome }: Row) => outcome);

interface Row {
  readonly index: number;
  readonly outcome: string;
  readonly id?: string;
}

async function idOf(user: number): Promise<string> {
  const made = await api.must(`POST ${base}/subscribers`, { externalUserId: `user-${user}` });
  return made.id;
}

t.test(
  'a batch is a 202 with counts and a result for each recipient, in their order',
  async (t) => {
    const reply = await takes(
      t,
      line,
      batch([
        { externalUserId: 'user-0' },
        { subscriberId: first.id, variables: { order_id: 'A' }, body: 'Order {{ order_id }}' },
        { externalUserId: 'nobody' },
        { externalUserId: 'user-1', body: 'Order {{ order_id }}' },
      ]),
      202,
    );
    t.match(reply.json, { queued: 2, replayed: 0, rejected: 2 });
    t.match(reply.json.results, [
      { index: 0, externalUserId: 'user-0', outcome: 'queued', id: /^ntf_[0-9a-hjkmnp-tv-z]{26}$/ },
      { index: 1, subscriberId: first.id, outcome: 'queued', id: /^ntf_/ },
      { index: 2, externalUserId: 'nobody', outcome: 'not_found', field: 'externalUserId' },
      {
        index: 3,
        outcome: 'invalid',
        field: 'body',
        error: 'body: undefined variable: order_id',
        id: undefined,
      },
    ]);
    for (const { id } of reply.json.results.slice(0, 2)) {
      await eventually(async () => {
        const { status } = await api.must(`GET ${base}/notifications/${id}`);
        return status === 'delivered' ? true : undefined;
      }, `${id} is not delivered`);
    }
  },
);

t.test('a batch has 1 to 1,000 recipients', async (t) => {
  await refuses(t, line, batch([]), { status: 400, field: 'recipients', error: /at least 1/ });
  await refuses(t, line, { title: 'x', body: 'x' }, { status: 400, field: 'recipients' });
  for (const count of [999, 1_000]) {
    const reply = await takes(t, line, batch(users(count)), 202);
    t.match(reply.json, { queued: count, rejected: 0 });
    t.same(
      reply.json.results.map(({ index }: Row) => index),
      Array.from({ length: count }, (_, i) => i),
    );
  }
  await refuses(t, line, batch(users(1_001)), {
    status: 400,
    field: 'recipients',
    error: /at most 1000/,
  });
});

t.test('a bad recipient is invalid and harms no other', async (t) => {
  const bad: readonly (readonly [unknown, string | undefined, RegExp?])[] = [
    [{}, 'subscriberId', /is missing/],
    [{ subscriberId: first.id, externalUserId: 'user-0' }, 'externalUserId'],
    ['user-0', 'recipient', /expected an object/],
    [null, 'recipient'],
    [[], 'recipient'],
    [{ externalUserId: '' }, 'externalUserId'],
    [{ externalUserId: 'user-0', body: 7 }, 'body'],
    [{ externalUserId: 'user-0', body: '' }, 'body'],
    [{ externalUserId: 'user-0', title: '{{ x | nope }}' }, 'title', /undefined filter: nope/],
    [{ externalUserId: 'user-0', title: '{% if false %}x{% endif %}' }, 'title', /nothing/],
    [{ externalUserId: 'user-0', data: { from: 'x' } }, 'data.from'],
    [{ externalUserId: 'user-0', data: { priority: 'urgent' } }, 'data.priority'],
    [{ externalUserId: 'user-0', variables: { order: null } }, 'variables.order', /null/],
    [{ externalUserId: 'user-0', variables: { order: {} } }, 'variables.order'],
    [{ externalUserId: 'user-0', idempotencyKey: '' }, 'idempotencyKey'],
    [{ externalUserId: 'user-0', idempotencyKey: 'k'.repeat(256) }, 'idempotencyKey'],
  ];
  const recipients = [{ externalUserId: 'user-0' }, ...bad.map(([sent]) => sent)];
  const reply = await takes(t, line, batch(recipients), 202);
  t.match(reply.json, { queued: 1, rejected: bad.length });
  bad.forEach(([sent, field, error], i) => {
    const row = reply.json.results[i + 1];
    t.match(row, { index: i + 1, outcome: 'invalid', field }, JSON.stringify(sent));
    t.ok(row.error.startsWith(`${field}: `), row.error);
    if (error !== undefined) t.match(row.error, error);
  });
});

t.test('what is wrong with the shared part refuses the batch, and its keys are free', async (t) => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ body: '{{ x | nope }}' }, 'body'],
    [{ channels: ['pigeon'] }, 'channels[0]'],
    [{ variables: { order: null } }, 'variables.order'],
    [{ payload: { ttlSeconds: 'x' } }, 'payload.ttlSeconds'],
    [{ idempotencyKey: '' }, 'idempotencyKey'],
    [{ channels: ['kakao'] }, 'payload.kakao'],
  ];
  for (const [more, field] of wrong) {
    await refuses(t, line, batch(users(1), { idempotencyKey: 'shared', ...more }), {
      status: 400,
      code: 'invalid',
      field,
    });
  }
  const both = await keyed('one', batch(users(1), { idempotencyKey: 'two' }));
  t.match([both.status, both.json], [400, { field: 'idempotencyKey' }]);
  t.match((await keyed('shared', batch(users(1)))).json, { queued: 1 });
  const elsewhere = 'POST /v1/apps/app_00000000000000000000000000/notifications/batch';
  await refuses(t, elsewhere, batch([{}]), { status: 404, code: 'not_found' });
});

t.test(
  'a batch with a key replays each recipient’s send, in any order and by header or body',
  async (t) => {
    const recipients = users(50, { variables: { n: 1 } });
    const made = await keyed('replay', batch(recipients));
    t.match(made.json, { queued: 50, replayed: 0, rejected: 0 });
    const idsOf = ({ json }: Reply) =>
      Object.fromEntries(
        json.results.map((row: Row & { externalUserId: string }) => [row.externalUserId, row.id]),
      );
    for (const again of [
      await keyed('replay', batch([...recipients].reverse())),
      await api.call(line, batch(recipients.slice(7, 30), { idempotencyKey: 'replay' })),
    ]) {
      t.match([again.status, again.json], [202, { queued: 0, rejected: 0 }]);
      t.ok(outcomes(again).every((outcome: string) => outcome === 'replayed'));
      const ids = idsOf(made);
      for (const [user, id] of Object.entries(idsOf(again))) t.equal(id, ids[user]);
    }
    const byId = await keyed('replay', batch([{ subscriberId: first.id, variables: { n: 1 } }]));
    t.match(byId.json, { replayed: 1, results: [{ id: made.json.results[0].id }] });
    const grown = await keyed('replay', batch([...recipients, { externalUserId: 'user-60' }]));
    t.match(grown.json, { queued: 1, replayed: 50 }, 'who is new is queued');
  },
);

t.test('a changed recipient is a conflict, wherever the change was written', async (t) => {
  await keyed('change', batch(users(3, { variables: { n: 1 } })));
  const changed = await keyed(
    'change',
    batch([
      { externalUserId: 'user-0', variables: { n: 2 } },
      { externalUserId: 'user-1', variables: { n: 1 } },
      { externalUserId: 'user-2', variables: { n: 1 }, body: 'Other' },
    ]),
  );
  t.same(outcomes(changed), ['conflict', 'replayed', 'conflict']);
  t.match(changed.json, { replayed: 1, rejected: 2, results: [{ field: 'idempotencyKey' }] });
  const shared = await keyed('change', batch(users(3, { variables: { n: 1 } }), { body: 'Other' }));
  t.same(outcomes(shared), ['conflict', 'conflict', 'conflict']);
  // Who has the same request in the end is the same recipient, whichever part it came from.
  const moved = await keyed('change', batch(users(3), { variables: { n: 1 } }));
  t.same(outcomes(moved), ['replayed', 'replayed', 'replayed']);
});

t.test('a recipient has a key of its own in place of the batch’s', async (t) => {
  const own = batch([
    { externalUserId: 'user-0', idempotencyKey: 'mine' },
    { externalUserId: 'user-1' },
  ]);
  const made = await keyed('own-1', own);
  t.same(outcomes(made), ['queued', 'queued']);
  const again = await keyed('own-2', own);
  t.same(outcomes(again), ['replayed', 'queued']);
  t.equal(again.json.results[0].id, made.json.results[0].id);
  const keyless = await api.call(line, own);
  t.same(outcomes(keyless), ['replayed', 'queued'], 'also without a key of the batch');
  const other = batch([{ externalUserId: 'user-2', idempotencyKey: 'mine' }]);
  t.same(outcomes(await api.call(line, other)), ['conflict'], 'for somebody else');
  const spelled = batch([{ externalUserId: 'user-1', idempotencyKey: `own-1#${await idOf(1)}` }]);
  t.same(outcomes(await api.call(line, spelled)), ['replayed'], 'the batch’s key as it is spelled');
});

t.test('the same person twice in one keyed batch is in flight the second time', async (t) => {
  const twice = [
    { externalUserId: 'user-0' },
    { subscriberId: first.id },
    { externalUserId: 'user-1' },
  ];
  const reply = await keyed('twice', batch(twice));
  t.same(outcomes(reply), ['queued', 'in_flight', 'queued']);
  t.match(reply.json, { queued: 2, rejected: 1 });
  t.same(outcomes(await api.call(line, batch(twice))), ['queued', 'queued', 'queued']);
});

t.test('who cannot be sent to leaves their key free', async (t) => {
  const bad = batch([
    { externalUserId: 'user-0', body: '{{ order_id }}' },
    { externalUserId: 'late' },
  ]);
  t.same(outcomes(await keyed('free', bad)), ['invalid', 'not_found']);
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'late',
    tags: { first_name: 'Late' },
  });
  t.same(
    outcomes(
      await keyed('free', batch([{ externalUserId: 'user-0' }, { externalUserId: 'late' }])),
    ),
    ['queued', 'queued'],
  );
});

t.test('who has no device and who opted out are queued and read as suppressed', async (t) => {
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'bare-1' });
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'bare-2' });
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'opted-out',
    devices: [{ channel: 'email', endpoint: 'out@example.com' }],
  });
  await api.must(`POST ${base}/suppressions`, { channel: 'email', address: 'out@example.com' });
  const named = ['bare-1', 'bare-2', 'opted-out'];
  const reply = await takes(
    t,
    line,
    batch(
      named.map((externalUserId) => ({ externalUserId })),
      { title: 'x' },
    ),
    202,
  );
  t.same(outcomes(reply), ['queued', 'queued', 'queued']);
  const reasons = ['no_device', 'no_device', 'opt_out'];
  for (const [i, reason] of reasons.entries()) {
    const { id } = reply.json.results[i];
    const view = await eventually(async () => {
      const read = await api.must(`GET ${base}/notifications/${id}`);
      return read.status === 'pending' ? undefined : read;
    }, 'it stays pending');
    t.match(view, { status: 'suppressed', outcomes: [{ reason }] });
  }
  const events = new Set<string>();
  for (const externalUserId of named) {
    const { id } = await api.must(`POST ${base}/subscribers`, { externalUserId });
    const { items } = await api.must(`GET ${base}/events?subscriberId=${id}`);
    t.match(items, [{ name: 'suppressed' }], externalUserId);
    events.add(items[0].id);
  }
  t.equal(events.size, 3, 'each is an event of its own');
});

t.test('a batch of 1,000 with 50 variables each is taken', async (t) => {
  const variables = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`v${i}`, i]));
  const reply = await takes(t, line, batch(users(1_000, { variables })), 202);
  t.match(reply.json, { queued: 1_000 });
});

t.test(
  'naming a template needs read beside send, and one that is not there is a 404',
  async (t) => {
    await refuses(
      t,
      line,
      { templateName: 'welcome', recipients: users(1) },
      { status: 404, field: 'templateName' },
    );
    const { key } = await api.must('POST /v1/keys', { name: 'sender', scopes: ['send'] });
    const sender = withKey(all, key);
    t.equal((await sender.call(line, batch(users(1)))).status, 202);
    const named = await sender.call(line, batch(users(1), { templateName: 'welcome' }));
    t.match([named.status, named.json], [403, { code: 'forbidden', error: /read/ }]);
  },
);

t.test(
  'a batch is charged a unit a recipient, all or nothing, before anything is queued',
  async (t) => {
    const org = await makeOrg(server, 'Limited', {
      rateLimits: { transactional: 10, standard: null },
    });
    const { id: app } = await org.client.must('POST /v1/apps', { name: 'Limited' });
    for (let i = 0; i < 3; i++)
      await org.client.must(`POST /v1/apps/${app}/subscribers`, { externalUserId: `user-${i}` });
    const path = `POST /v1/apps/${app}/notifications/batch`;
    const of = (count: number) =>
      batch(
        Array.from({ length: count }, (_, i) => ({ externalUserId: `user-${i % 3}` })),
        { title: 'x' },
      );
    const left = ({ headers }: Reply) => headers['x-ratelimit-remaining'];
    const seven = await org.client.call(path, of(7));
    t.match([seven.status, left(seven)], [202, '3']);
    const used = async () => (await org.client.must('GET /v1/org/limits')).dailySends.used;
    t.equal(await used(), 7);
    for (const count of [4, 11, 1_000]) {
      const refused = await org.client.call(path, of(count));
      checkRefusal(
        t,
        refused,
        { status: 429, code: 'rate_limited', error: new RegExp(`${count}`) },
        `${count}`,
      );
      t.match(refused.headers, {
        'x-ratelimit-lane': 'transactional',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '3',
        'retry-after': /^\d+$/,
      });
    }
    t.equal(await used(), 7, 'nothing was queued');
    const broken = await org.client.call(path, '{');
    t.match([broken.status, left(broken)], [400, '2'], 'what cannot be read costs as one call');
    const fits = await org.client.call(path, of(2));
    t.match([fits.status, left(fits)], [202, '0']);
    t.equal((await org.client.call(path, of(1))).status, 429);
    const wrong = await client(server.url, 'wrong').call(path, of(1));
    t.equal(wrong.status, 401);
  },
);

t.test('a template is copied for all recipients, each in their language', async (t) => {
  const template = {
    name: 'shipped',
    title: 'Hello {{ first_name }}',
    body: 'Order {{ order }}',
    localizations: { th: { body: 'TH {{ order }}' } },
  };
  await api.must(`POST ${base}/message-templates`, template);
  const {
    title: _,
    body: __,
    ...rest
  } = batch(users(2), {
    templateName: 'shipped',
    variables: { order: 'A-1' },
  });
  const { json } = await takes(t, line, rest, 202);
  t.match(json, { queued: 2, rejected: 0 });
  const sandbox = client(server.sandboxUrl);
  const texts = await Promise.all(
    json.results.map(({ id }: Row) =>
      eventually(async () => {
        const { messages } = await sandbox.must(`GET /control/messages?sendId=${id}`);
        return messages[0]?.text;
      }, `${id} does not arrive`),
    ),
  );
  t.match(texts, [/^Order A-1/, /^TH A-1/]);
});
