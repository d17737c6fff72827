// The server is killed while sends wait for their authors: one's time passes while nothing runs,
// and the other is taken back after the start.

import t from 'tap';
import { client, eventually, makeOrg, startServer } from '../support/server.ts';

const many = 20;

t.test('a send that waited leaves once, and one that is taken back never', async (t) => {
  const server = await startServer(t);
  const { client: api } = await makeOrg(server, 'Undo');
  const { id: app } = await api.must('POST /v1/apps', { name: 'Undo', timezone: 'UTC' });
  const base = `/v1/apps/${app}`;
  await api.must('POST /v1/import/subscribers', {
    appId: app,
    rows: Array.from({ length: many }, (_, i) => ({
      externalUserId: `reader-${i}`,
      devices: [{ channel: 'email', endpoint: `reader-${i}@example.com` }],
    })),
  });
  const send = async (title: string, delaySeconds: number) => {
    const { id: messageId } = await api.must(`POST ${base}/messages`, { title, body: 'Hi' });
    const { id } = await api.must(`POST ${base}/campaigns`, { messageId });
    const sent = await api.must(`POST ${base}/campaigns/${id}/send`, { delaySeconds });
    t.match(sent, { state: 'scheduled', undoUntil: /Z$/ });
    return `${base}/campaigns/${id}`;
  };
  const undone = await send('Taken back', 60);
  const passed = await send('Left alone', 1);
  await server.kill('SIGKILL');
  await server.start();
  t.match(await api.must(`POST ${undone}/unschedule`), { state: 'draft', undoUntil: null });
  await eventually(async () => {
    const { state } = await api.must(`GET ${passed}`);
    return state === 'completed' ? state : undefined;
  }, 'it is not sent');
  await server.kill('SIGKILL');
  await server.start();
  t.match(await api.must(`GET ${passed}/stats`), { state: 'completed', sent: many });
  t.match(await api.must(`GET ${undone}`), { state: 'draft' });
  const inbox = client(server.sandboxUrl);
  const { messages } = await inbox.must(`GET /control/messages?app=${app}&limit=500`);
  const titles = messages.map(({ title }: { readonly title: string }) => title);
  t.same(titles, Array(many).fill('Left alone'));
});
