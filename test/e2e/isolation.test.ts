// No tenant reaches another: generated from the API description, so a new route is tested by
// itself. Every place for an id gets an id of another tenant, with every key that must not reach
// it, and the answer must equal that for an unknown id. A route or id unknown to this file fails
// it.

import t from 'tap';
import type { OpenApiDocument } from '../../http/describe/openapi-types.ts';
import { type Client, client, makeOrg, type Reply, startServer } from '../support/server.ts';
import { browser } from '../support/signed-in.ts';
import {
  examplesOf,
  fill,
  type IdKind,
  type Operation,
  operationsOf,
  slotsOf,
  unknownWorld,
  type World,
} from './described-calls.ts';
import { makeWorld, readyFor } from './described-world.ts';

const server = await startServer(t, {
  environment: { ENGAGE_TRUSTED_PROXIES: '1', ENGAGE_PER_IP_PER_MINUTE: '0' },
});
const document: OpenApiDocument = await client(server.url).must('GET /openapi.json');

const operations = operationsOf(document);
/** In the form of other services: they take keys in other schemes, and their errors say more. */
const elsewhere = operations.filter(
  ({ path, spec }) => path.startsWith('/compat/') && spec.security.some((one) => 'apiKey' in one),
);
const keyed = operations.filter(
  (one) => !elsewhere.includes(one) && one.spec.security.some((scheme) => 'apiKey' in scheme),
);

/** Who tries, with what of their own and whose ids. */
interface Attack {
  readonly who: string;
  readonly caller: Client;
  readonly own: World;
  readonly theirs: World;
  /** Kinds of ids that are theirs and not the caller's. */
  readonly kinds: readonly IdKind[];
  /** Whether the key is one of a single app. */
  readonly appScoped: boolean;
  /** Whose state must stay the same; alpha's first app if absent. */
  readonly watched?: Client;
  /** Their cookie does not count on `/e`, which asks for no key. */
  readonly bySession?: true;
  /** The app is the caller's own too, so what is named by its id alone is no secret. */
  readonly mayById?: true;
}

/** What an app-scoped key may not call whatever ids it gives: 403. */
const ofTheOrg: ReadonlySet<string> = new Set([
  'POST /v1/apps',
  'DELETE /v1/apps/{appId}',
  'POST /v1/keys',
  'GET /v1/keys',
  'DELETE /v1/keys/{id}',
  'PATCH /v1/org',
  'GET /v1/org/usage',
  'GET /v1/org/invoice-preview',
  'GET /v1/org/billing',
  'GET /v1/org/invoices/{id}',
  'POST /v1/org/billing/checkout',
  'GET /v1/org/audit-log',
  'PATCH /v1/org/branding',
  'POST /v1/org/clients',
  'GET /v1/org/clients',
  'DELETE /v1/org/clients/{id}',
  'POST /v1/org/relays',
  'GET /v1/org/relays',
  'GET /v1/org/relays/{id}',
  'PATCH /v1/org/relays/{id}',
  'DELETE /v1/org/relays/{id}',
  'POST /v1/org/relays/{id}/check',
  'POST /v1/org/members',
  'GET /v1/org/members',
  'PATCH /v1/org/members/{id}',
  'DELETE /v1/org/members/{id}',
  'GET /v1/org/sessions',
  'DELETE /v1/org/sessions/{id}',
]);

/** Who needs no key. What is added here must do no harm in the hands of a stranger. */
const open: ReadonlySet<string> = new Set([
  'POST /e',
  // What they do in such hands: sdk-attacks.test.ts.
  'GET /v1/sdk/app/{appId}',
  'POST /v1/sdk/subscriber',
  'POST /v1/sdk/register',
  'POST /v1/sdk/unregister',
  'POST /v1/sdk/logout',
  'POST /v1/sdk/tags',
  'POST /v1/sdk/inbox',
  'PUT /v1/sdk/preferences',
  // The same answer for every address: contract/opt-in.test.ts.
  'POST /v1/sdk/subscribe',
  // Sealed tokens of mails, and forms that anybody may fill in: contract/opt-in.test.ts.
  'GET /confirm/{token}',
  'POST /confirm/{token}',
  'GET /p/{token}',
  'POST /p/{token}',
  'GET /f/{formId}',
  'POST /f/{formId}',
  'POST /v1/sdk/live-activities',
  'PUT /v1/sdk/live-activities/{id}',
  'GET /u/{token}',
  'GET /o/{token}',
  // Pictures that anyone may see who has their address.
  'GET /a/{token}',
  // An unguessable token that the preview's answer gives.
  'GET /preview/{token}',
  'GET /c/{token}',
  // Whether a name of a tenant's domain leads here, which the DNS says to anyone.
  'GET /tls/ask',
  'POST /u/{token}',
  // A sealed token from a sign-in mail, for whoever did not ask for it.
  'GET /stop/{token}',
  'POST /stop/{token}',
  // Signed by the tenant's provider, which contract/callbacks.test.ts forges.
  'POST /v1/webhooks/twilio/sms-status',
  'POST /v1/webhooks/twilio/voice-status',
  'POST /v1/webhooks/twilio/sms-inbound/{appId}',
  'GET /v1/webhooks/whatsapp/{appId}',
  'POST /v1/webhooks/whatsapp/{appId}',
  'POST /v1/webhooks/rcs/{appId}',
  'POST /v1/webhooks/line/{appId}',
  'POST /v1/webhooks/zalo/{appId}',
  'POST /v1/webhooks/viber/{appId}',
  'POST /v1/webhooks/telegram/{appId}',
  // Proved by the relay's configuration, which contract/relay-events.test.ts forges.
  'POST /v1/webhooks/relay/{relayId}',
  'GET /v1/webhooks/relay/{relayId}',
  // Signed with the operator's secret, which contract/billing.test.ts forges.
  'POST /v1/webhooks/stripe',
  // For the dashboard's page alone, which contract/sessions.test.ts forges.
  'POST /v1/session/link',
  'POST /v1/session/link/read',
  'POST /v1/session',
  'GET /v1/session',
  'DELETE /v1/session',
  'DELETE /v1/session/memberships/{org}',
  'GET /healthz',
  'GET /readyz',
  'GET /.well-known/security.txt',
]);

const neverQueued = {
  status: 200,
  json: {
    ...{ status: 'pending', outcomes: [], failures: { open: 0, recovered: 0 } },
    ...{ content: null, contentState: 'not_kept', contentUntil: null },
  },
};

/** Where a foreign id is no 404, and what says instead that nothing was found. */
const exceptions: Readonly<Record<string, { status: number; json: object; anyApp?: true }>> = {
  'GET /v1/apps/{appId}/notifications/{id} ntf': { ...neverQueued, anyApp: true },
  'GET /v1/apps/{appId}/notifications/{id} app': { ...neverQueued, anyApp: true },
  'POST /v1/apps/{appId}/dead-letters/redrive dl': { status: 202, json: { redriven: 0 } },
  // A batch answers for each recipient by itself: its own is sent to, the other does not exist.
  'POST /v1/apps/{appId}/notifications/batch external': {
    status: 202,
    json: { rejected: 1, results: [{ outcome: 'not_found' }, {}] },
  },
  'POST /v1/apps/{appId}/notifications/batch sub': {
    status: 202,
    json: { rejected: 1, results: [{}, { outcome: 'not_found' }] },
  },
  'POST /v1/apps/{appId}/notifications/batch external sub': {
    status: 202,
    json: { rejected: 2, results: [{ outcome: 'not_found' }, { outcome: 'not_found' }] },
  },
  'POST /e sub': { status: 202, json: { accepted: 0, rejected: 1 } },
  // Somebody else's name for a person is one that this app has not heard yet.
  'POST /e external': { status: 202, json: { accepted: 1, rejected: 0 } },
  'POST /v1/apps/{appId}/subscribers external': { status: 201, json: {} },
  'POST /v1/import/subscribers external': { status: 200, json: { failed: 0 } },
  // Unknown people are passed over.
  'POST /v1/apps/{appId}/subscribers/bulk sub': { status: 200, json: { matched: 0 } },
  'POST /v1/apps/{appId}/subscribers/search external': { status: 200, json: { total: 0 } },
};

const [alpha, beta] = [await makeOrg(server, 'Alpha'), await makeOrg(server, 'Beta')];
await client(server.sandboxUrl).must('POST /control/faults', {
  channel: 'fcm',
  match: 'never-lands',
  fault: 'status',
  value: 503,
});
const gamma = await makeClientOf(alpha, 'Gamma');
const [first, second, third, sibling, deleted, other, paged, inner] = await Promise.all([
  makeWorld(server, alpha, 'alpha-first'),
  makeWorld(server, alpha, 'alpha-second'),
  makeWorld(server, alpha, 'alpha-third'),
  makeWorld(server, alpha, 'alpha-sibling'),
  makeWorld(server, alpha, 'alpha-deleted'),
  makeWorld(server, beta, 'beta-other'),
  makeWorld(server, beta, 'beta-paged'),
  makeWorld(server, gamma, 'gamma-inner'),
]);
const siblingKey = await makeKey(alpha.client, sibling.app);
const deletedKey = await makeKey(alpha.client, deleted.app);
await alpha.client.must(`DELETE /v1/apps/${deleted.app}`);

const betaPage = browser(server.url);
await betaPage.signIn({ apiKey: beta.key });

const ofAnotherOrg: readonly IdKind[] = [
  'app',
  'sub',
  'dev',
  'ntf',
  'dl',
  'seg',
  'msg',
  'tpl',
  'ast',
  'flg',
  'iam',
  'cmp',
  'jrn',
  'la',
  'rel',
  'shared',
  'key',
  'mbr',
  'ses',
  'external',
];

const attacks: readonly Attack[] = [
  {
    who: 'a key of another org',
    caller: beta.client,
    own: other,
    theirs: first,
    kinds: [...ofAnotherOrg, 'client'],
    appScoped: false,
  },
  {
    who: 'a session of another org',
    caller: betaPage,
    // Calls of the key before made the people of the first in its own world.
    own: paged,
    theirs: first,
    kinds: [...ofAnotherOrg, 'client'],
    appScoped: false,
    bySession: true,
  },
  {
    who: 'the key of the parent of a client workspace',
    caller: alpha.client,
    own: second,
    theirs: inner,
    kinds: ofAnotherOrg,
    appScoped: false,
    watched: gamma.client,
  },
  {
    who: 'the key of a client workspace, on its parent,',
    caller: gamma.client,
    own: inner,
    theirs: first,
    kinds: ofAnotherOrg,
    appScoped: false,
  },
  {
    who: 'a key of a sibling app',
    caller: client(server.url, siblingKey),
    own: sibling,
    theirs: first,
    kinds: [
      'app',
      'sub',
      'dev',
      'ntf',
      'dl',
      'seg',
      'msg',
      'tpl',
      'ast',
      'flg',
      'iam',
      'cmp',
      'jrn',
      'la',
      'rel',
      'external',
    ],
    appScoped: true,
  },
  {
    who: 'the org itself, through another of its apps',
    caller: alpha.client,
    own: second,
    theirs: first,
    kinds: [
      'sub',
      'dev',
      'ntf',
      'dl',
      'seg',
      'msg',
      'tpl',
      'ast',
      'flg',
      'iam',
      'cmp',
      'jrn',
      'la',
      'rel',
      'external',
    ],
    appScoped: false,
    mayById: true,
  },
  {
    who: 'the org itself, into a deleted app',
    caller: alpha.client,
    own: third,
    theirs: deleted,
    kinds: [
      'app',
      'sub',
      'dev',
      'ntf',
      'dl',
      'seg',
      'msg',
      'tpl',
      'ast',
      'flg',
      'iam',
      'cmp',
      'jrn',
      'la',
      'rel',
      'external',
    ],
    appScoped: false,
  },
];

t.test('the operations without a key are the ones that are meant to be open', async (t) => {
  const found = operations.filter(({ spec }) => {
    const { security } = spec;
    return security.length === 0 || security.some((one) => Object.keys(one).length === 0);
  });
  t.same(new Set(found.map(({ line }) => line)), open);
  const operators = operations.filter(({ spec }) =>
    spec.security.some((one) => 'bootstrap' in one),
  );
  // With a write key, which a test below tries on other apps.
  const platforms = operations.filter(({ spec }) => spec.security.some((one) => 'writeKey' in one));
  t.same(
    new Set(platforms.map(({ line }) => line)),
    new Set(['POST /i/cdp/{appId}', 'POST /compat/segment/v1/{call}']),
  );
  // With a client token, as sdk-attacks.test.ts does.
  const clients = operations.filter(
    ({ spec }) => spec.security.length === 1 && spec.security.some((one) => 'clientToken' in one),
  );
  t.same(
    clients.map(({ line }) => line),
    ['GET /v1/sdk/feed', 'GET /v1/sdk/flags', 'GET /v1/sdk/preferences'],
  );
  const all = new Set(
    [...keyed, ...elsewhere, ...found, ...operators, ...platforms, ...clients].map(
      ({ line }) => line,
    ),
  );
  t.equal(all.size, operations.length, 'every operation says who may call it');
});

t.test('every call of this test works with ids of one’s own', async (t) => {
  // Otherwise a 404 below might be of the test's own making. A world serves until a call fails in
  // it, mostly because an earlier one has removed something; only in a new one that counts.
  let own = await makeWorld(server, alpha, 'alpha-control', false);
  for (const operation of keyed) {
    for (const example of examplesOf(operation)) {
      const works = async () => {
        await readyFor(operation, alpha, own);
        const { status, text } = await alpha.client.call(...fill(operation, example, () => own));
        const isMissing = operation.path.includes('/invoices/') && status === 404;
        // The example is of an SMTP relay; contract/gateways.test.ts tries one of HTTP.
        const isNoGateway = operation.path.endsWith('/try') && status === 409;
        const isFine = isMissing || isNoGateway || (status >= 200 && status < 300);
        return { isFine, what: `${operation.line}: ${status} ${text.slice(0, 200)}` };
      };
      let found = await works().catch(() => undefined);
      if (found?.isFine !== true) {
        own = await makeWorld(server, alpha, 'alpha-control', false);
        found = await works();
      }
      t.ok(found.isFine, found.what);
    }
  }
});

for (const attack of attacks) {
  t.test(`${attack.who} gets nowhere, on any route, with any id`, async (t) => {
    const watched = attack.watched ?? alpha.client;
    const seen = attack.watched === undefined ? first : attack.theirs;
    const before = await stateOf(watched, seen);
    let tried = 0;
    for (const operation of keyed) {
      if (attack.mayById === true && operation.path.startsWith('/v1/campaigns/')) continue;
      if (attack.bySession === true && operation.path === '/e') continue;
      for (const example of examplesOf(operation)) {
        const slots = slotsOf(operation, example);
        for (const subset of subsets(slots.filter((slot) => attack.kinds.includes(slot)))) {
          tried++;
          const pick = (from: World) => (kind: IdKind) =>
            subset.includes(kind) ? from : attack.own;
          const got = await attack.caller.call(...fill(operation, example, pick(attack.theirs)));
          const nobody = unknownWorld(attack.own);
          const none = await attack.caller.call(...fill(operation, example, pick(nobody)));
          judge(t, attack, operation, subset, got, none);
        }
      }
    }
    t.ok(tried > 15, `${tried} calls`);
    t.same(await stateOf(watched, seen), before, 'nothing changed');
  });
}

function judge(
  t: Tap,
  { who, appScoped }: Attack,
  { line }: Operation,
  kinds: readonly IdKind[],
  got: Reply,
  none: Reply,
): void {
  const what = `${line} with ${kinds.join(', ')} of somebody else: ${got.status} ${got.text.slice(0, 160)}`;
  if (appScoped && ofTheOrg.has(line)) {
    t.equal(got.status, 403, what);
    return;
  }
  // An app-scoped key does not even get as far as the app that would say so.
  const kind = kinds.filter((one) => one !== 'app').join(' ') || 'app';
  const exception = exceptions[`${line} ${kind}`];
  if (exception !== undefined && (!kinds.includes('app') || (exception.anyApp && !appScoped))) {
    t.equal(got.status, exception.status, what);
    t.match(got.json, exception.json, what);
    t.equal(none.status, got.status, what);
    return;
  }
  // The description is the same for an operation that lists: what is asked for is not in it.
  if (got.status === 200 && got.json?.items !== undefined && !kinds.includes('app')) {
    t.same(got.json.items, [], what);
    return;
  }
  t.equal(got.status, 404, `${who}: ${what}`);
  t.match(got.json, { code: 'not_found', error: / not found(: \S+)?$/ }, what);
  const never = `${what}; an id that never existed: ${none.text.slice(0, 160)}`;
  t.same(withoutId(got.json), withoutId(none.json), never);
}

/** A refusal names the id that the caller sent in a body or a query. */
function withoutId(json: { readonly error: string }) {
  return { ...json, error: json.error.replace(/ not found: .*$/, ' not found') };
}

t.test('lists of one app name nothing of another', async (t) => {
  // Its name for a person is no secret: the intruder used it above and made somebody of that name.
  const secrets = Object.entries(first).flatMap(([kind, id]) =>
    kind === 'org' || kind === 'external' ? [] : [id],
  );
  // To a parent's key these apps are its own.
  const strangers = attacks.filter(({ who }) => !who.includes('parent')).slice(0, 2);
  for (const operation of keyed.filter(({ method }) => method === 'GET')) {
    for (const example of examplesOf(operation)) {
      for (const { who, caller, own, appScoped } of strangers) {
        const { text } = await caller.call(...fill(operation, example, () => own));
        for (const secret of secrets) {
          if (appScoped && secret === first.key) continue;
          t.notOk(text.includes(secret), `${operation.line} by ${who} tells ${secret}`);
        }
      }
    }
  }
});

t.test(
  'a parent reads of a client workspace its name and its usage, on no route more',
  async (t) => {
    const secrets = Object.entries(inner).flatMap(([kind, id]) =>
      ['org', 'client', 'external', 'inv'].includes(kind) ? [] : [id],
    );
    for (const operation of keyed.filter(({ method }) => method === 'GET'))
      for (const example of examplesOf(operation)) {
        const { text: all } = await alpha.client.call(...fill(operation, example, () => second));
        // The intruder made a person of that name above.
        const text = all.replaceAll(inner.external, '');
        for (const secret of [...secrets, 'gamma-inner'])
          t.notOk(text.includes(secret), `${operation.line} tells ${secret}`);
        const isItsList = ['GET /v1/org/clients', 'GET /v1/org/usage', 'GET /v1/org/audit-log'];
        if (!isItsList.includes(operation.line)) t.notOk(text.includes(inner.org), operation.line);
      }
  },
);

t.test('an app-scoped key is refused what is the org’s, on every such route', async (t) => {
  const scoped = client(server.url, siblingKey);
  for (const operation of keyed.filter(({ line }) => ofTheOrg.has(line))) {
    for (const example of examplesOf(operation)) {
      const { status, json } = await scoped.call(...fill(operation, example, () => sibling));
      t.equal(status, 403, operation.line);
      t.match(json, { code: 'forbidden', error: String });
    }
  }
  const rest = keyed.filter(
    ({ line, path }) => !ofTheOrg.has(line) && !/\{(appId|id)\}/.test(path),
  );
  t.same(
    new Set(rest.map(({ line }) => line)),
    new Set([
      'GET /v1/campaigns/stats',
      'GET /v1/campaigns/export',
      'GET /v1/apps',
      'GET /v1/integrations',
      'GET /v1/relay-recipes',
      'GET /v1/org',
      'GET /v1/org/branding',
      'GET /v1/org/limits',
      'GET /v1/insights/event-trends',
      'GET /v1/insights/engagement-heatmap',
      'GET /v1/insights/channel-health',
      'GET /v1/insights/mailbox-providers',
      'GET /v1/insights/delivery-failures',
      'GET /v1/insights/subscriber-growth',
      'POST /v1/insights/funnel',
      'GET /v1/insights/retention',
      'GET /v1/insights/rfm',
      'POST /e',
      'POST /mcp',
      'POST /v1/import/subscribers',
      'POST /v1/import/suppressions',
    ]),
    'of the org it may read only these, and write to its own app',
  );
  t.same(
    (await scoped.must('GET /v1/apps')).items.map(({ id }: { id: string }) => id),
    [sibling.app],
  );
});

t.test('a key without the scope is a 403 on every route, and changes nothing', async (t) => {
  const keys = new Map<string, Client>();
  for (const scopes of [
    ['write', 'send', 'admin'],
    ['read', 'send', 'admin'],
    ['read', 'write', 'admin'],
    ['read', 'write', 'send'],
    ['write', 'admin'],
    ['read', 'admin'],
  ]) {
    const { key } = await alpha.client.must('POST /v1/keys', { name: 'narrow', scopes });
    keys.set(scopes.join(), client(server.url, key));
  }
  const before = await stateOf(alpha.client, first);
  // Tools have scopes of their own, which contract/mcp.test.ts tries: any key may call them.
  for (const operation of keyed.filter(({ path }) => path !== '/mcp')) {
    // POST /e takes a key without being keyed; its scope is the one of its chapter.
    const wanted = operation.line === 'POST /e' ? ['write'] : operation.spec['x-engage-scopes'];
    const [scopes, caller] =
      [...keys].find(([have]) => !wanted.some((scope) => have.split(',').includes(scope))) ?? [];
    t.ok(caller, `${operation.line} needs one of ${wanted.join(', ')}`);
    for (const example of examplesOf(operation)) {
      const { status, json } = (await caller?.call(...fill(operation, example, () => first))) ?? {};
      t.equal(status, 403, `${operation.line} with ${scopes}`);
      t.match(json, { code: 'forbidden', error: /scope/ });
    }
  }
  t.same(await stateOf(alpha.client, first), before, 'nothing changed');
});

t.test('the routes of other services take an app of the key alone', async (t) => {
  const basic = (name: string, password: string) =>
    `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  for (const operation of elsewhere) {
    const [example] = examplesOf(operation);
    const [line, body] = fill(operation, example, () => other);
    const foreign = [`Bearer ${alpha.key}`, basic(other.app, alpha.key)];
    for (const authorization of foreign) {
      const { status } = await client(server.url).call(line, body, { authorization });
      t.ok(status === 404 || status === 400, `${operation.line}: ${status}`);
    }
    for (const authorization of ['', basic(first.app, 'ek_nobody'), basic(first.app, '')]) {
      const headers = authorization === '' ? {} : { authorization };
      const { status } = await client(server.url).call(line, body, headers);
      t.equal(status, 401, operation.line);
    }
  }
  t.ok(elsewhere.length > 5);
});

t.test('without a valid key every route is the same 401', async (t) => {
  const made = await alpha.client.must('POST /v1/keys', {
    name: 'gone',
    scopes: ['read', 'write', 'send', 'admin'],
  });
  t.equal((await client(server.url, made.key).call('GET /v1/org')).status, 200);
  await alpha.client.must(`DELETE /v1/keys/${made.id}`);
  const wrongSecret = `${alpha.key.slice(0, -1)}${alpha.key.endsWith('A') ? 'B' : 'A'}`;
  const credentials: Readonly<Record<string, string | undefined>> = {
    none: undefined,
    'an empty one': 'Bearer ',
    'no form of a key': 'Bearer nonsense',
    'another scheme': `Basic ${Buffer.from(`${alpha.key}:`).toString('base64')}`,
    'a wrong secret': `Bearer ${wrongSecret}`,
    'a deleted key': `Bearer ${made.key}`,
    'a key of a deleted app': `Bearer ${deletedKey}`,
    'the bootstrap token': `Bearer ${server.bootstrapToken}`,
  };
  const bearerOf = (header = '') => /^Bearer (.*)/.exec(header)?.[1] ?? '';
  let address = 0;
  const stranger = () => ({ 'x-forwarded-for': `10.1.${address >> 8}.${address++ & 255}` });
  for (const operation of keyed.filter(({ line }) => line !== 'POST /e')) {
    const [example] = examplesOf(operation);
    for (const [what, authorization] of Object.entries(credentials)) {
      const [line, body] = fill(operation, example, () => first);
      const headers = { ...stranger(), ...(authorization === undefined ? {} : { authorization }) };
      const { status, text } = await client(server.url).call(line, body, headers);
      t.equal(status, 401, `${operation.line} with ${what}`);
      const said =
        bearerOf(authorization) === ''
          ? 'missing API key: send it as `Authorization: Bearer <API_KEY>`'
          : 'invalid API key: it is misspelled, or was deleted';
      t.equal(text, `${JSON.stringify({ error: said, code: 'unauthorized' })}\n`);
    }
  }
  for (const operation of operations.filter(({ spec }) =>
    spec.security.some((one) => 'bootstrap' in one),
  )) {
    for (const authorization of [
      undefined,
      `Bearer ${alpha.key}`,
      `Bearer ${server.bootstrapToken}x`,
    ]) {
      const [line, body] = fill(operation, examplesOf(operation)[0], () => first);
      const headers = { ...stranger(), ...(authorization === undefined ? {} : { authorization }) };
      t.equal((await client(server.url).call(line, body, headers)).status, 401, operation.line);
    }
  }
});

t.test('with a key, events reach only the key’s own apps', async (t) => {
  const events = [{ name: 'intrusion', externalUserId: first.external }];
  const scoped = client(server.url, siblingKey);
  for (const caller of [beta.client, scoped]) {
    const got = await caller.call('POST /e', { appId: first.app, events });
    t.equal(got.status, 404);
    t.match(got.json, { code: 'not_found' });
  }
  const own = await scoped.call('POST /e', { events });
  t.same([own.status, own.json], [202, { accepted: 1, rejected: 0, errors: [] }]);
  const keyless = await client(server.url).call('POST /e', {
    appId: deleted.app,
    events,
  });
  t.equal(keyless.status, 404, 'a deleted app takes no more events');
  const { items } = await alpha.client.must(`GET /v1/apps/${first.app}/events?name=intrusion`);
  t.same(items, []);
});

t.test('a write key sends to its own app, and to no other', async (t) => {
  const key = async (app: string) =>
    (await alpha.client.must(`PUT /v1/apps/${app}/integrations/cdp`)).writeKey as string;
  const [own, gone] = [await key(sibling.app), await key(third.app)];
  await alpha.client.must(`DELETE /v1/apps/${third.app}/integrations/cdp`);
  const track = { type: 'track', userId: 'u', event: 'platform_intrusion' };
  let address = 0;
  const send = (app: string, token: string) =>
    client(server.url).call(`POST /i/cdp/${app}`, track, {
      authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      'x-forwarded-for': `10.2.0.${address++}`,
    });
  const nobody = unknownWorld(first).app;
  const refusals = await Promise.all([
    ...[first.app, second.app, other.app, deleted.app, nobody, 'nonsense'].map((app) =>
      send(app, own),
    ),
    send(third.app, gone),
    send(sibling.app, alpha.key),
    send(sibling.app, server.bootstrapToken),
  ]);
  for (const { status, text } of refusals) {
    t.equal(status, 401);
    t.equal(text, refusals[0]?.text, 'in the same words');
  }
  t.equal((await send(sibling.app, own)).status, 200);
  for (const [who, app, stored] of [
    [alpha, first.app, 0],
    [alpha, second.app, 0],
    [beta, other.app, 0],
    [alpha, sibling.app, 1],
  ] as const) {
    const { items } = await who.client.must(`GET /v1/apps/${app}/events?name=platform_intrusion`);
    t.equal(items.length, stored, app);
  }
  const asKey = await client(server.url, own).call(`GET /v1/apps/${sibling.app}`);
  t.equal(asKey.status, 401, 'it is no API key');
});

type Tap = Pick<typeof t, 'equal' | 'match' | 'same' | 'ok'>;

/** A client workspace as a test org; its lanes are unlimited, too. */
async function makeClientOf(
  parent: Awaited<ReturnType<typeof makeOrg>>,
  name: string,
): Promise<Awaited<ReturnType<typeof makeOrg>>> {
  const { org, apiKey } = await parent.client.must('POST /v1/org/clients', { name });
  await client(server.url, server.bootstrapToken).must(`PATCH /v1/orgs/${org.id}`, {
    rateLimits: { transactional: null, standard: null },
  });
  return { id: org.id, key: apiKey.key, client: client(server.url, apiKey.key) };
}

async function makeKey(caller: Client, appId: string): Promise<string> {
  const scopes = ['read', 'write', 'send', 'admin'];
  return (await caller.must('POST /v1/keys', { name: 'scoped', scopes, appId })).key;
}

/** Everything that an intruder might have changed. */
async function stateOf(caller: Client, world: World): Promise<unknown> {
  const base = `/v1/apps/${world.app}`;
  const lines = [
    base,
    `${base}/settings`,
    `${base}/credentials`,
    `${base}/integrations`,
    `${base}/subscribers`,
    `${base}/suppressions`,
    `${base}/events`,
    `${base}/dead-letters`,
    `${base}/segments`,
    `${base}/messages`,
    `${base}/message-templates`,
    `${base}/in-app-messages`,
    `${base}/campaigns`,
    `${base}/journeys`,
    `${base}/flags`,
    `${base}/live-activities`,
    `${base}/notifications/${world.ntf}`,
    '/v1/org',
  ];
  const answers = lines.map((line) => caller.must(`GET ${line}`));
  const keys = (await caller.must('GET /v1/keys')).items;
  return [...(await Promise.all(answers)), keys.some(({ id }: { id: string }) => id === world.key)];
}

function subsets<T>(items: readonly T[]): T[][] {
  const all: T[][] = [[]];
  for (const item of items) all.push(...all.map((set) => [...set, item]));
  return all.filter((set) => set.length > 0);
}

t.test('a journey of another org is not there to be replaced', async (t) => {
  const { id: theirs } = await alpha.client.must(`POST /v1/apps/${first.app}/journeys`, {
    name: 'theirs',
    triggerEvent: 'never',
    steps: [{ id: 'w', type: 'wait', days: 1 }],
  });
  const read = `GET /v1/apps/${first.app}/journeys/${theirs}`;
  await alpha.client.must(`PATCH /v1/apps/${first.app}/journeys/${theirs}`, { active: true });
  const before = await alpha.client.must(read);
  const line = `PATCH /v1/apps/${other.app}/journeys/${other.jrn}`;
  const asked = async (replaces: string) => {
    const { status, json } = await beta.client.call(line, { active: true, replaces });
    return { status, json: withoutId(json) };
  };
  const got = await asked(theirs);
  t.match(got, { status: 404, json: { code: 'not_found', field: 'replaces' } });
  t.same(got, await asked(`${theirs.slice(0, -4)}0000`));
  t.same(await alpha.client.must(read), before);
});
