// A sandbox campaign over FCM's wire format, and its effect on transactional requests (same tenant
// and another) and on stats reads, each also alone. The stand-in shares the machine.
// Run: npm run build && npx tsx bench/campaign-beside.ts [people = 100000]

import type { BenchServer } from './support/engage.ts';
import { engage } from './support/engage.ts';
import { type LoadResult, load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, type LoadTarget, sendLoad } from './support/loads.ts';

const [people = 100_000] = process.argv.slice(2).map(Number);
const rowsPerCall = 1_000;
const probeSeconds = 5;

const server = await engage({
  ENGAGE_MODE: 'sandbox',
  ENGAGE_SHARDS: '1',
  ENGAGE_DISPATCHERS: '1',
  ...acceptOnly,
});
try {
  await fetch(`${server.sandboxUrl}/control/record`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"on":false}',
  });
  const own = await tenantOf(server);
  const other = await tenantOf(server);
  for (const { target } of [own, other]) await makePeople(target, 200, 'email');
  await makePeople(own.target, people, 'fcm');

  const aloneMs = await probe(own.target);
  const campaign = await makeCampaign(own.target);
  const dryMs = performance.now();
  const dry = await must('POST', `/v1/campaigns/${campaign}/dry-run`, undefined, own.key);
  if (dry['wouldSend'] !== people)
    throw new Error(`a dry run of ${JSON.stringify(dry['wouldSend'])}`);
  console.log(
    `dry run of ${people.toLocaleString('en')}: ${Math.round(performance.now() - dryMs)} ms`,
  );

  const [threads, startMs] = [server.threadSeconds(), performance.now()];
  await must('POST', `/v1/campaigns/${campaign}/send`, {}, own.key);
  const frozenMs = performance.now() - startMs;
  const [same, another, reads] = await Promise.all([
    probe(own.target),
    probe(other.target),
    readStats(own.target, campaign),
  ]);
  const done = await untilDone(own.target, campaign);
  const seconds = (performance.now() - startMs) / 1000;
  const used = busiestThreads(threads, server.threadSeconds());
  console.log(
    `${people.toLocaleString('en')} people: send answered in ${frozenMs.toFixed(1)} ms, ${Math.round(done / seconds).toLocaleString('en')}/s to the stand-in; the busiest threads took ${used.map((one) => one.toFixed(1)).join(', ')} s of ${seconds.toFixed(1)}`,
  );
  console.log(
    `a transactional request alone p50 ${words(aloneMs)}; beside it, of the same tenant p50 ${words(same)}, of another p50 ${words(another)}; stats read p50 ${words(reads)}`,
  );
} finally {
  await server.stop();
}

interface Tenant {
  readonly key: string;
  readonly target: LoadTarget;
}

async function tenantOf(server: BenchServer): Promise<Tenant> {
  const { key, apps } = await server.tenant(1);
  return { key, target: { port: server.port, key, appId: apps[0] as string } };
}

async function must(
  method: string,
  path: string,
  body: unknown,
  key: string,
): Promise<Record<string, unknown>> {
  const { status, body: answer } = await server.call(method, path, body, key);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer as Record<string, unknown>;
}

async function makePeople(
  { appId, key }: LoadTarget,
  count: number,
  channel: 'email' | 'fcm',
): Promise<void> {
  for (let from = 0; from < count; from += rowsPerCall) {
    const rows = Array.from({ length: Math.min(rowsPerCall, count - from) }, (_, i) => ({
      externalUserId: channel === 'email' ? `user-${from + i}` : `phone-${from + i}`,
      tags: { first_name: 'Ana', plan: 'pro', points: i },
      devices: [
        {
          channel,
          endpoint: channel === 'email' ? `user-${from + i}@example.com` : `token-${from + i}`,
        },
      ],
    }));
    await must('POST', '/v1/import/subscribers', { appId, rows }, key);
  }
}

async function makeCampaign({ appId, key }: LoadTarget): Promise<string> {
  const { id: messageId } = await must(
    'POST',
    `/v1/apps/${appId}/messages`,
    { title: 'Hi {{ first_name }}', body: 'You have {{ points }} points.' },
    key,
  );
  const body = { messageId, channels: ['fcm'] };
  return (await must('POST', `/v1/apps/${appId}/campaigns`, body, key))['id'] as string;
}

async function probe(target: LoadTarget): Promise<LoadResult> {
  const plan = { ...sendLoad(target), connections: 1, pauseMs: 5 };
  const result = await load({ ...plan, seconds: probeSeconds, warmupSeconds: 0.5 });
  mustAnswer(result, 202);
  return result;
}

async function readStats({ port, key, appId }: LoadTarget, campaign: string): Promise<LoadResult> {
  const result = await load({
    port,
    method: 'GET',
    path: `/v1/apps/${appId}/campaigns/${campaign}/stats`,
    headers: { authorization: `Bearer ${key}` },
    bodies: [''],
    connections: 1,
    pauseMs: 10,
    seconds: probeSeconds,
    warmupSeconds: 0.5,
  });
  mustAnswer(result, 200);
  return result;
}

async function untilDone({ appId, key }: LoadTarget, campaign: string): Promise<number> {
  const path = `/v1/apps/${appId}/campaigns/${campaign}/stats`;
  for (;;) {
    const stats = await must('GET', path, undefined, key);
    if (stats['state'] === 'completed') return stats['delivered'] as number;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function busiestThreads(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): number[] {
  return [...after]
    .map(([thread, seconds]) => seconds - (before.get(thread) ?? 0))
    .sort((one, other) => other - one)
    .slice(0, 3);
}

function words({ p50Ms, p99Ms }: LoadResult): string {
  return `${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}
