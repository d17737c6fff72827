// Latency of a transactional request while `/e` saturates the same app: express passes bulk, so it
// should wait only for the current turn. One request at a time; `--people=1000000` for a full app.
// Run: npm run build && npx tsx bench/lanes.ts [--people=1000000] [--subscribed] [--seconds=6]

import { openScene } from './audience/scene.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { eventLoad, eventPeople, sendLoad } from './support/loads.ts';
import { numberOption, printSummary } from './support/options.ts';

const seconds = numberOption('seconds', 6);
const scene = await openScene();
try {
  const { target, people, reachable } = scene;
  const one = { ...sendLoad(target, reachable), connections: 1 };
  const events = eventLoad(target, 1000, Math.max(people, eventPeople));
  await load({ ...events, seconds: 3, warmupSeconds: 0 });
  const alone = await load({ ...one, seconds: 3, warmupSeconds: 1 });
  const [busy, taken] = await Promise.all([
    load({ ...one, seconds, warmupSeconds: 2 }),
    load({ ...events, seconds: seconds + 2, warmupSeconds: 1 }),
  ]);
  for (const result of [alone, busy, taken]) mustAnswer(result, 202);
  console.log(
    `alone p50 ${alone.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} ms; while /e takes ${Math.round(taken.perSecond * 1000).toLocaleString('en')} events/s p50 ${busy.p50Ms.toFixed(1)} ms, p99 ${busy.p99Ms.toFixed(1)} ms`,
  );
  printSummary('lanes', {
    people,
    aloneP50Ms: alone.p50Ms,
    aloneP99Ms: alone.p99Ms,
    busyP50Ms: busy.p50Ms,
    busyP99Ms: busy.p99Ms,
    eventsPerSecond: taken.perSecond * 1000,
  });
} finally {
  await scene.close();
}
