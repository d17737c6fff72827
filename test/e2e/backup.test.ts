// The drill that every operator should have done once: a backup beside a server under load, a
// restore into a new directory, a start, and a comparison of what was acknowledged before the cut
// with what is there. Then the master key is rotated under the running server. All of it by the
// commands, as a person would.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { nodeArguments, root } from '../support/places.ts';
import { client, eventually, makeOrg, startServer, until } from '../support/server.ts';

t.setTimeout(300_000); // many starts, and a machine that is busy with other tests

const server = await startServer(t);
const org = await makeOrg(server, 'Acme', {
  rateLimits: { transactional: null, standard: null },
  dailySendCap: null,
});
const app = await org.client.must('POST /v1/apps', { name: 'Shop', timezone: 'UTC' });
const base = `/v1/apps/${app.id}`;
const sandbox = client(server.sandboxUrl);
const original = join(dirname(server.dataDir), 'original');
const backup = join(dirname(server.dataDir), 'backup');

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function engage(...words: string[]): Promise<Run> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ENGAGE|TAP)_|^NODE_OPTIONS$/.test(name),
  );
  const child = spawn(process.execPath, [...nodeArguments('cli/main.ts'), ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(kept), ENGAGE_DATA_DIR: server.dataDir },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** What clients were told is done. */
interface Acknowledged {
  readonly people: { readonly id: string; readonly externalUserId: string; readonly n: number }[];
  readonly sends: { readonly id: string; readonly key: string; readonly body: object }[];
  readonly events: { readonly externalUserId: string; readonly id: string }[];
  readonly optOuts: string[];
}

const all: Acknowledged = { people: [], sends: [], events: [], optOuts: [] };
let isLoading = true;
let made = 0;

/**
 * Writes of every kind, one after the other, until it is told to stop. Some recipients' provider
 * does not answer.
 */
async function load(): Promise<void> {
  while (isLoading) {
    const n = ++made;
    const externalUserId = `${n % 5 === 0 ? 'stuck' : n % 5 === 1 ? 'later' : 'fine'}-${n}`;
    const person = await org.client.must(`POST ${base}/subscribers`, {
      externalUserId,
      tags: { n },
      devices: [
        { channel: 'fcm', endpoint: `${externalUserId}-token-0123456789` },
        { channel: 'email', endpoint: `${externalUserId}@example.com` },
      ],
    });
    all.people.push({ id: person.id, externalUserId, n });
    const body = { externalUserId, title: 'Hi', body: `number ${n}` };
    const key = `key-${n}`;
    const sent = await org.client.call(`POST ${base}/notifications`, body, {
      'idempotency-key': key,
    });
    if (sent.status === 202) all.sends.push({ id: sent.json.id, key, body });
    const id = `event-${n}`;
    const tracked = await org.client.call('POST /e', {
      appId: app.id,
      events: [{ name: 'seen', externalUserId, id }],
    });
    if (tracked.status < 300) all.events.push({ externalUserId, id });
    if (n % 7 === 0) {
      const address = `out-${n}@example.com`;
      await org.client.must(`POST ${base}/suppressions`, { channel: 'email', address });
      all.optOuts.push(address);
    }
  }
}

t.test(
  'everything acknowledged before a backup under load is in it, and with none nothing is sent again',
  async (t) => {
    await sandbox.must('POST /control/faults', { channel: 'fcm', match: 'stuck', fault: 'hang' });
    await sandbox.must('POST /control/faults', {
      channel: 'fcm',
      match: 'later',
      fault: 'status',
      value: 503,
    });
    const clients = Array.from({ length: 4 }, load);
    await until(() => all.sends.length >= 40, 'there is no load');
    const leaked = await org.client.must('POST /v1/keys', { name: 'leaked', scopes: ['read'] });
    const page = client(server.url, '');
    const login = { appId: app.id, externalUserId: 'a-client' };
    const { clientToken } = await page.must('POST /v1/sdk/subscriber', login);
    const { messageId } = await org.client.must(`POST ${base}/messages`, { title: 'A', body: 'B' });
    const steps = [{ id: 'hello', type: 'send', messageId, channels: ['email'] }];
    const drawn = { name: 'Welcome', triggerEvent: 'signed_up', steps };
    const journey = await org.client.must(`POST ${base}/journeys`, drawn);
    await org.client.must(`PATCH ${base}/journeys/${journey.id}`, { active: true });
    const shown = await org.client.must(`POST ${base}/in-app-messages`, {
      messageId,
      show: 'inbox',
    });
    const reader = { appId: app.id, externalUserId: 'a-reader' };
    const { clientToken: readers } = await page.must('POST /v1/sdk/subscriber', reader);
    const marks = { read: 'all', archive: [shown.id] };
    await page.must('POST /v1/sdk/inbox', { appId: app.id, clientToken: readers, ...marks });
    const before: Acknowledged = structuredClone(all);
    const backedUp = await engage('backup', backup);
    isLoading = false;
    await Promise.all(clients);
    t.equal(backedUp.code, 0, backedUp.stderr);
    t.match(backedUp.stderr, /by the running server/);
    t.ok(all.sends.length > before.sends.length, 'the server went on serving');

    const erased = before.people.pop(); // after the cut, so the backup still has them
    await org.client.must(`DELETE ${base}/subscribers/${erased?.id}`);
    before.events.splice(
      0,
      before.events.length,
      ...before.events.filter(({ externalUserId }) => externalUserId !== erased?.externalUserId),
    );

    // a key that leaked, one who opts out, and one who is back: what a restore must not undo
    await org.client.must(`DELETE /v1/keys/${leaked.id}`);
    await org.client.call(`POST ${base}/subscribers/external:a-client/end-sessions`);
    const late = 'late@example.com';
    await org.client.must(`POST ${base}/suppressions`, { channel: 'email', address: late });
    const back = before.optOuts.pop() ?? '';
    await org.client.must(`DELETE ${base}/suppressions?channel=email&address=${back}`);
    await new Promise((resolve) => setTimeout(resolve, 500)); // opt-outs are listed together

    await server.kill('SIGKILL'); // this machine is lost
    renameSync(server.dataDir, original);
    const restored = await engage('restore', backup, '--resend', 'none');
    t.equal(restored.code, 0, restored.stderr);
    t.match(restored.stderr, /no lists of erased people/);
    for (const secret of ['master-key', 'bootstrap-token'])
      copyFileSync(join(original, secret), join(server.dataDir, secret));
    cpSync(join(original, 'erasures'), join(server.dataDir, 'erasures'), { recursive: true });
    await server.start(); // with a sandbox that has seen nothing yet
    const old = client(server.url, leaked.key);
    t.equal((await old.call('GET /v1/org')).status, 401, 'nor a key that was deleted');

    const token = { authorization: `Bearer ${clientToken}` };
    const feed = await page.call(`GET /v1/sdk/feed?appId=${app.id}`, undefined, token);
    t.equal(feed.status, 401, 'nor a session that has ended');

    const { json: inboxes } = await page.call(`GET /v1/sdk/feed?appId=${app.id}`, undefined, {
      authorization: `Bearer ${readers}`,
    });
    t.match(inboxes.inbox, { items: [], unread: 0 }, 'what was archived stays so');
    t.match((await org.client.must(`GET ${base}/in-app-messages/${shown.id}`)).counts, {
      read: 0,
      archived: 1,
    });

    const again = await org.client.call(`GET ${base}/subscribers/${erased?.id}`);
    t.equal(again.status, 404, 'a restore brings nobody back who was erased after its backup');
    for (const { id, n } of before.people) {
      const person = await org.client.must(`GET ${base}/subscribers/${id}`);
      t.same([person.tags.n, person.devices.length], [n, 2], id);
    }
    let givenUp = 0;
    for (const { id } of before.sends) {
      const send = await eventually(async () => {
        const found = await org.client.must(`GET ${base}/notifications/${id}`);
        return found.status === 'pending' ? undefined : found;
      }, `${id} is pending`);
      const fcm = send.outcomes.find((one: { channel: string }) => one.channel === 'fcm');
      if (fcm.status === 'failed') {
        givenUp++;
        t.equal(fcm.reason, 'unknown_outcome', id);
      }
    }
    t.ok(givenUp > 5, `${givenUp} sends were pending at the cut`);
    for (const { externalUserId, id } of before.events) {
      const person = before.people.find((one) => one.externalUserId === externalUserId);
      const { items } = await org.client.must(
        `GET ${base}/events?subscriberId=${person?.id}&name=seen`,
      );
      t.same(
        items.map((one: { id: string }) => one.id),
        [id],
      );
    }
    const { items } = await org.client.must(`GET ${base}/suppressions?limit=200`);
    const kept = new Set(items.map((one: { address: string }) => one.address));
    t.same(
      before.optOuts.filter((address) => !kept.has(address)),
      [],
    );
    t.ok(kept.has(late), 'an opt-out of after the backup holds');
    t.notOk(kept.has(back), 'and so does the end of one');
    for (const { id, key, body } of before.sends.slice(0, 10)) {
      const replay = await org.client.call(`POST ${base}/notifications`, body, {
        'idempotency-key': key,
      });
      t.equal(replay.json.id, id, 'an idempotency key of before the cut gives the same send');
    }
    const stats = await sandbox.must('GET /control/stats');
    const calls = Object.entries(stats.channels as Record<string, { calls: number }>);
    t.same(
      calls.filter(([, counts]) => counts.calls > 0),
      [],
      'no provider was called',
    );

    const waiting = await engage('resume', '--list');
    t.match(waiting.stderr, new RegExp(`journey +${journey.id}  Welcome`));
    t.same(JSON.parse(waiting.stdout), { held: [{ appId: app.id, journeys: 1, campaigns: 0 }] });
    const other = await engage('resume', '--app', 'app_0000000000000000000000000');
    t.same(JSON.parse(other.stdout), { held: [] });
    const resumed = await engage('resume', '--campaigns');
    t.same(JSON.parse(resumed.stdout), { apps: 1, journeys: 1, campaigns: 0, failed: 0 });
    t.equal(resumed.code, 0);
    t.match((await engage('resume')).stderr, /Nothing is waiting since a restore/);

    const { redriven } = await org.client.must(`POST ${base}/dead-letters/redrive`, {
      reason: 'unknown_outcome',
    });
    t.ok(redriven >= givenUp, `${redriven} were redriven`);
    const fresh = await org.client.must(`POST ${base}/notifications`, {
      subscriberId: before.people[0]?.id,
      title: 'After',
      body: 'the restore',
    });
    const landed = await eventually(async () => {
      const found = await org.client.must(`GET ${base}/notifications/${fresh.id}`);
      return found.outcomes.length === 2 ? found : undefined;
    }, 'a new send does not leave');
    t.equal(landed.status, 'delivered');
  },
);

t.test('a check beside the running server finds nothing wrong', async (t) => {
  const { code, stdout, stderr } = await engage('check', '--json');
  t.equal(code, 0, stderr);
  const { ok, reports } = JSON.parse(stdout);
  t.ok(ok, stdout);
  t.ok(reports.every((report: { epoch: number }) => report.epoch === 2));
});

t.test('the master key is rotated under the running server, and the old one can go', async (t) => {
  const file = join(server.dataDir, 'master-key');
  const old = readFileSync(file, 'utf8').trim();
  const fresh = randomBytes(32).toString('base64');
  // and web push keys of two apps
  await org.client.must(`PATCH ${base}/settings`, { secret: 'whsec_of_this_test' });
  await server.stop();
  writeFileSync(file, `${fresh},${old}\n`);
  await server.start();
  const before = await engage('keys');
  t.equal(before.code, 0, before.stderr);
  t.match(before.stderr, /2 apps have values under a key other than the first/);
  const rotated = await engage('keys', 'rotate');
  t.same(JSON.parse(rotated.stdout), { apps: 2, rewrapped: 4, failed: 0 });
  t.match((await engage('keys')).stdout, /0 encrypted {2}decrypts/);
  await server.stop();
  writeFileSync(file, `${fresh}\n`);
  await server.start();
  const after = await engage('keys');
  t.equal(after.code, 0);
  t.match(after.stdout, /^[0-9a-f]{8} +4 encrypted {2}encrypts and decrypts\n$/);
});

t.test('with all, what was pending leaves once after the restore', async (t) => {
  await server.stop();
  renameSync(server.dataDir, `${server.dataDir}.none`);
  mkdirSync(server.dataDir, { mode: 0o700 });
  // brought before the restore this time
  for (const secret of ['master-key', 'bootstrap-token'])
    copyFileSync(join(original, secret), join(server.dataDir, secret));
  const restored = await engage('restore', backup, '--resend', 'all');
  t.equal(restored.code, 0, restored.stderr);
  t.notMatch(restored.stderr, /master-key/);
  await server.start();
  const later = all.sends.filter(({ body }) => JSON.stringify(body).includes('later-')).slice(0, 5);
  for (const { id } of later) {
    const look = async () => {
      const found = await org.client.must(`GET ${base}/notifications/${id}`);
      return found.outcomes.some((one: { channel: string }) => one.channel === 'fcm')
        ? found
        : undefined;
    };
    // The longer the load went on, the more often each was refused, and the longer it waits.
    const landed = await eventually(look, `${id} does not leave`, 120_000);
    t.equal(landed.status, 'delivered');
    const { devices } = await sandbox.must(`GET /control/stats?sendId=${id}`);
    t.ok(
      devices.every((pair: { accepted: number }) => pair.accepted === 1),
      id,
    );
  }
});
