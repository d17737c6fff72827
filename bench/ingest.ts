// `POST /e` over HTTP: validated, deduplicated, folded into memory and durable before the answer. Batches of 1,000, 100
// and 1, one app. Prints events a second and latencies. Run: npm run build && npx tsx bench/ingest.ts [batch sizes]

import { engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { eventLoad } from './support/loads.ts';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 100, 1];

const server = await engage();
try {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  for (const perBody of sizes) {
    const plan = eventLoad({ port: server.port, key, appId }, perBody);
    await load({ ...plan, connections: 16, seconds: 2, warmupSeconds: 0 }); // makes the people, warms the code
    const cpu = server.cpuSeconds();
    const result = await load({ ...plan, seconds: 6, warmupSeconds: 1 });
    mustAnswer(result, 202);
    const used = (server.cpuSeconds() - cpu) / 7;
    console.log(
      `/e × ${perBody}: ${Math.round(result.perSecond * perBody).toLocaleString()} events/s, ${Math.round(result.perSecond).toLocaleString()} requests/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${used.toFixed(2)} cores, generator ${result.cpu.toFixed(2)} cores`,
    );
  }
} finally {
  await server.stop();
}
