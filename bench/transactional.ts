// Accepting single transactional sends (Liquid, an idempotency key each, outbox), durable before
// the 202, in accepts per second.
// Run: npm run build && npx tsx bench/transactional.ts

import { engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, sendLoad, sendPeople } from './support/loads.ts';

const server = await engage(acceptOnly);
try {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  for (let i = 0; i < sendPeople; i++) {
    await server.call(
      'POST',
      `/v1/apps/${appId}/subscribers`,
      {
        externalUserId: `user-${i}`,
        tags: { first_name: `Ana ${i}` },
        devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
      },
      key,
    );
  }
  const plan = sendLoad({ port: server.port, key, appId });
  await load({ ...plan, seconds: 2, warmupSeconds: 0 });
  const cpu = server.cpuSeconds();
  const result = await load({ ...plan, seconds: 5, warmupSeconds: 1 });
  mustAnswer(result, 202);
  console.log(
    `transactional accept: ${Math.round(result.perSecond).toLocaleString()}/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${((server.cpuSeconds() - cpu) / 6).toFixed(2)} cores`,
  );
} finally {
  await server.stop();
}
