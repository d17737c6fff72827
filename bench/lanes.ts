// How long a transactional request takes while `/e` is as busy as it can be, on the same app: express passes bulk, so it
// should wait for the turn under way and no longer. One request at a time. Run: npm run build && npx tsx bench/lanes.ts

import { engage } from './support/engage.ts';
import { load, mustAnswer } from './support/http-load.ts';
import { acceptOnly, eventLoad, sendLoad, sendPeople } from './support/loads.ts';

const server = await engage(acceptOnly);
try {
  const { key, apps } = await server.tenant(1);
  const appId = apps[0] as string;
  for (let i = 0; i < sendPeople; i++) {
    const person = {
      externalUserId: `user-${i}`,
      tags: { first_name: `Ana ${i}` },
      devices: [{ channel: 'email', endpoint: `user-${i}@example.com` }],
    };
    await server.call('POST', `/v1/apps/${appId}/subscribers`, person, key);
  }
  const target = { port: server.port, key, appId };
  const one = { ...sendLoad(target), connections: 1 };
  await load({ ...eventLoad(target, 1000), seconds: 3, warmupSeconds: 0 });
  const alone = await load({ ...one, seconds: 3, warmupSeconds: 1 });
  const [busy, events] = await Promise.all([
    load({ ...one, seconds: 6, warmupSeconds: 2 }),
    load({ ...eventLoad(target, 1000), seconds: 8, warmupSeconds: 1 }),
  ]);
  for (const result of [alone, busy, events]) mustAnswer(result, 202);
  console.log(
    `alone p50 ${alone.p50Ms.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} ms; while /e takes ${Math.round(events.perSecond * 1000).toLocaleString()} events/s p50 ${busy.p50Ms.toFixed(1)} ms, p99 ${busy.p99Ms.toFixed(1)} ms`,
  );
} finally {
  await server.stop();
}
