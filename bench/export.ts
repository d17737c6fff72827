// An export of everybody: people a second as CSV and as JSON Lines, how the transactional lane and the shard fare
// meanwhile, and what the engine's memory grows by. People come by `POST /e`, a thousand a request; with `--tags` they have
// eight tags and two devices each, which takes longer. Run: npm run build && npx tsx bench/export.ts [people] [--tags]

import { once } from 'node:events';
import { request } from 'node:http';
import { engage } from './support/engage.ts';
import { acceptOnly } from './support/loads.ts';

const people = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 100_000);
const tagged = process.argv.includes('--tags');

const server = await engage(acceptOnly);
try {
  const { key, apps } = await server.tenant(1);
  const app = apps[0] as string;
  const filled = performance.now();
  await fill(app, key);
  const fillSeconds = (performance.now() - filled) / 1000;
  console.log(`${people.toLocaleString()} people in ${fillSeconds.toFixed(1)} s`);
  await probe(app, key, performance.now() + 2000); // warms the code
  const alone = await probe(app, key, performance.now() + 3000);
  console.log(`a read alone: ${shown(alone)}`);
  for (const format of ['csv', 'jsonl', 'csv', 'jsonl']) {
    const before = server.residentMb();
    const cpu = server.cpuSeconds();
    const started = performance.now();
    let done = false;
    const exporting = exported(app, key, format).finally(() => (done = true));
    const busy = probe(app, key, Number.POSITIVE_INFINITY, () => done);
    const { bytes, lines } = await exporting;
    const seconds = (performance.now() - started) / 1000;
    const expected = people + 1 + (format === 'csv' ? 1 : 0); // the probe's person, and the header line
    if (!tagged && lines !== expected) throw new Error(`${lines} lines, not ${expected}`);
    console.log(
      `${format}: ${seconds.toFixed(2)} s, ${Math.round(people / seconds).toLocaleString()} people/s, ${(bytes / seconds / 1e6).toFixed(0)} MB/s, ${((server.cpuSeconds() - cpu) / seconds).toFixed(2)} cores, ${Math.max(0, server.residentMb() - before).toFixed(0)} MB more resident; a read meanwhile: ${shown(await busy)}`,
    );
  }
} finally {
  await server.stop();
}

async function fill(app: string, key: string): Promise<void> {
  await server.call('POST', `/v1/apps/${app}/subscribers`, { externalUserId: 'probe' }, key);
  let next = 0;
  const perCall = tagged ? 1 : 1000;
  const worker = async (): Promise<void> => {
    while (next < people) {
      const from = next;
      next += perCall;
      const made = tagged ? await person(app, key, from) : await thousand(app, key, from);
      if (made.status >= 300) throw new Error(`${made.status} ${JSON.stringify(made.body)}`);
    }
  };
  await Promise.all(Array.from({ length: tagged ? 64 : 4 }, worker));
}

function thousand(app: string, key: string, from: number) {
  const events = Array.from({ length: Math.min(1000, people - from) }, (_, i) => ({
    name: 'seen',
    externalUserId: `user-${from + i}`,
  }));
  return server.call('POST', '/e', { appId: app, events }, key);
}

function person(app: string, key: string, i: number) {
  const body = {
    externalUserId: `user-${i}`,
    timezone: 'Asia/Bangkok',
    tags: {
      first_name: `Ana ${i}`,
      language: 'en',
      plan: 'pro',
      city: 'Bangkok',
      score: i,
      vip: i % 2 === 0,
      lists: ['news', 'offers'],
      source: 'import',
    },
    devices: [
      { channel: 'email', endpoint: `user-${i}@example.com` },
      { channel: 'fcm', endpoint: `token-${i}-${'x'.repeat(120)}` },
    ],
  };
  return server.call('POST', `/v1/apps/${app}/subscribers`, body, key);
}

/** Reads a whole export, counting. */
async function exported(app: string, key: string, format: string) {
  const outgoing = request({
    port: server.port,
    path: `/v1/apps/${app}/subscribers/export?format=${format}`,
    headers: { authorization: `Bearer ${key}` },
  }).end();
  const [response] = await once(outgoing, 'response');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
  }
  if (response.statusCode !== 200 || !response.complete) throw new Error('the export was cut off');
  return { bytes, lines };
}

/** Milliseconds of one read after another, each through the shard's mailbox, until the end: what a turn must wait for. */
async function probe(
  app: string,
  key: string,
  endMs: number,
  isOver: () => boolean = () => false,
): Promise<number[]> {
  const took: number[] = [];
  while (performance.now() < endMs && !isOver()) {
    const started = performance.now();
    await server.call('GET', `/v1/apps/${app}/subscribers/external:probe`, undefined, key);
    took.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return took.sort((a, b) => a - b);
}

function shown(took: readonly number[]): string {
  const at = (share: number) =>
    (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
