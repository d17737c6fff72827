// Exports of everybody (contract, section 4), from both servers: whole over many pages, equal to
// what a read shows, not stopped by a client that goes, and refused like every other call.

import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { otherId } from '../support/other-id.ts';
import { client, until } from '../support/server.ts';
import { parseCsv, undefused } from '../support/strict-csv.ts';
import { tries } from '../support/tries.ts';
import { chapter } from './chapter.ts';

const peopleCount = 30_000;

for (const http of (['uws', 'node'] as const).slice(0, tries(2))) {
  t.test(`from the ${http} server`, (t) => exportsOf(t, http));
}

async function exportsOf(t: Test, http: 'uws' | 'node'): Promise<void> {
  const all = await chapter(t, http === 'node' ? { ENGAGE_HTTP: http } : {});
  const { api, app, base, org, server, takes, refuses } = all;
  const exported = `GET ${base}/subscribers/export`;
  // Without a setting it is uWebSockets.js, unless the log says that it does not load.
  t.equal(server.log().includes('http.twin'), false);
  const saidBefore = server.log().length;

  await t.test('of nobody there is a header line, or nothing', async (t) => {
    const csv = await takes(t, exported, undefined, 200);
    t.equal(
      csv.text,
      'id,externalUserId,devices,tags,preferredChannels,timezone,createdAt,updatedAt,lastActiveAt\r\n',
    );
    t.match(csv.headers, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': new RegExp(
        `^attachment; filename="subscribers-${app}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`,
      ),
      'cache-control': 'no-store',
      'x-request-id': String,
      'x-ratelimit-lane': 'standard',
    });
    const lines = await takes(t, `${exported}?format=jsonl`, undefined, 200);
    t.equal(lines.text, '');
    t.match(lines.headers, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': /\.jsonl"$/,
    });
  });

  await t.test('a call that cannot be answered is refused in whole', async (t) => {
    await refuses(t, `${exported}?format=xml`, undefined, { status: 400, field: 'format' });
    await refuses(t, `${exported}?limit=5`, undefined, { status: 400, field: 'limit' });
    await refuses(t, `${exported}?segmentId=seg_00000000000000000000000000`, undefined, {
      status: 404,
      code: 'not_found',
      field: 'segmentId',
      error: 'segmentId: segment not found',
    });
    const elsewhere = `GET /v1/apps/${otherId(app)}/subscribers/export`;
    await refuses(t, elsewhere, undefined, { status: 404, error: 'app not found' });
    const scopes = ['write', 'send', 'admin'];
    const { key } = await api.must('POST /v1/keys', { name: 'no read', scopes });
    t.equal((await client(server.url, key).call(exported)).status, 403);
  });

  await t.test(
    'a line is exactly what reading the person shows, with the opt-outs of devices',
    async (t) => {
      const people = [
        { externalUserId: '=cmd|calc', tags: { note: 'a "b", c\r\nd', list: ['x', ''] } },
        { tags: {}, preferredChannels: ['email', 'sms'], timezone: 'Asia/Bangkok' },
        {
          externalUserId: "'-é😀",
          devices: [
            { channel: 'email', endpoint: `ada-${http}@example.com` },
            { channel: 'sms', endpoint: '+14155550123', enabled: false },
          ],
        },
      ];
      const ids: string[] = [];
      for (const person of people)
        ids.push((await api.must(`POST ${base}/subscribers`, person)).id);
      await takes(
        t,
        'POST /e',
        { appId: app, events: [{ name: 'seen', externalUserId: '=cmd|calc' }] },
        202,
      );
      const shown = async () => {
        const { text } = await takes(t, `${exported}?format=jsonl`, undefined, 200);
        return JSON.parse(text.trimEnd().split('\n')[2] ?? '').devices;
      };
      const reached = { suppressed: null, reachable: true };
      t.match(await shown(), [reached, { ...reached, reachable: false }], 'nobody has opted out');
      const optOut = { channel: 'email', address: `ada-${http}@example.com`, reason: 'asked' };
      await takes(t, `POST ${base}/suppressions`, optOut, 201);
      t.match(await shown(), [
        { suppressed: { scope: 'all', reason: 'asked', at: /Z$/ }, reachable: false },
        { suppressed: null, reachable: false },
      ]);
      const reads = await Promise.all(ids.map((id) => api.call(`GET ${base}/subscribers/${id}`)));
      const lines = await takes(t, `${exported}?format=jsonl`, undefined, 200);
      // A file has no versions, and names are in its tags.
      const stored = reads.map(({ json }) =>
        JSON.stringify(json, (name, value) =>
          name === 'etag' || name === 'displayName' ? undefined : value,
        ),
      );
      t.equal(lines.text.trimEnd(), stored.join('\n'));
      t.ok(reads[0]?.json.lastActiveAt, 'with what only memory knows');

      const csv = await takes(t, `${exported}?format=csv`, undefined, 200);
      const [header = [], ...records] = parseCsv(csv.text);
      t.same(records[0]?.[1], "'=cmd|calc");
      for (const [index, text] of stored.entries()) {
        const json = JSON.parse(text);
        for (const [place, name] of header.entries()) {
          const cell = undefused(records[index]?.[place] ?? '');
          const value = json[name];
          if (name === 'devices' || name === 'tags') t.same(JSON.parse(cell), value);
          else t.equal(cell, Array.isArray(value) ? value.join('|') : (value ?? ''), name);
        }
      }
      await takes(t, `DELETE ${base}/subscribers/${ids[1]}`, undefined, 204);
      const after = await takes(t, `${exported}?format=jsonl`, undefined, 200);
      t.notOk(after.text.includes(ids[1] as string), 'who was erased is gone from the next one');
      t.equal(after.text.trimEnd().split('\n').length, 2);
    },
  );

  const { id: large } = await api.must('POST /v1/apps', { name: 'Large' });
  const largeExport = `GET /v1/apps/${large}/subscribers/export`;
  for (let from = 0; from < peopleCount; from += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, i) => ({
      name: 'seen',
      externalUserId: `user-${from + i}`,
    }));
    await api.must('POST /e', { appId: large, events });
  }

  await t.test('everybody is there once, in order, over many pages', async (t) => {
    const csv = await takes(t, largeExport, undefined, 200);
    const [, ...records] = parseCsv(csv.text);
    t.same(
      records.map(([, externalUserId]) => externalUserId),
      Array.from({ length: peopleCount }, (_, i) => `user-${i}`),
    );
    t.ok(csv.text.length > 8 * 256 * 1024, `${csv.text.length} characters are many pages`);
    const jsonl = await takes(t, `${largeExport}?format=jsonl`, undefined, 200);
    const lines = jsonl.text.trimEnd().split('\n');
    t.equal(lines.length, peopleCount);
    t.match(JSON.parse(lines[17_123] ?? ''), {
      externalUserId: 'user-17123',
      lastActiveAt: String,
    });
  });

  await t.test('people who come and go meanwhile do not disturb it', async (t) => {
    const [whole] = await Promise.all([
      takes(t, `${largeExport}?format=jsonl`, undefined, 200),
      (async () => {
        for (let i = 0; i < 40; i++) {
          await api.must(`DELETE /v1/apps/${large}/subscribers/external:user-${i * 700 + 13}`);
          await api.must(`POST /v1/apps/${large}/subscribers`, { externalUserId: `late-${i}` });
        }
      })(),
    ]);
    const names = whole.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).externalUserId);
    t.equal(new Set(names).size, names.length, 'nobody twice');
    const found = new Set(names);
    const stayed = Array.from({ length: peopleCount }, (_, i) => i).filter((i) => i % 700 !== 13);
    const missing = stayed.filter((i) => !found.has(`user-${i}`));
    t.same([missing.length, missing.slice(0, 5)], [0, []], 'nobody is left out');
    const after = await takes(t, largeExport, undefined, 200);
    t.notMatch(after.text, /user-13,/);
    t.match(after.text, /late-39,/);
  });

  await t.test('HEAD has the same head and no file', async (t) => {
    const head = await takes(t, largeExport.replace('GET', 'HEAD'), undefined, 200);
    t.equal(head.text, '');
    t.match(head.headers, { 'content-disposition': /\.csv"$/ });
  });

  await t.test('clients that go or do not read hold nothing, and an org has four', async (t) => {
    const { port } = new URL(server.url);
    const open = async () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `GET /v1/apps/${large}/subscribers/export?format=jsonl HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${org.key}\r\n\r\n`,
      );
      await once(socket, 'readable');
      const first = String(socket.read(12) ?? '');
      socket.pause();
      return { socket, first };
    };
    const readers = await Promise.all([open(), open(), open(), open()]);
    t.same(
      readers.map(({ first }) => first),
      Array(4).fill('HTTP/1.1 200'),
    );
    await refuses(t, largeExport, undefined, {
      status: 429,
      code: 'rate_limited',
      error: /four|4/,
    });
    t.equal((await api.call(`GET ${base}/subscribers?limit=1`)).status, 200, 'others go on');
    for (const { socket } of readers) socket.resetAndDestroy();
    await until(
      async () => (await api.call(exported)).status === 200,
      'the places were not given back',
    );
    await until(async () => (await inFlight(server.metricsUrl)) === 0, 'a call is still in flight');
    t.notMatch(
      server.log().slice(saidBefore),
      /"level":"(error|fatal)"/,
      'a client that goes is no error',
    );
  });
}

async function inFlight(metricsUrl: string): Promise<number> {
  const { text } = await client(metricsUrl).call('GET /metrics');
  return Number(/^engage_http_in_flight (\d+)$/m.exec(text)?.[1]);
}
