// Journeys through a real partition: time from an event to its durable send, beside an event
// without listeners; a segment's enrollment rate; a million waiting people's memory; wakes per
// second. One thread, LMDB, no dispatcher: sends stay in the outbox.
// Run: node --expose-gc --import=tsx bench/journeys.ts [--people=1000000] [--events=2000]
//   [--senders=50000]

import type { JourneyStats } from '../actors/programs/journeys/stats.ts';
import { hourMs, minuteMs } from '../engine/base/brand.ts';
import { systemClock } from '../engine/time/clock.ts';
import { numberOption, printSummary, quantile } from './support/options.ts';
import { benchPartition } from './support/partition.ts';

const people = numberOption('people', 1_000_000);
const events = numberOption('events', 2_000);
const senders = numberOption('senders', 50_000);
const importRows = 250;

/** How far our clock is ahead of the system's: setting it ends the waits. */
let aheadMs = 0;
const one = benchPartition({
  available: ['fcm'],
  // Both clocks, or a partition would catch up as after a wrongly set clock.
  clock: {
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
  },
});
const app = await one.makeApp();
const send = (id: string) => ({
  id,
  type: 'send',
  message: { title: 'Hi {{ first_name }}', body: 'x' },
});

const importedMs = performance.now();
for (let from = 0; from < people; from += importRows) {
  const count = Math.min(importRows, people - from);
  const rows = Array.from({ length: count }, (_, i) => personOf(from + i));
  await one.ask(app.ordinal, { kind: 'subscriber.import', rows });
}
console.log(`${people} people in ${seconds(importedMs).toFixed(1)} s`);

await journey({
  triggerEvent: 'signup',
  steps: [send('hello'), { id: 'w', type: 'wait', days: 1 }],
});
const plain: number[] = [];
const heard: number[] = [];
// Alternating, so that other load on the machine falls on both.
for (let i = 0; i < events; i++) {
  plain.push(await eventMs('nobody listens', i));
  heard.push(await eventMs('signup', i));
}
const toMs = (times: readonly number[], share: number) => quantile(times, share).toFixed(2);
console.log(
  `event to send job durable: p50 ${toMs(heard, 0.5)} ms, p99 ${toMs(heard, 0.99)} ms; an event alone: ${toMs(plain, 0.5)} and ${toMs(plain, 0.99)} ms`,
);

const waiting = await crowd(people, [
  { id: 'w', type: 'wait', hours: 1 },
  { id: 'c', type: 'condition', filter: { tag: 'plan', eq: 'pro' }, then: [], else: [] },
  { id: 'v', type: 'wait', days: 30 },
]);
const sending = await crowd(Math.min(senders, people), [
  { id: 'w', type: 'wait', hours: 1 },
  send('s'),
  { id: 'v', type: 'wait', days: 30 },
]);
await one.close();
printSummary('journeys', {
  people,
  eventToSendP50Ms: quantile(heard, 0.5),
  eventToSendP99Ms: quantile(heard, 0.99),
  eventAloneP99Ms: quantile(plain, 0.99),
  enrolledPerSecond: waiting.enrolledPerSecond,
  waitingMegabytes: waiting.megabytes,
  wakesPerSecond: waiting.wakesPerSecond,
  wakesThatSendPerSecond: sending.wakesPerSecond,
});

function personOf(i: number): object {
  return {
    externalUserId: `user-${i}`,
    tags: { first_name: `Ana ${i % 977}`, plan: i % 10 === 0 ? 'pro' : 'free', half: i < senders },
    devices: [{ channel: 'fcm', endpoint: `token-${i}` }],
  };
}

async function journey(input: object, more: object = {}): Promise<string> {
  const made = await one.ask(app.ordinal, {
    kind: 'journey.create',
    input: { name: 'bench', ...input },
  });
  const { id } = made as { id: string };
  const change = { input: {}, removed: [] };
  await one.ask(app.ordinal, { kind: 'journey.update', id, change, active: true, ...more });
  return id;
}

async function eventMs(name: string, i: number): Promise<number> {
  const body = { events: [{ name, externalUserId: `user-${i % people}` }] };
  const bytes = Buffer.from(JSON.stringify(body));
  const askedMs = performance.now();
  await one.ask(app.ordinal, { kind: 'events.ingest', keyless: false }, bytes);
  return performance.now() - askedMs;
}

async function crowd(count: number, steps: readonly object[]) {
  const filter = count === people ? { tag: 'plan', exists: true } : { tag: 'half', eq: true };
  const segment = await one.ask(app.ordinal, { kind: 'segment.create', name: 'crowd', filter });
  const { id: triggerSegmentId } = segment as { id: string };
  const before = heldBytes();
  const enrolledMs = performance.now();
  const id = await journey({ triggerSegmentId, steps }, { enrollExisting: true });
  await reached(id, (stats) => stats.enrolled === count);
  const enrolledPerSecond = count / seconds(enrolledMs);
  const megabytes = (heldBytes() - before) / 1e6;
  aheadMs += hourMs + minuteMs;
  const wokenMs = performance.now();
  one.partition.nudge();
  await reached(id, ({ bySteps }) => bySteps['v']?.entered === count);
  const wakesPerSecond = count / seconds(wokenMs);
  console.log(
    `${count} people: ${whole(enrolledPerSecond)} enrolled/s, ${megabytes.toFixed(1)} MB while they wait, ${whole(wakesPerSecond)} wakes/s`,
  );
  return { enrolledPerSecond, megabytes, wakesPerSecond };
}

async function reached(id: string, isReached: (stats: JourneyStats) => boolean): Promise<void> {
  for (;;) {
    const stats = await one.ask(app.ordinal, { kind: 'journey.stats', id });
    if (isReached(stats as JourneyStats)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function seconds(sinceMs: number): number {
  return (performance.now() - sinceMs) / 1000;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
