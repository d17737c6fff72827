// Bulk import over HTTP: 250-byte rows with one device and three tags, 1,000 per call, durable
// before the answer; new people, then the same again. `--people=1000000` starts with that many.
// Run: npm run build && npx tsx bench/import.ts [rows a call] [--people=1000000] [--seconds=6]

import { openScene } from './audience/scene.ts';
import { contestOptions } from './support/contest.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { importLoad } from './support/loads.ts';
import { numberOption, printSummary } from './support/options.ts';

const perBody = Number(contestOptions(process.argv.slice(2)).rest[0] ?? 1000);
const seconds = numberOption('seconds', 6);
const figures: Record<string, number> = {};

const scene = await openScene({});
try {
  const { server, target, people } = scene;
  for (const [name, what] of [
    ['new', 'new people'],
    ['known', 'people who are there'],
  ] as const) {
    const plan = importLoad(target, perBody, name === 'new');
    // Warms the code, and creates the known people.
    await load({ ...plan, seconds: Math.min(2, seconds), warmupSeconds: 0 });
    const before = await totalOf();
    const cpu = server.cpuSeconds();
    const result = await load({ ...plan, seconds, warmupSeconds: 1 });
    mustAnswer(result, 200);
    const used = (server.cpuSeconds() - cpu) / (seconds + 1);
    const made = (await totalOf()) - before;
    if (name === 'new' ? made < result.requests * perBody : made !== 0)
      throw new Error(`${made} people were made by ${result.requests} calls with ${what}`);
    const rate = result.perSecond * perBody;
    console.log(
      `import × ${perBody}, ${what}: ${Math.round(rate).toLocaleString('en')} rows/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${used.toFixed(2)} cores or ${((used * 1e6) / rate).toFixed(0)} µs a row, generator ${result.cpu.toFixed(2)} cores, ${server.residentMb().toFixed(0)} MB`,
    );
    figures[`${name}RowsPerSecond`] = rate;
    figures[`${name}P99Ms`] = result.p99Ms;
  }
  printSummary('import', { people, perBody, ...figures });
} finally {
  await scene.close();
}

async function totalOf(): Promise<number> {
  const { appId, key } = scene.target;
  const { body } = await scene.server.call(
    'POST',
    `/v1/apps/${appId}/segments/preview`,
    { filter: { channel: 'email' } },
    key,
  );
  return (body as { readonly total: number }).total;
}
