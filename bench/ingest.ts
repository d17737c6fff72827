// `POST /e` over HTTP, durable before the answer: events per second and latencies for batches of
// 1,000, 100 and 1. `--people=1000000` adds people, columns and two saved segments, beside the same
// load on an empty app; `--subscribed` has both segments watched.
// Run: npm run build && npx tsx bench/ingest.ts [batch sizes] [--people=1000000] [--subscribed]

import { eventsStored, isPeopled, openScene } from './audience/scene.ts';
import { contestOptions } from './support/contest.ts';
import type { BenchServer } from './support/engage.ts';
import { type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { eventLoad, eventPeople, type LoadTarget } from './support/loads.ts';
import { isAsked, numberOption, printSummary } from './support/options.ts';

const { rest } = contestOptions(process.argv.slice(2));
const sizes = rest.length > 0 ? rest.map(Number) : [1000, 100, 1];
const seconds = numberOption('seconds', 6);
const figures: Record<string, number | null> = {};

const scene = await openScene();
try {
  const { server, target, people } = scene;
  for (const perBody of sizes) {
    const before = await eventsStored(server, target);
    const peopled = await measured(server, target, perBody, Math.max(people, eventPeople));
    const stored = (await eventsStored(server, target)) - before;
    if (stored < peopled.acknowledged * perBody)
      throw new Error(`${stored} events stored, ${peopled.acknowledged * perBody} acknowledged`);
    const { result, cores } = peopled;
    const rate = result.perSecond * perBody;
    let beside = '';
    let ratio: number | null = null;
    if (isPeopled()) {
      const { key, apps } = await server.tenant(1);
      const empty = { port: server.port, key, appId: apps[0] as string };
      const alone = await measured(server, empty, perBody, eventPeople);
      ratio = result.perSecond / alone.result.perSecond;
      beside = `; ${ratio.toFixed(2)} of the ${Math.round(alone.result.perSecond * perBody).toLocaleString('en')} of an app of ${eventPeople.toLocaleString('en')} bare people`;
    }
    console.log(
      `/e × ${perBody}: ${Math.round(rate).toLocaleString('en')} events/s, ${Math.round(result.perSecond).toLocaleString('en')} requests/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${cores.toFixed(2)} cores, generator ${result.cpu.toFixed(2)} cores${beside}`,
    );
    figures[`eventsPerSecond${perBody}`] = rate;
    figures[`p99Ms${perBody}`] = result.p99Ms;
    figures[`ratio${perBody}`] = ratio;
  }
  printSummary('ingest', {
    people,
    subscribed: isAsked('subscribed'),
    ...figures,
    residentMb: server.residentMb(),
  });
} finally {
  await scene.close();
}

/** A load that warms the code and creates missing people, then the measured one. */
async function measured(
  server: BenchServer,
  target: LoadTarget,
  perBody: number,
  people: number,
): Promise<{
  readonly result: LoadResult;
  readonly acknowledged: number;
  readonly cores: number;
}> {
  const plan = eventLoad(target, perBody, people);
  const warm = await load({ ...plan, connections: 16, seconds: 2, warmupSeconds: 0 });
  mustAnswer(warm, 202);
  const cpu = server.cpuSeconds();
  const result = await load({ ...plan, seconds, warmupSeconds: 1 });
  mustAnswer(result, 202);
  return {
    result,
    acknowledged: warm.requests + result.requests,
    cores: (server.cpuSeconds() - cpu) / (seconds + 1),
  };
}
