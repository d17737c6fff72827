// Accepting single transactional sends: Liquid, an idempotency key of its own each, outbox, durable before the 202.
// Prints accepts a second. Run: npm run build && npx tsx bench/transactional.ts

import { engage } from './support/engage.ts';
import { load } from './support/http-load.ts';

const mark = 'uniqueuniqueuniq';
const server = await engage();
try {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  const people = 200;
  for (let i = 0; i < people; i++) {
    // A phone without an adapter: the send is accepted, decided and settled; nothing leaves, so the figure is of accepting.
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
  const bodies = Array.from({ length: people }, (_, i) =>
    JSON.stringify({
      externalUserId: `user-${i}`,
      idempotencyKey: mark,
      channels: ['email'],
      title: 'Your order has shipped',
      body: 'Hi {{ first_name | default: "there" }}, your order {{ order_id }} of {{ amount }} {{ currency }} has shipped. Track it at https://example.com/t/{{ tracking | upcase }} any time.',
      variables: { order_id: `A-${i}`, amount: '129.50', currency: 'SGD', tracking: 'sf99812x' },
    }),
  );
  const plan = {
    port: server.port,
    method: 'POST',
    path: `/v1/apps/${appId}/notifications`,
    headers: { authorization: `Bearer ${key}` },
    bodies,
    unique: mark,
    connections: 128,
  };
  await load({ ...plan, seconds: 2, warmupSeconds: 0 });
  const cpu = server.cpuSeconds();
  const result = await load({ ...plan, seconds: 5, warmupSeconds: 1 });
  console.log(
    `transactional accept: ${Math.round(result.perSecond).toLocaleString()}/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms, server ${((server.cpuSeconds() - cpu) / 6).toFixed(2)} cores, answers ${JSON.stringify(result.statuses)}`,
  );
} finally {
  await server.stop();
}
