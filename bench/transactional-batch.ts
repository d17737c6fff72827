// Accepting transactional batches of 1,000, five Liquid variables and a key per recipient, durable
// before the 202, in recipients per second.
// Run: npm run build && npx tsx bench/transactional-batch.ts [--seconds=5]

import { engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, batchLoad } from './support/loads.ts';
import { numberOption } from './support/options.ts';

const perBody = 1_000;
const seconds = numberOption('seconds', 5);
const server = await engage(acceptOnly);
try {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  const rows = Array.from({ length: perBody }, (_, i) => ({
    externalUserId: `user-${i}`,
    tags: { first_name: `Ana ${i}` },
    devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
  }));
  const { status } = await server.call('POST', '/v1/import/subscribers', { appId, rows }, key);
  if (status !== 200) throw new Error(`the import was answered ${status}`);
  const plan = batchLoad({ port: server.port, key, appId }, perBody);
  const cpu = server.cpuSeconds();
  const result = await load({ ...plan, seconds, warmupSeconds: 1 });
  mustAnswer(result, 202);
  const cores = (server.cpuSeconds() - cpu) / (seconds + 1);
  const perSecond = Math.round(result.perSecond * perBody).toLocaleString();
  console.log(
    `transactional batch of ${perBody}: ${perSecond} recipients/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${cores.toFixed(2)} cores`,
  );
} finally {
  await server.stop();
}
