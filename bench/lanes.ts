// Latency of a transactional request while `/e` saturates the same app: express passes bulk, so it
// should wait only for the current turn. One request at a time; `--people=1000000` for a full app.
// The same request to a bare server in a process of its own, beside the same load, says how much of
// that the machine takes: two cores serve the generator, the front, the shard and LMDB's writer.
// Run: npm run build && npx tsx bench/lanes.ts [--people=1000000] [--subscribed] [--seconds=6]

import { openScene } from './audience/scene.ts';
import { serveBare } from './baseline/bare-server.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { eventLoad, eventPeople, sendLoad } from './support/loads.ts';
import { numberOption, printSummary } from './support/options.ts';

const seconds = numberOption('seconds', 6);
const scene = await openScene();
const bare = await serveBare('uws', {});
try {
  const { target, people, reachable } = scene;
  const one = { ...sendLoad(target, reachable), connections: 1 };
  const events = eventLoad(target, 1000, Math.max(people, eventPeople));
  await load({ ...events, seconds: 3, warmupSeconds: 0 });
  const alone = await load({ ...one, seconds: 3, warmupSeconds: 1 });
  const beside = async (port: number) => {
    const [busy, taken] = await Promise.all([
      load({ ...one, port, seconds, warmupSeconds: 2 }),
      load({ ...events, seconds: seconds + 2, warmupSeconds: 1 }),
    ]);
    for (const result of [busy, taken]) mustAnswer(result, 202);
    return { busy, taken };
  };
  const { busy, taken } = await beside(target.port);
  const { busy: bareBusy } = await beside(bare.port);
  mustAnswer(alone, 202);
  console.log(
    `alone p50 ${alone.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} ms; while /e takes ${Math.round(taken.perSecond * 1000).toLocaleString('en')} events/s p50 ${busy.p50Ms.toFixed(1)} ms, p99 ${busy.p99Ms.toFixed(1)} ms; a bare server beside it p50 ${bareBusy.p50Ms.toFixed(1)} ms, p99 ${bareBusy.p99Ms.toFixed(1)} ms`,
  );
  printSummary('lanes', {
    people,
    aloneP50Ms: alone.p50Ms,
    aloneP99Ms: alone.p99Ms,
    busyP50Ms: busy.p50Ms,
    busyP99Ms: busy.p99Ms,
    bareP50Ms: bareBusy.p50Ms,
    bareP99Ms: bareBusy.p99Ms,
    eventsPerSecond: taken.perSecond * 1000,
  });
} finally {
  bare.child.kill();
  await scene.close();
}
