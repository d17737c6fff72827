// `POST /e` over HTTP: validated, deduplicated, folded into memory and durable before the answer. Batches of 1,000, 100
// and 1, one app. Prints events a second and latencies. Run: npm run build && npx tsx bench/ingest.ts [batch sizes]

import { engage } from './support/engage.ts';
import { eventBodies } from './support/events.ts';
import { load } from './support/http-load.ts';

const mark = 'uniqueuniqueuniq';
const people = 100_000;
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 100, 1];

const server = await engage();
try {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  for (const perBody of sizes) {
    const bodies = eventBodies({
      appId,
      count: Math.max(8, Math.min(2000, 200_000 / perBody)),
      perBody,
      people,
      nowMs: Date.now(),
      ids: false,
    }).map((body) => body.toString().replaceAll('{"name":', `{"id":"${mark}","name":`));
    const plan = {
      port: server.port,
      method: 'POST',
      path: '/e',
      headers: { authorization: `Bearer ${key}` },
      bodies,
      unique: mark,
    };
    const connections = perBody === 1 ? 128 : perBody === 100 ? 32 : 16;
    await load({ ...plan, connections: 16, seconds: 2, warmupSeconds: 0 }); // makes the people, warms the code
    const cpu = server.cpuSeconds();
    const result = await load({ ...plan, connections, seconds: 6, warmupSeconds: 1 });
    const used = (server.cpuSeconds() - cpu) / 7;
    console.log(
      `/e × ${perBody}: ${Math.round(result.perSecond * perBody).toLocaleString()} events/s, ${Math.round(result.perSecond).toLocaleString()} requests/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${used.toFixed(2)} cores, generator ${result.cpu.toFixed(2)} cores, answers ${JSON.stringify(result.statuses)}`,
    );
  }
} finally {
  await server.stop();
}
