// How an import is cut into slices, and how their replies come together.

import t from 'tap';
import type { SliceRows } from '../../../actors/people/audience/import/pack-rows.ts';
import { unpackedRow } from '../../../actors/people/audience/import/unpack-row.ts';
import type { PackedRows, SubscriberInput } from '../../../actors/people/audience/protocol.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { app, fakeFront } from './fake-front.ts';

const line = 'POST /v1/import/subscribers';
/** The rows of a message, unpacked. */
function rowsOf(message: object): readonly SubscriberInput[] {
  const { rows, packed } = message as SliceRows;
  let at = 0;
  return rows.map((row) => row ?? unpackedRow(packed as PackedRows, at++));
}
const people = (count: number, devices = 1) =>
  Array.from({ length: count }, (_, i) => ({
    externalUserId: `p${i}`,
    devices: Array.from({ length: devices }, (_, d) => ({
      channel: 'email',
      endpoint: `${i}.${d}@example.com`,
    })),
  }));

t.test('rows go in order, in slices of counted work, and their counts add up', async (t) => {
  const front = fakeFront((message) => {
    const rows = rowsOf(message);
    return { handled: rows.length, created: rows.length - 1, updated: 1, errors: [] };
  });
  const body = { appId: exampleIds.app, rows: people(1_000) };
  const got = await front.call(line, { body });
  t.same([got.status, got.json], [200, { created: 996, updated: 4, failed: 0, errors: [] }]);
  t.same(
    front.asked.map(({ to, message }) => [to, message.kind, rowsOf(message).length]),
    Array.from({ length: 4 }, () => [app, 'subscriber.import', 250]),
  );
  t.same(
    front.asked.flatMap(({ message }) => rowsOf(message).map((row) => row.externalUserId)),
    body.rows.map((row) => row.externalUserId),
  );
  front.asked.length = 0;
  await front.call(line, { body: { appId: exampleIds.app, rows: people(30, 50) } });
  t.same(
    front.asked.map(({ message }) => rowsOf(message).length),
    [10, 10, 10],
    'devices count, too',
  );
});

t.test('errors of the edge and of the actor come together, by the row of the call', async (t) => {
  const front = fakeFront((message) => {
    const rows = rowsOf(message);
    const errors = rows.flatMap(({ externalUserId }, row) =>
      externalUserId === 'p3' || externalUserId === 'p700'
        ? [{ row, error: 'tags.$x: keys that start with $ are reserved' }]
        : [],
    );
    return { handled: rows.length, created: rows.length - errors.length, updated: 0, errors };
  });
  const rows: unknown[] = people(900);
  rows[0] = 7;
  rows[2] = { externalUserId: '' };
  rows[800] = { tags: { a: '\ud800' } };
  const got = await front.call(line, { body: { appId: exampleIds.app, rows } });
  t.match(got.json, {
    created: 895,
    failed: 5,
    errors: [
      { row: 0, error: 'row: expected an object' },
      { row: 2, error: /^externalUserId: / },
      { row: 3, error: /^tags\.\$x: / },
      { row: 700, error: /^tags\.\$x: / },
      { row: 800, error: /^tags\.a: holds an unpaired/ },
    ],
  });
});

t.test('what the actor leaves of a slice goes next, before the rows after it', async (t) => {
  const front = fakeFront((message) => {
    const handled = Math.min(100, rowsOf(message).length);
    return { handled, created: handled, updated: 0, errors: [] };
  });
  const body = { appId: exampleIds.app, rows: people(300) };
  t.match((await front.call(line, { body })).json, { created: 300 });
  t.same(
    front.asked.map(({ message }) => rowsOf(message)[0]?.externalUserId),
    ['p0', 'p100', 'p200', 'p250'],
  );
});

t.test('a failure halfway says from which row on to send again', async (t) => {
  let slices = 0;
  const front = fakeFront((message) => {
    if (slices++ === 2)
      throw { fault: { code: 'overloaded', message: 'busy', retryAfterSeconds: 1 } };
    return { handled: rowsOf(message).length, created: 250, updated: 0, errors: [] };
  });
  const body = { appId: exampleIds.app, rows: people(2_000) };
  const got = await front.call(line, { body });
  t.match(got, {
    status: 503,
    headers: { 'retry-after': '1' },
    json: { code: 'overloaded', field: 'rows[500]', error: /^rows\[500\]: valid rows before/ },
  });
  t.equal(front.asked.length, 3, 'nothing is sent after it, so rows keep their order');
});

t.test('the app is the one that is named, or the only one of the key', async (t) => {
  const front = fakeFront(() => ({ handled: 0, created: 0, updated: 0, errors: [] }));
  front.addKey('scoped', { app, appId: exampleIds.app });
  const rows: unknown[] = [];
  t.equal((await front.call(line, { body: { rows }, key: 'scoped' })).status, 200);
  t.match(front.asked[0]?.message, { kind: 'subscriber.import', namedApp: exampleIds.app });
  t.match(await front.call(line, { body: { rows } }), { status: 400, json: { field: 'appId' } });
  const elsewhere = { appId: `app_${'0'.repeat(25)}1`, rows };
  for (const key of ['all', 'scoped']) {
    t.match(await front.call(line, { body: elsewhere, key }), {
      status: 404,
      json: { field: 'appId', error: 'appId: app not found' },
    });
  }
  t.equal((await front.call(line, { body: { rows }, key: 'read' })).status, 403);
});

t.test('an app that is not there is a 404 even where every row is bad', async (t) => {
  const front = fakeFront(() => {
    throw { fault: { code: 'not_found', message: 'app not found' } };
  });
  for (const rows of [[], [7], [7, {}]]) {
    const got = await front.call(line, { body: { appId: exampleIds.app, rows } });
    t.match([got.status, got.json], [404, { field: 'appId', error: 'appId: app not found' }]);
  }
});

t.test('a call has at most 10,000 rows', async (t) => {
  const front = fakeFront((message) => {
    const { length } = rowsOf(message);
    return { handled: length, created: length, updated: 0, errors: [] };
  });
  const rows = (count: number) => ({ appId: exampleIds.app, rows: new Array(count).fill({}) });
  t.match((await front.call(line, { body: rows(10_000) })).json, { created: 10_000 });
  t.match(await front.call(line, { body: rows(10_001) }), { status: 400, json: { field: 'rows' } });
  t.match(await front.call(line, { body: { appId: exampleIds.app } }), {
    status: 400,
    json: { field: 'rows' },
  });
});
