// `engage mcp` as an assistant starts it: the tools on stdin and stdout of a child, with the
// official client, over a server that is killed in between.

import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import t, { type Test } from 'tap';
import { connected, type ToolClient } from '../contract/mcp-client.ts';
import { nodeArguments, root } from '../support/places.ts';
import { client, makeOrg, startServer, until } from '../support/server.ts';

const server = await startServer(t);
const org = await makeOrg(server, 'Stdio');
const { id: appId } = await org.client.must('POST /v1/apps', { name: 'Stdio' });
const base = `/v1/apps/${appId}`;

/** The tools over the stdio of `engage mcp` with these settings. */
function overStdio(t: Test, settings: Readonly<Record<string, string>>): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...nodeArguments('cli/main.ts'), 'mcp'],
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stderr: 'pipe',
  });
  return connected(t, transport);
}

const ours = { ENGAGE_URL: `${server.url}/`, ENGAGE_API_KEY: org.key };

t.test('stdio has the tools of the server, with its answers and refusals', async (t) => {
  const tools = await overStdio(t, ours);
  const { tools: listed } = await tools.client.listTools();
  const overHttp = await org.client.must('POST /mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
  });
  t.same(listed, overHttp.result.tools);
  const name = 'Over stdio';
  const made = await tools.must('create_segment', { appId, name, filter: { tag: 'a', eq: 1 } });
  t.match(await tools.must('list_segments', { appId }), { items: [{ id: made.id, name }] });
  const refused = await tools.tell('create_segment', { appId, filter: { tag: 'a', eq: 1 } });
  t.match(refused, { isError: true, data: { code: 'invalid', field: 'name' } });
  const many = Array.from({ length: 40 }, () => tools.must('list_segments', { appId }));
  t.equal((await Promise.all(many)).length, 40, 'more at once than are forwarded at once');
});

t.test('a campaign that a killed server sent is not sent again by a retried call', async (t) => {
  const sandbox = client(server.sandboxUrl);
  const tools = await overStdio(t, ours);
  const people = 60;
  const rows = Array.from({ length: people }, (_, n) => ({
    externalUserId: `p${n}`,
    devices: [{ channel: 'fcm', endpoint: `mcp-phone-${n}` }],
  }));
  await org.client.must('POST /v1/import/subscribers', { appId, rows });
  const { id: messageId } = await org.client.must(`POST ${base}/messages`, {
    title: 'Hi',
    body: 'Hi',
  });
  const { campaign, audience, dryRunId } = await tools.must('create_campaign', {
    appId,
    messageId,
    // Slow enough to be killed in the middle.
    throttle: { perMinute: 1_200 },
  });
  t.equal(audience, people);
  const campaignId: string = campaign.id;
  const sent = tools.tell('send_campaign', { campaignId, dryRunId });
  await until(
    async () => (await org.client.must(`GET ${base}/campaigns/${campaignId}/stats`)).delivered > 0,
    'nothing is sent',
  );
  t.match(await sent, { data: { replayed: false, campaign: { state: 'sending' } } });
  await server.kill('SIGKILL');
  await t.rejects(tools.tell('send_campaign', { campaignId, dryRunId }), /no server responds/);
  await server.start();
  for (let i = 0; i < 5; i++)
    t.match(await tools.must('send_campaign', { campaignId, dryRunId }), { replayed: true });
  await until(
    async () => (await tools.must('campaign_stats', { campaignId })).state === 'completed',
    'the campaign does not end',
    60_000,
  );
  const stats = await tools.must('campaign_stats', { campaignId });
  t.match(stats, { audience: people, sent: people, delivered: people });
  const { messages } = await sandbox.must('GET /control/messages?limit=500');
  const phones = messages
    .map(({ to }: { to: string }) => to)
    .filter((to: string) => to.includes('mcp-phone-'));
  t.equal(new Set(phones).size, people, 'nobody is left out');
});
