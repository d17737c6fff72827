// A credential that its provider rotates, on the real server: Zalo's refresh token is good for one
// use, so a server that is killed after it was used must not use it again.

import t from 'tap';
import { client, eventually, makeOrg, startServer } from '../support/server.ts';

const server = await startServer(t);
const org = await makeOrg(server, 'Acme');
const app = await org.client.must('POST /v1/apps', { name: 'Shop', timezone: 'Asia/Bangkok' });
const sandbox = client(server.sandboxUrl);
const base = `/v1/apps/${app.id}`;

async function delivered(): Promise<object> {
  const body = { externalUserId: 'lan', body: 'It is on its way.' };
  const { id } = await org.client.must(`POST ${base}/notifications`, body);
  return eventually(async () => {
    const send = await org.client.must(`GET ${base}/notifications/${id}`);
    return send.status === 'pending' ? undefined : send;
  }, `${id} stays pending`);
}

t.test('a refresh token is used once, also over a kill', async (t) => {
  const uploaded = {
    appId: '123456789012',
    appSecret: 'the-secret-of-the-app',
    refreshToken: 'the-first-refresh-token',
  };
  const shown = await org.client.must(`POST ${base}/credentials/zalo`, uploaded);
  const devices = [{ channel: 'zalo', endpoint: '4337842264521611405' }];
  await org.client.must(`POST ${base}/subscribers`, { externalUserId: 'lan', devices });
  const sends = await Promise.all(Array.from({ length: 5 }, delivered));
  for (const send of sends) t.match(send, { status: 'delivered' });
  const { calls } = await sandbox.must('GET /control/zalo-token');
  t.equal(calls, 1);

  // The engine alone: the sandbox knows which tokens were spent.
  const pid = server.enginePid();
  process.kill(pid, 'SIGKILL');
  await server.ready(pid);
  t.match(await delivered(), { status: 'delivered' });
  t.match(await sandbox.must('GET /control/zalo-token'), { calls: 1, spent: 1 });
  const { items } = await org.client.must(`GET ${base}/credentials`);
  t.same(
    items.find((one: { channel: string }) => one.channel === 'zalo'),
    shown,
    'its owner sees what was uploaded',
  );
});
