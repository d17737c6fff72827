// A disk that another program fills to the last byte while everything runs: reads go on, nothing
// acknowledged is lost, nothing ends the process, and with room again all goes on by itself.

import t from 'tap';
import { client, eventually, makeOrg, type Reply, startServer } from '../support/server.ts';
import { browser } from '../support/signed-in.ts';
import { Filler, freeBytesOf, mountDisk } from '../support/small-disk.ts';

const peopleCount = 3_000;
let mounted = false;
const server = await startServer(t, {
  environment: { ENGAGE_PARTITIONS: '2', ENGAGE_SHARDS: '1' },
  before: (dataDir) => {
    mounted = mountDisk(t, dataDir, '256m');
  },
});
const skip = mounted ? false : 'a disk can only be mounted by root';

/** Calls that are repeated until told to stop, and what came of them. */
class Caller {
  readonly statuses = new Map<number, number>();
  readonly acknowledged: string[] = [];
  readonly done: Promise<void>;
  #stopping = false;

  constructor(call: (n: number) => Promise<{ reply: Reply; name: string }>, atOnce = 1) {
    let next = 0;
    const one = async () => {
      while (!this.#stopping) {
        const { reply, name } = await call(next++);
        this.statuses.set(reply.status, (this.statuses.get(reply.status) ?? 0) + 1);
        if (reply.status < 300) this.acknowledged.push(name);
      }
    };
    const all = Promise.all(Array.from({ length: atOnce }, one));
    this.done = all.then(() => undefined);
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  stop(): Promise<void> {
    this.#stopping = true;
    return this.done;
  }
}

t.test('nothing ends the process, and nothing acknowledged is lost', { skip }, async (t) => {
  const org = await makeOrg(server, 'Acme');
  const app = await org.client.must('POST /v1/apps', { name: 'Shop' });
  const base = `/v1/apps/${app.id}`;
  const events = client(server.url, org.key);
  for (let from = 0; from < peopleCount; from += 500) {
    const rows = Array.from({ length: 500 }, (_, i) => ({
      externalUserId: `p${from + i}`,
      devices: [{ channel: 'email', endpoint: `p${from + i}@example.com` }],
    }));
    await org.client.must('POST /v1/import/subscribers', { appId: app.id, rows });
  }
  const message = await org.client.must(`POST ${base}/messages`, {
    name: 'Hello',
    title: 'Hello',
    body: 'Hello',
  });
  const campaign = await org.client.must(`POST ${base}/campaigns`, {
    name: 'All',
    messageId: message.id,
    channels: ['email'],
  });
  const pid = server.enginePid();

  const reads = new Caller(async (n) => ({
    reply: await org.client.call(`GET ${base}/subscribers/external:p${n % peopleCount}`),
    name: String(n),
  }));
  const signIns = new Caller(async (n) => ({
    reply: await browser(server.url).signIn({ key: org.key }),
    name: String(n),
  }));
  const optOuts = new Caller(async (n) => {
    const endpoint = `gone${n}@example.com`;
    const body = { channel: 'email', address: endpoint };
    return { reply: await org.client.call(`POST ${base}/suppressions`, body), name: endpoint };
  }, 64);
  const tracked = new Caller(async (n) => {
    const event = { id: `e${n}`, externalUserId: `p${n % peopleCount}`, name: 'seen' };
    const body = { appId: app.id, events: [event] };
    return { reply: await events.call('POST /e', body), name: `e${n}` };
  });
  await org.client.must(`POST ${base}/campaigns/${campaign.id}/send`);
  await eventually(async () => {
    const { sent } = await org.client.must(`GET ${base}/campaigns/${campaign.id}/stats`);
    return sent > 100 ? true : undefined;
  }, 'the campaign does not begin');

  const filler = new Filler(t, server.dataDir);
  await eventually(async () => (freeBytesOf(server.dataDir) === 0 ? true : undefined), 'not full');
  const refused = tracked.count(507);
  await eventually(
    async () => (tracked.count(507) > refused + 20 ? true : undefined),
    'events are not refused',
  );
  // Opt-outs go on until the room that the file keeps is used up.
  await eventually(
    async () => (optOuts.count(507) > 20 ? true : undefined),
    () => `the kept room is not used up after ${optOuts.acknowledged.length} opt-outs`,
    60_000,
  );
  const readsBefore = reads.count(200);
  await eventually(async () => (reads.count(200) > readsBefore + 200 ? true : undefined), 'reads');
  t.equal(server.enginePid(), pid, 'the same process');
  const metrics = await client(server.metricsUrl).call('GET /metrics');
  t.match(metrics.text, /engage_store_disk_level\{partition="\d"\} 2/);

  await filler.end();
  const accepted = tracked.count(202);
  await eventually(
    async () => (tracked.count(202) > accepted + 20 ? true : undefined),
    'events are not taken again',
  );
  await Promise.all([reads, signIns, optOuts, tracked].map((one) => one.stop()));
  t.same([...reads.statuses.keys()], [200], 'every read was answered');
  t.equal(server.enginePid(), pid);
  t.notMatch(server.log(), /partition\.fatal|engine\.exit/);

  const stats = () => org.client.must(`GET ${base}/campaigns/${campaign.id}/stats`);
  await eventually(
    async () => ((await stats()).sent >= peopleCount ? true : undefined),
    'the campaign does not go on',
    60_000,
  );
  t.equal((await stats()).sent, peopleCount, 'nobody got it twice, and everybody once');
  await server.kill('SIGKILL');
  await server.start();
  const kept = new Set<string>();
  for (let cursor = ''; ; ) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await org.client.must(`GET ${base}/suppressions?limit=100${after}`);
    for (const { address } of page.items) kept.add(address);
    if (page.nextCursor === null || page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  t.same(
    optOuts.acknowledged.filter((one) => !kept.has(one)),
    [],
    'every opt-out is there',
  );
});
