// The tokens that an email carries: of its pixel, its links and its opt-out page. One campaign
// mails one person, and the sandbox shows the mail.

import { simpleParser } from 'mailparser';
import { client, eventually, type RunningServer, type TestOrg } from '../support/server.ts';

/** By the first segment of the path that takes them. */
export async function trackedTokens(
  server: RunningServer,
  { client: api }: TestOrg,
): Promise<Readonly<Record<'o' | 'c' | 'u', string>>> {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Tracked' });
  const base = `/v1/apps/${app}`;
  await api.must(`PATCH ${base}/settings`, { emailTracking: true });
  const to = `${app}@example.com`;
  await api.must(`POST ${base}/subscribers`, { devices: [{ channel: 'email', endpoint: to }] });
  const body = '<p><a href="https://shop.example/new">New</a></p>';
  const { id: messageId } = await api.must(`POST ${base}/messages`, { title: 'News', body });
  const { id } = await api.must(`POST ${base}/campaigns`, { messageId });
  await api.must(`POST ${base}/campaigns/${id}/send`, {});
  const sandbox = client(server.sandboxUrl);
  const found = await eventually(async () => {
    const { messages } = await sandbox.must('GET /control/messages?channel=email&limit=100');
    return messages.find((one: { to: string }) => one.to === to);
  }, 'no mail came');
  const { exchange } = await sandbox.must(`GET /control/messages/${found.id}`);
  const html = String((await simpleParser(exchange.requestBody)).html);
  const token = (kind: string) => new RegExp(`/${kind}/([\\w.-]+)`).exec(html)?.[1] ?? '';
  return { o: token('o'), c: token('c'), u: token('u') };
}
