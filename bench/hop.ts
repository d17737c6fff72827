// Round trips between two threads at 1, 64 and 512 outstanding: through the product's router and
// batched link, and bare, one `postMessage` each way. No turn and no disk, only the crossing.
// Run: npx tsx bench/hop.ts [seconds a line = 1] [rounds = 3]

import type { Message } from '../engine/actor/message.ts';
import { Router } from '../engine/actor/router.ts';
import { type Host, threadHost } from '../engine/thread/host.ts';
import { systemClock } from '../engine/time/clock.ts';
import type { EchoData } from './support/echo-entry.ts';

const seconds = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 3);
const latenciesMax = 1_000_000;

const message: Message & Readonly<Record<string, unknown>> = {
  kind: 'transactional.accept',
  by: 17,
  personId: 'sub_0000g40r40m30e209185gr38e1',
  title: 'Your order has shipped',
  body: 'It arrives tomorrow.',
  channel: 'email',
  atMs: 1_763_700_000_000,
  attempt: 1,
  express: true,
};

type Trip = (done: () => void) => void;

interface Rates {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Keeps `outstanding` round trips in flight until the time is over. */
function measure(trip: Trip, outstanding: number): Promise<Rates> {
  const latencies = new Float64Array(latenciesMax);
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let trips = 0;
  let open = outstanding;
  return new Promise((resolve) => {
    const next = () => {
      const sentMs = performance.now();
      trip(() => {
        const nowMs = performance.now();
        latencies[trips++ % latenciesMax] = (nowMs - sentMs) * 1000;
        if (nowMs < endMs) {
          next();
          return;
        }
        if (--open > 0) return;
        const sorted = latencies.subarray(0, Math.min(trips, latenciesMax)).sort();
        const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
        const perSecond = trips / ((nowMs - startMs) / 1000);
        resolve({ perSecond, p50Us: at(0.5), p99Us: at(0.99) });
      });
    };
    for (let i = 0; i < outstanding; i++) next();
  });
}

async function host(way: EchoData['way']): Promise<Host> {
  const made = threadHost<EchoData>({
    name: way,
    entry: new URL('./support/echo-entry.ts', import.meta.url),
    data: { way },
    ports: [],
    onExit: (reason) => {
      throw new Error(`the echo thread ended: ${reason}`);
    },
  });
  await made.ready;
  return made;
}

function routed(linked: Host): Trip {
  const router = new Router({ partitions: 8, shards: [linked.port], clock: systemClock });
  return (done) =>
    router.askThen(4097, message, {}, (answer) => {
      if (!answer.ok) throw new Error(answer.fault.message);
      done();
    });
}

/** Answers come in order, so a queue of callbacks is enough. */
function plain({ port }: Host): Trip {
  const waiting: (() => void)[] = [];
  let first = 0;
  port.on('message', () => {
    const done = waiting[first++] as () => void;
    if (first > 1024) {
      waiting.splice(0, first);
      first = 0;
    }
    done();
  });
  return (done) => {
    waiting.push(done);
    port.postMessage(message);
  };
}

const [linked, bare] = [await host('link'), await host('bare')];
const trips = { link: routed(linked), bare: plain(bare) };
const middle = (all: readonly Rates[]) =>
  all.toSorted((a, b) => a.perSecond - b.perSecond)[all.length >> 1] as Rates;
const thousands = (rate: number) => Math.round(rate).toLocaleString('en').padStart(9);
const micros = (us: number) => us.toFixed(0).padStart(6);

await measure(trips.link, 64); // warm
await measure(trips.bare, 64);
console.log(`round trips between threads, medians of ${rounds}`);
console.log('outstanding |    router/s  p50 µs  p99 µs |      bare/s  p50 µs  p99 µs | ratio');
for (const outstanding of [1, 64, 512]) {
  const ours: Rates[] = [];
  const theirs: Rates[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await measure(trips.link, outstanding));
    theirs.push(await measure(trips.bare, outstanding));
  }
  const [mine, other] = [middle(ours), middle(theirs)];
  console.log(
    `${String(outstanding).padStart(11)} | ${thousands(mine.perSecond)} ${micros(mine.p50Us)} ${micros(mine.p99Us)}    | ${thousands(other.perSecond)} ${micros(other.p50Us)} ${micros(other.p99Us)}    | ${(mine.perSecond / other.perSecond).toFixed(2)}`,
  );
}
linked.port.close?.();
bare.port.close?.();
await Promise.all([linked.close(), bare.close()]);
