// Latency of a transactional request while `/e` saturates the same app, without and with 64 live
// streams of four topics each: dashboards that watch must not slow down senders. Pairs in turn, the
// order swapped each time.
// Run: npm run build && npx tsx bench/live-beside.ts [--pairs=4] [--seconds=6]

import { type IncomingMessage, request } from 'node:http';
import { openScene } from './audience/scene.ts';
import { type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { eventLoad, eventPeople, sendLoad } from './support/loads.ts';
import { median, numberOption, printSummary } from './support/options.ts';

/** What one key and one org may have. */
const streamsPerKey = 8;
const streams = 64;
const topics = 'campaigns,activity,events,limits';

const seconds = numberOption('seconds', 6);
const pairs = numberOption('pairs', 4);
const scene = await openScene();
try {
  const { target, people, reachable } = scene;
  const keys = await watchersKeys();
  const one = { ...sendLoad(target, reachable), connections: 1 };
  const events = eventLoad(target, 1000, Math.max(people, eventPeople));
  await load({ ...events, seconds: 3, warmupSeconds: 0 });
  const alone: LoadResult[] = [];
  const watched: LoadResult[] = [];
  let pieces = 0;
  for (let pair = 0; pair < pairs; pair++)
    for (const isWatched of pair % 2 === 0 ? [false, true] : [true, false]) {
      const watching = isWatched ? await watch(keys, target.appId) : undefined;
      const [busy, taken] = await Promise.all([
        load({ ...one, seconds, warmupSeconds: 2 }),
        load({ ...events, seconds: seconds + 2, warmupSeconds: 1 }),
      ]);
      pieces += watching?.end() ?? 0;
      mustAnswer(busy, 202);
      mustAnswer(taken, 202);
      (isWatched ? watched : alone).push(busy);
      console.log(
        `${isWatched ? `${streams} streams` : 'no streams'}: p50 ${busy.p50Ms.toFixed(1)} ms, p99 ${busy.p99Ms.toFixed(1)} ms; /e ${Math.round(taken.perSecond * 1000).toLocaleString('en')} events/s`,
      );
    }
  if (pieces === 0) throw new Error('the streams sent nothing');
  const p99Ratios = watched.map(({ p99Ms }, i) => p99Ms / (alone[i] as LoadResult).p99Ms);
  console.log(
    `p99 with streams to without: ${p99Ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; ${pieces} pieces were read`,
  );
  printSummary('live-beside', {
    streams,
    aloneP99Ms: median(alone.map(({ p99Ms }) => p99Ms)),
    watchedP99Ms: median(watched.map(({ p99Ms }) => p99Ms)),
    p99Ratio: median(p99Ratios),
  });
} finally {
  await scene.close();
}

/** A key may hold eight streams, so as many keys as 64 streams need. */
async function watchersKeys(): Promise<readonly string[]> {
  const { server, target } = scene;
  const made = Array.from({ length: streams / streamsPerKey }, async (_, i) => {
    const wanted = { name: `watcher ${i}`, scopes: ['read', 'send'] };
    const { status, body } = await server.call('POST', '/v1/keys', wanted, target.key);
    if (status !== 201) throw new Error(`a key: ${JSON.stringify(body)}`);
    return (body as { readonly key: string }).key;
  });
  return Promise.all(made);
}

/** Opens the streams; `end` closes them and says how many pieces they sent. */
async function watch(keys: readonly string[], appId: string) {
  let pieces = 0;
  const opened = await Promise.all(
    Array.from({ length: streams }, (_, i) => openStream(keys[i % keys.length] as string, appId)),
  );
  for (const response of opened) response.on('data', () => pieces++);
  return {
    end() {
      for (const response of opened) response.destroy();
      return pieces;
    },
  };
}

function openStream(key: string, appId: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: scene.target.port,
        path: `/v1/apps/${appId}/live?topics=${topics}`,
        headers: { authorization: `Bearer ${key}` },
      },
      (response) => {
        response.on('error', () => undefined); // ended by us
        if (response.statusCode === 200) resolve(response);
        else reject(new Error(`a stream was refused: ${response.statusCode}`));
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}
