// Step 0 of more than one machine: two machines see one replicated volume, `engage start` runs on
// one of them, and a supervisor tries on the other. Here both are processes on one data directory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { client, freePorts, until } from '../support/server.ts';
import { bootstrapToken } from './rig/rig.ts';
import { RigEngine } from './rig/rig-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'engage-volume-'));
const environment = {
  ENGAGE_MODE: 'live',
  ENGAGE_VAPID_SUBJECT: 'mailto:ops@example.com',
  ENGAGE_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
  ENGAGE_BOOTSTRAP_TOKEN: bootstrapToken,
  ENGAGE_PARTITIONS: '2',
  ENGAGE_SHARDS: '1',
  ENGAGE_DISPATCHERS: '1',
};

async function machine(): Promise<RigEngine> {
  const [front, metrics, internal] = await freePorts(3);
  const ports = { front, metrics, internal };
  return new RigEngine({ name: 'volume', folder, ports, environment });
}

const first = await machine();
const second = await machine();
t.teardown(async () => {
  await Promise.all([first, second].map(({ program }) => program.kill()));
  rmSync(folder, { recursive: true, force: true });
});

t.setTimeout(300_000);
t.test('a second server on a volume is refused, and takes over when the first dies', async (t) => {
  first.program.launch();
  await first.ready();
  const operator = client(first.url, bootstrapToken);
  const { apiKey } = await operator.must('POST /v1/orgs', { name: 'Acme' });
  const app = await client(first.url, apiKey.key).must('POST /v1/apps', { name: 'Shop' });

  for (let tries = 0; tries < 2; tries++) {
    second.program.launch();
    await until(() => !second.program.isRunning, 'the second one still runs', 60_000);
  }
  const refusal = /volume is in use by process \d+ on .+: one process at a time may open it/;
  t.match(second.program.lastWords(), refusal, 'its log says who has it');
  const person = { externalUserId: 'ada', tags: { n: 1 } };
  const base = `/v1/apps/${app.id}/subscribers`;
  await client(first.url, apiKey.key).must(`POST ${base}`, person);

  await first.program.kill();
  const fromMs = performance.now();
  await second.ready();
  t.comment(`served again after ${Math.round(performance.now() - fromMs)} ms`);
  const read = await client(second.url, apiKey.key).must(`GET ${base}/external:ada`);
  t.match(read, { tags: { n: 1 } }, 'with all that was acknowledged');

  first.program.launch();
  await until(() => !first.program.isRunning, 'the first one still runs', 60_000);
  t.match(first.program.lastWords(), refusal, 'now the first one is refused');
});
