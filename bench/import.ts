// Bulk import over HTTP: rows of some 250 bytes with one device and three tags, 1,000 a call, everything durable before
// the answer; new people first, then the same people again. Run: npm run build && npx tsx bench/import.ts [rows a call]

import { engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { importLoad } from './support/loads.ts';

const perBody = Number(process.argv[2] ?? 1000);

const server = await engage();
try {
  const { key, apps } = await server.tenant(1);
  const target = { port: server.port, key, appId: apps[0] as string };
  for (const what of ['new people', 'people who are there'] as const) {
    const plan = importLoad(target, perBody, what === 'new people');
    await load({ ...plan, seconds: 2, warmupSeconds: 0 }); // warms the code, makes those who are there
    const cpu = server.cpuSeconds();
    const result = await load({ ...plan, seconds: 6, warmupSeconds: 1 });
    mustAnswer(result, 200);
    const used = (server.cpuSeconds() - cpu) / 7;
    console.log(
      `import × ${perBody}, ${what}: ${Math.round(result.perSecond * perBody).toLocaleString()} rows/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${used.toFixed(2)} cores or ${((used * 1e6) / (result.perSecond * perBody)).toFixed(0)} µs a row, generator ${result.cpu.toFixed(2)} cores, ${server.residentMb().toFixed(0)} MB`,
    );
  }
} finally {
  await server.stop();
}
