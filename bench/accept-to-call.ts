// Time from a transactional request to its provider call in a whole server: quiet, and while
// another tenant keeps sending to a provider that does not answer. A carrier stand-in notes
// arrivals.
// Run: npm run build && npx tsx bench/accept-to-call.ts [--sends=400]

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { engage } from './support/engage.ts';
import { numberOption } from './support/options.ts';

const sends = numberOption('sends', 400);
const accountOfHanging = `AC${'f'.repeat(32)}`;
const cameAt = new Map<string, number>();
const carrier = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on('end', () => {
    if (request.url?.includes(accountOfHanging) === true) return; // it hangs
    const text = new URLSearchParams(body).get('Body') ?? '';
    cameAt.set(text, performance.now());
    const sid = `SM${cameAt.size.toString(16).padStart(32, '0')}`;
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ sid, status: 'queued', error_code: null }));
  });
});
await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
const { port } = carrier.address() as AddressInfo;
const server = await engage({ ENGAGE_CARRIER_URL: `http://127.0.0.1:${port}` });
try {
  const one = await tenant(`AC${'0'.repeat(32)}`);
  const other = await tenant(accountOfHanging);
  await timed(one, 100, 'warm');
  const idle = await timed(one, sends, 'idle');
  let isOver = false;
  const noise = (async () => {
    for (let i = 0; !isOver; i++) {
      await send(other, `stuck ${i}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const beside = await timed(one, sends, 'beside');
  isOver = true;
  await noise;
  console.log(
    `accept to provider call: idle p50 ${percentile(idle, 0.5)} ms, p99 ${percentile(idle, 0.99)} ms; with another tenant's provider hanging p50 ${percentile(beside, 0.5)} ms, p99 ${percentile(beside, 0.99)} ms`,
  );
} finally {
  await server.stop();
  carrier.closeAllConnections();
  carrier.close();
}

interface Sender {
  readonly key: string;
  readonly appId: string;
}

async function tenant(accountSid: string): Promise<Sender> {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  const authToken = '0123456789abcdef0123456789abcdef';
  const credential = { accountSid, authToken, from: '+15005550006' };
  await must(key, `/v1/apps/${appId}/credentials/carrier`, credential);
  await must(key, `/v1/apps/${appId}/subscribers`, {
    externalUserId: 'ana',
    devices: [{ channel: 'sms', endpoint: '+6591234567' }],
  });
  return { key, appId };
}

async function must(key: string, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await server.call('POST', path, body, key);
  if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer)}`);
}

function send({ key, appId }: Sender, body: string): Promise<void> {
  return must(key, `/v1/apps/${appId}/notifications`, { externalUserId: 'ana', body });
}

/** One after another, 10 ms apart; milliseconds from each request to its provider call. */
async function timed(sender: Sender, count: number, name: string): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < count; i++) {
    const text = `${name} ${i}`;
    const startMs = performance.now();
    await send(sender, text);
    for (let waited = 0; !cameAt.has(text); waited++) {
      if (waited > 5_000) throw new Error(`${text} never came`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    took.push((cameAt.get(text) as number) - startMs);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return took.sort((a, b) => a - b);
}

function percentile(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] as number).toFixed(1);
}
