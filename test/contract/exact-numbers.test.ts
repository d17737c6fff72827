// Integers that a double cannot hold: JSON.parse would read another number than the caller sent.
// Each is its own field's error, and what stands beside it is taken as ever.

import t from 'tap';
import { client } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, app, base, server, refuses } = await chapter(t);
const words = 'a number beyond ±9007199254740991 is not stored exactly; send it as text';
const tooLarge = ['9007199254740993', '-9007199254740992', '12345678901234567890', '1e300'];
const exact = '{"a":9007199254740991,"b":-9007199254740991,"c":1e15,"d":0.12345678901234567}';
/** A body with a number as it is written, which JSON.stringify would round first. */
const written = (body: object, number: string) =>
  JSON.stringify(body).replace('"NUMBER"', number) as unknown as object;
const tagsOf = async (user: string) =>
  (await api.must(`GET ${base}/subscribers/external:${user}`)).tags;
const eventsOf = async (user: string) =>
  (await api.must(`GET ${base}/events?subscriberId=external:${user}`)).items;

t.test('a tag keeps its value, or is an error that says what to do', async (t) => {
  const line = `POST ${base}/subscribers`;
  for (const number of tooLarge)
    await refuses(t, line, written({ externalUserId: 'ann', tags: { n: 'NUMBER' } }, number), {
      status: 400,
      field: 'tags.n',
      error: `tags.n: ${words}`,
    });
  await refuses(t, `GET ${base}/subscribers/external:ann`, undefined, { status: 404 });
  await api.must(line, written({ externalUserId: 'ann', tags: 'NUMBER' }, exact));
  t.same(await tagsOf('ann'), JSON.parse(exact));
  const patch = written({ tags: { n: 'NUMBER' } }, '9007199254740993');
  await refuses(t, `PATCH ${base}/subscribers/external:ann`, patch, {
    status: 400,
    field: 'tags.n',
  });
});

t.test('a row of an import fails alone', async (t) => {
  const rows = [
    { externalUserId: 'row-1', tags: { n: 1 } },
    { externalUserId: 'row-2', tags: { n: 'NUMBER' } },
  ];
  const reply = await api.must(
    `POST /v1/import/subscribers?appId=${app}`,
    written({ rows }, '9007199254740993'),
  );
  t.match(reply, { created: 1, failed: 1, errors: [{ row: 1, error: `tags.n: ${words}` }] });
});

t.test('an event fails alone, at the number that JSON.parse would change', async (t) => {
  const event = { name: 'bought', externalUserId: 'eve' };
  for (const number of tooLarge) {
    const events = [event, { ...event, props: { list: [{ n: 'NUMBER' }] } }];
    const reply = await api.must('POST /e', written({ appId: app, events }, number));
    const error = `props.list[0].n: ${words}`;
    t.match(reply, { accepted: 1, rejected: 1, errors: [{ index: 1, error }] }, number);
  }
  const kept = { appId: app, events: [{ ...event, externalUserId: 'kept', props: 'NUMBER' }] };
  t.match(await api.must('POST /e', written(kept, exact)), { accepted: 1, rejected: 0 });
  t.same((await eventsOf('kept'))[0].props, JSON.parse(exact));
});

t.test('calls of a data platform lose that trait, or that event', async (t) => {
  const { writeKey } = await api.must(`PUT ${base}/integrations/cdp`);
  const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  const batch = [
    { type: 'identify', userId: 'seg', traits: { plan: 'pro', n: 'NUMBER' } },
    { type: 'track', userId: 'seg', event: 'bought', properties: { n: 'NUMBER' } },
    { type: 'track', userId: 'seg', event: 'looked', properties: { n: 1 } },
  ];
  const body = JSON.stringify({ batch }).replaceAll('"NUMBER"', '9007199254740993');
  const reply = await client(server.url).call(`POST /i/cdp/${app}`, body, { authorization });
  t.equal(reply.status, 200, reply.text);
  t.same(await tagsOf('seg'), { plan: 'pro' });
  t.same(
    (await eventsOf('seg')).map(({ name }: { name: string }) => name),
    ['looked'],
  );
});

t.test('a recipient of a batch fails alone; the shared part refuses the batch', async (t) => {
  const line = `POST ${base}/notifications/batch`;
  const message = { title: 'Hello', body: 'n is {{ n }}', channels: ['email'] };
  const recipients = [
    { externalUserId: 'ann', variables: { n: 1 } },
    { externalUserId: 'ann', variables: { n: 'NUMBER' } },
  ];
  const reply = await api.must(line, written({ ...message, recipients }, '9007199254740993'));
  t.match(reply.results, [
    { outcome: 'queued' },
    { outcome: 'invalid', field: 'variables.n', error: `variables.n: ${words}` },
  ]);
  const shared = { ...message, variables: { n: 'NUMBER' }, recipients: [recipients[0]] };
  await refuses(t, line, written(shared, '9007199254740993'), {
    status: 400,
    field: 'variables.n',
  });
});

t.test('so are numbers in data, filters and content states', async (t) => {
  const number = '9007199254740993';
  const cases: [line: string, body: object, field: string][] = [
    [`POST ${base}/messages`, { title: 'Hi', body: 'x', data: { n: 'NUMBER' } }, 'data.n'],
    [
      `POST ${base}/segments`,
      { name: 'Big', filter: { all: [{ tag: 'n', eq: 'NUMBER' }] } },
      'filter.all[0].eq',
    ],
    [
      `POST ${base}/notifications`,
      { externalUserId: 'ann', title: 'x', body: 'y', payload: { deep: { n: 'NUMBER' } } },
      'payload.deep.n',
    ],
  ];
  for (const [line, body, field] of cases)
    await refuses(t, line, written(body, number), {
      status: 400,
      field,
      error: `${field}: ${words}`,
    });
});

t.test('members that are ignored may have any, and bounds speak first', async (t) => {
  const line = `POST ${base}/subscribers`;
  const ignored = written({ externalUserId: 'bea', seen: { n: 'NUMBER' } }, '9007199254740993');
  t.match(await api.must(line, ignored), { warnings: [{ field: 'seen' }] });
  const settings = written({ eventsRetentionDays: 'NUMBER' }, '9007199254740993');
  await refuses(t, `PATCH ${base}/settings`, settings, {
    status: 400,
    field: 'eventsRetentionDays',
    error: /90/,
  });
});
