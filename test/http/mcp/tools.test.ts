// What a tool asks of the actors, and what it makes of their answers, without a server.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Fault } from '../../../engine/base/fault.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { toolList } from '../../../http/mcp/tool-list.ts';
import { root } from '../../support/places.ts';
import { fakeFront } from '../routes/fake-front.ts';

const { app: appId, campaign, segment, message: messageId } = exampleIds;

const callOf = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

const draft = {
  id: campaign,
  name: 'Spring',
  messageId,
  schedule: { type: 'now' },
  ifLate: 'hold',
  state: 'draft',
  createdMs: 1,
  updatedMs: 1,
};

/** Throws as a router's refusal. */
function refuse(fault: Fault): never {
  throw { fault };
}

interface ToolReply {
  readonly result: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent: object;
  };
}

t.test('a tool asks what its route asks, as the same caller', async (t) => {
  const filter = { tag: 'plan', eq: 'pro' };
  const explain = `/v1/apps/${appId}/segments/${segment}/explain?subscriberId=external%3Aada`;
  const cases: readonly (readonly [string, object, string, object?])[] = [
    ['create_segment', { appId, name: ' A ', filter }, 'POST segments', { name: ' A ', filter }],
    ['explain_segment', { appId, segmentId: segment, subscriberId: 'external:ada' }, explain],
    ['build_segment', { appId, filter, sample: 2 }, 'POST segments/preview', { filter, sample: 2 }],
    ['list_templates', { appId, limit: 3 }, 'GET message-templates?limit=3'],
    ['find_subscriber', { appId, externalUserId: 'a/b' }, 'GET subscribers/external:a%2Fb'],
    ['org_usage', { month: '2026-08' }, 'GET /v1/org/usage?month=2026-08'],
    ['org_usage', { month: null }, 'GET /v1/org/usage'],
    ['dry_run_campaign', { campaignId: campaign }, `POST /v1/campaigns/${campaign}/dry-run`],
    [
      'send_campaign',
      { campaignId: campaign, dryRunId: 'dry_x', tolerance: 2 },
      `POST /v1/campaigns/${campaign}/send`,
      { dryRunId: 'dry_x', tolerance: 2 },
    ],
  ];
  for (const [name, args, route, body] of cases) {
    const refusing = () => fakeFront(() => refuse({ code: 'not_found', message: 'x not found' }));
    const [front, direct] = [refusing(), refusing()];
    await front.call('POST /mcp', { body: callOf(name, args) });
    const line = route.startsWith('/') ? `GET ${route}` : route;
    const [method = '', path = ''] = line.split(' ');
    const target = path.startsWith('/') ? path : `/v1/apps/${appId}/${path}`;
    await direct.call(`${method} ${target}`, body === undefined ? {} : { body });
    t.ok(direct.asked.length > 0, name);
    t.same(front.asked, direct.asked, name);
  }
});

t.test('the usage of an agency with thousands of clients is cut, and says so', async (t) => {
  const usageOf = async (appCount: number, clientCount: number) => {
    const apps = Array.from({ length: appCount }, (_, nth) => ({ appId: `app_${nth}`, mau: 1 }));
    const clients = Array.from({ length: clientCount }, (_, nth) => ({
      orgId: `org_${nth}`,
      name: 'Client',
      mau: nth,
      emailsDelivered: 0,
      emailsIncluded: 20_000,
    }));
    const emails = { delivered: 0, included: 20_000 };
    const front = fakeFront(() => ({ month: 24_000, apps, emails, clients }));
    const got = await front.call('POST /mcp', { body: callOf('org_usage', {}) });
    const { result } = got.json as ToolReply;
    const data = result.structuredContent as {
      readonly mau: number;
      readonly byApp: readonly unknown[];
      readonly clients: readonly { readonly orgId: string }[];
      readonly notShown?: object;
    };
    return { data, text: result.content[0]?.text ?? '', length: got.text.length };
  };
  const { data, text, length } = await usageOf(150, 10_000);
  t.equal(data.mau, 150 + (9_999 * 10_000) / 2, 'the sum is of all');
  t.equal(data.byApp.length, 100);
  t.equal(data.clients.length, 100);
  t.equal(data.clients[0]?.orgId, 'org_9999', 'those with the most people');
  t.same(data.notShown, { apps: 50, clients: 9_900 });
  t.match(text, /150 apps and 10000 client workspaces/);
  t.match(text, /Not shown: 50 apps and 9900 client workspaces; GET \/v1\/org\/usage has all/);
  t.ok(length < 100_000, `${length} characters`);
  const whole = await usageOf(100, 100);
  t.equal(whole.data.notShown, undefined);
  t.equal(whole.data.clients[0]?.orgId, 'org_0', 'as the route has them');
  t.notMatch(whole.text, /not shown/i);
});

t.test('a header of the request is not a header of the route', async (t) => {
  const front = fakeFront(() => ({ id: 'ntf_1', replayed: false }));
  const args = { appId, externalUserId: 'ada', body: 'Hi' };
  const headers = { 'idempotency-key': 'of another layer' };
  await front.call('POST /mcp', { body: callOf('send_transactional', args), headers });
  t.match(front.asked[0]?.message, { kind: 'transactional.accept', claim: null });
});

t.test(
  'a draft whose audience cannot be counted is shown, so that no second one is made',
  async (t) => {
    const front = fakeFront(({ kind }) => {
      if (kind === 'campaign.create') return draft;
      return refuse({
        code: 'not_started',
        message: 'still being read; retry',
        retryAfterSeconds: 1,
      });
    });
    const got = await front.call('POST /mcp', {
      body: callOf('create_campaign', { appId, messageId }),
    });
    const { result } = got.json as ToolReply;
    t.equal(result.isError, undefined);
    t.match(result.structuredContent, {
      campaign: { id: campaign, state: 'draft' },
      audience: null,
      dryRunId: null,
      problem: { code: 'not_started', retryAfterSeconds: 1 },
    });
    t.match(result.content[0]?.text, /could not be counted: "still being read; retry"/);
  },
);

t.test('a send that is refused for another reason is not taken for a replay', async (t) => {
  for (const [state, code, isReplay] of [
    ['sending', 'wrong_state', true],
    ['scheduled', 'wrong_state', true],
    ['paused', 'wrong_state', true],
    ['completed', 'wrong_state', true],
    ['draft', 'wrong_state', false],
    ['canceled', 'wrong_state', false],
    ['failed', 'wrong_state', false],
    ['sending', 'overloaded', false],
    ['sending', 'not_found', false],
  ] as const) {
    const front = fakeFront(({ kind }) =>
      kind === 'campaign.read' ? { ...draft, state } : refuse({ code, message: 'no' }),
    );
    const body = callOf('send_campaign', { campaignId: campaign });
    const { result } = (await front.call('POST /mcp', { body, key: 'send' })).json as ToolReply;
    t.equal(result.isError !== true, isReplay, `${state} ${code}`);
    t.match(
      result.structuredContent,
      isReplay ? { replayed: true, campaign: { state } } : { error: 'no', code },
    );
  }
});

t.test('a bug in a tool is a 500 without its words, and logged', async (t) => {
  const front = fakeFront(() => null);
  const got = await front.call('POST /mcp', {
    body: callOf('create_campaign', { appId, messageId }),
  });
  t.equal(got.status, 500);
  t.same(got.json, { error: 'internal error', code: 'internal' });
  t.match(front.bugs, [{ evt: 'http.bug', route: '/mcp' }]);
});

t.test('the list of tools costs a model little to read', async (t) => {
  const list = toolList();
  t.ok(JSON.stringify(list).length < 56_500, `${JSON.stringify(list).length} characters`);
  for (const { name, title, description } of list) {
    t.match(name, /^[a-z]+(_[a-z]+)+$/);
    t.ok(title.length <= 60 && description.length <= 600, name);
  }
});

t.test('the page of the tools lists each of them with its scopes', async (t) => {
  const page = readFileSync(join(root, 'docs/AGENT-TOOLS.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| .* \| ([a-z ]+?)(?: \(.*\))? \|$/gm)];
  t.same(
    rows.map(([, name, scopes]) => [name, scopes]).sort(),
    toolList()
      .map(({ name, description }) => [name, / Scopes?: (.*)\.$/.exec(description)?.[1]])
      .sort(),
  );
});
