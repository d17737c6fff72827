// Every answer of every operation is as the API description says: its status, the type and every
// member of its body, its headers. The calls follow from the description that the server serves:
// its examples, ENGAGE_DESCRIBED_BODIES generated bodies each (2), and every way to be wrong.
// ENGAGE_DESCRIBED_SEED makes others than the last time.

import t from 'tap';
import type { OpenApiDocument } from '../../http/describe/openapi-types.ts';
import { type Operation, operationsOf } from '../e2e/described-calls.ts';
import { client, makeOrg, type Reply } from '../support/server.ts';
import { chapterServer } from './chapter.ts';
import { Callers, type OwnWorld } from './described-callers.ts';
import { DescribedShapes } from './described-shapes.ts';
import { acceptableTrials, refusedTrials, type Trial } from './described-trials.ts';
import { signedCalls } from './signed-calls.ts';

const bodies = Number(process.env['ENGAGE_DESCRIBED_BODIES'] ?? 2);
const seed = Number(process.env['ENGAGE_DESCRIBED_SEED'] ?? 1);
t.setTimeout(600_000);

/** Successes that are not seen here, and where they are. */
const seenElsewhere: Readonly<Record<string, string>> = {
  'POST /v1/apps/{appId}/subscribers/bulk 202 application/json': 'test/contract/bulk.test.ts',
  'GET /v1/org/invoices/{id} 200 application/json': 'test/http/routes/invoice-route.test.ts',
  'POST /v1/session/link/read 200 application/json': 'test/contract/sessions.test.ts',
  'DELETE /v1/session/memberships/{org} 204': 'test/contract/invitations.test.ts',
  'GET /tls/ask 204': 'test/contract/link-hosts.test.ts',
  'GET /preview/{token} 200 text/html': 'test/contract/message-draft-preview.test.ts',
  'GET /a/{token} 200 image/gif': 'test/contract/assets.test.ts',
  'GET /a/{token} 200 image/jpeg': 'test/contract/assets.test.ts',
  'GET /a/{token} 200 image/png': 'test/contract/assets.test.ts',
  'GET /a/{token} 200 image/webp': 'test/contract/assets.test.ts',
  'GET /stop/{token} 200 text/html': 'test/contract/sign-in-mails.test.ts',
  'POST /stop/{token} 200 text/html': 'test/contract/sign-in-mails.test.ts',
  'GET /a/{token} 304': 'test/contract/assets.test.ts',
  'POST /v1/sdk/subscribe 202 application/json': 'test/contract/opt-in.test.ts',
  'GET /v1/sdk/feed 304': 'test/contract/sdk.test.ts',
  'GET /v1/sdk/flags 304': 'test/contract/sdk.test.ts',
  'GET /confirm/{token} 200 text/html': 'test/contract/opt-in.test.ts',
  'POST /confirm/{token} 200 text/html': 'test/contract/opt-in.test.ts',
  'GET /p/{token} 200 text/html': 'test/contract/opt-in.test.ts',
  'POST /p/{token} 200 text/html': 'test/contract/opt-in.test.ts',
  'GET /f/{formId} 200 text/html': 'test/contract/opt-in.test.ts',
  'POST /f/{formId} 200 text/html': 'test/contract/opt-in.test.ts',
  'POST /f/{formId} 303': 'test/contract/opt-in.test.ts',
  'GET /v1/apps/{appId}/forms/{key} 200 application/json': 'test/contract/opt-in.test.ts',
  'POST /v1/apps/{appId}/relays/{id}/try 200 application/json': 'test/contract/gateways.test.ts',
  'POST /v1/org/relays/{id}/try 200 application/json': 'test/contract/gateways.test.ts',
  'POST /compat/segment/v1/{call} 200 application/json': 'test/contract/other-services.test.ts',
  'GET /v1/org/invoices/{id} 200 text/html': 'test/http/routes/invoice-route.test.ts',
};

const server = await chapterServer(t);
const document: OpenApiDocument = await client(server.url).must('GET /openapi.json');
const shapes = new DescribedShapes(document);
/** Its answers last as long as somebody reads: test/contract/live.test.ts. */
const isEndless = ({ spec }: Operation) =>
  'text/event-stream' in (spec.responses['200']?.content ?? {});
const described = operationsOf(document);
const operations = described.filter((one) => !isEndless(one));
const org = await makeOrg(server, 'Described');

/** One answer that is not as described. */
interface Lie {
  readonly trial: Trial;
  readonly reply: Reply;
  readonly complaint: string;
}
const lies = new Map<string, Lie & { count: number }>();
const seen = new Set<string>();
const kept = new Map<string, { readonly operation: Operation; readonly reply: Reply }>();
let calls = 0;

async function tryOut(trial: Trial): Promise<Reply> {
  const { operation, line, body, headers } = trial;
  const address = { 'x-forwarded-for': `10.9.${(calls >> 8) & 255}.${calls++ & 255}` };
  const reply = await client(server.url).call(line, body, { ...address, ...headers });
  const complaint = isBroken(operation, reply)
    ? `a ${reply.status}, which no caller may cause`
    : shapes.lieOf(operation, reply);
  if (complaint !== undefined) record({ trial, reply, complaint });
  const type = String(reply.headers['content-type'] ?? '').split(';')[0];
  seen.add(`${operation.line} ${reply.status} ${type}`.trimEnd());
  kept.set(`${operation.line} ${reply.status}`, { operation, reply });
  return reply;
}

function isBroken({ line }: Operation, { status }: Reply): boolean {
  return status >= 500 && line !== 'GET /readyz';
}

function record(lie: Lie): void {
  const key = `${lie.trial.operation.line}: ${lie.complaint.slice(0, 120)}`;
  const known = lies.get(key);
  if (known === undefined) lies.set(key, { ...lie, count: 1 });
  else known.count++;
}

function asCurl({ line, body, headers }: Trial): string {
  const space = line.indexOf(' ');
  const all = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  const given = Object.entries(all).map(([name, value]) => `-H '${name}: ${value}'`);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const data = text === undefined ? '' : ` -d '${text.slice(0, 1_500).replaceAll("'", "'\\''")}'`;
  return `curl -X ${line.slice(0, space)} '${server.url}${line.slice(space + 1)}' ${given.join(' ')}${data}`;
}

const callers = await Callers.open(server, document, org);

async function runAll(trials: readonly Trial[], all: OwnWorld): Promise<void> {
  for (const trial of trials) await tryOut(await callers.prepared(trial, all));
}

const reading = await callers.makeOwn();

/** Whether it ends what it is done to, or needs it in a state. */
function isSingular({ method, line }: Operation): boolean {
  return (
    method === 'DELETE' ||
    /\{domain\}|\{name\}|\/(resume|pause|unschedule|logout|unregister|retry|bulk)$/.test(line)
  );
}

async function tryAll(operation: Operation, shared: OwnWorld): Promise<void> {
  const isRead = operation.method === 'GET';
  const all = isRead ? reading : isSingular(operation) ? await callers.makeOwn(operation) : shared;
  const [, integration] = /^PUT .*\/(integrations\/.+)$/.exec(operation.line) ?? [];
  if (integration !== undefined)
    await org.client.call(
      `DELETE /v1/apps/${all.world.app}/${integration.replace('{type}', 'webhook')}`,
    );
  const here = callers.located(operation, all);
  const from = callers.materialsFor(operation, all, { seed, bodies });
  await runAll(refusedTrials(here, from), all);
  await runAll(acceptableTrials(here, from), all);
}

t.test('every answer is as described', async (t) => {
  // A tag's operations one after the other: each has limits of its own on what runs at a time.
  const tags = new Set(operations.map(({ spec }) => spec.tags[0]));
  const tryTag = async (tag: string | undefined) => {
    const [first, ...rest] = operations.filter(({ spec }) => spec.tags[0] === tag);
    if (first === undefined) return;
    const shared = await callers.makeOwn(first);
    for (const one of [first, ...rest]) await tryAll(one, shared);
  };
  await Promise.all([...tags].map(tryTag));
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const headers = { authorization: `Bearer ${org.key}` };
  const unanswered = { operation: 'POST /mcp', line: 'POST /mcp', body: note, headers };
  for (const special of [unanswered, ...(await signedCalls(org, document))]) {
    const operation = operations.find(({ line }) => line === special.operation);
    if (operation === undefined) throw new Error(`${special.operation} is not described`);
    await tryOut({ ...special, operation, what: 'as its caller writes it' });
  }
  t.ok(calls > operations.length * 10, `${calls} calls`);
  t.comment(`${calls} calls`);
  for (const { trial, reply, complaint, count } of lies.values()) {
    const { status, headers, text } = reply;
    t.fail(`${trial.operation.line}, ${trial.what}: ${complaint}`, {
      times: count,
      request: asCurl(trial),
      answer: `${status} ${headers['content-type'] ?? ''} ${text.slice(0, 1_000)}`,
    });
  }
});

t.test('a method that is not described is a 405 that names those that are', async (t) => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const described = Object.keys(methods).map((one) => one.toUpperCase());
    const filled = path.replace('{call}', 'identify').replace(/\{\w+\}/g, 'x');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (isDescribed(method, filled)) continue;
      const reply = await client(server.url, org.key).call(`${method} ${filled}`);
      t.equal(reply.status, 405, `${method} ${path}`);
      t.equal(shapes.lieOfRefusal(reply), undefined, `${method} ${path}`);
      const allowed = String(reply.headers['allow']).split(', ');
      for (const one of described) t.ok(allowed.includes(one), `${method} ${path}: ${allowed}`);
    }
  }
});

/** `/subscribers/export` is also the person of that id. */
function isDescribed(method: string, filled: string): boolean {
  return described.some(
    (one) =>
      one.method === method &&
      new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(filled),
  );
}

t.test('every success that is described was seen', async (t) => {
  for (const { line, spec } of operations)
    for (const [status, { content }] of Object.entries(spec.responses)) {
      if (!/^[23]/.test(status)) continue;
      for (const type of Object.keys(content ?? { '': {} })) {
        const one = `${line} ${status} ${type}`.trimEnd();
        const elsewhere = seenElsewhere[one] !== undefined;
        t.equal(seen.has(one), !elsewhere, `${one}${elsewhere ? ' is seen here after all' : ''}`);
      }
    }
});

const plants: Readonly<Record<string, (copy: Copy) => void>> = {
  'a status is gone': ({ paths }) => {
    delete paths['/v1/apps/{appId}']?.get?.responses[200];
  },
  'a refusal is gone': ({ paths }) => {
    delete paths['/v1/apps/{appId}']?.get?.responses[404];
  },
  'a content type is another': ({ paths }) => {
    const { content } = paths['/v1/apps/{appId}']?.get?.responses[200] ?? {};
    if (content !== undefined) content['text/csv'] = content['application/json'];
    delete content?.['application/json'];
  },
  'a type is another': ({ components }) => {
    components.schemas['App'].properties['name'] = { type: 'integer' };
  },
  'a member is not described': ({ components }) => {
    delete components.schemas['App'].properties['name'];
  },
  'a member is promised': ({ components }) => {
    components.schemas['App'].required.push('nothing');
  },
  'a code is gone': ({ components }) => {
    const { allOf } = components.responses['LaneError404'].content['application/json'].schema;
    allOf[1].properties.code.enum = ['gone'];
  },
  'a header is gone': ({ paths }) => {
    delete paths['/v1/apps/{appId}']?.get?.responses[200].headers['x-request-id'];
  },
};
/** Parsed again, so that it may be changed anywhere. */
type Copy = ReturnType<typeof JSON.parse>;

t.test('a lie that is planted into the description is found', async (t) => {
  const lived = ['200', '404'].map((status) => kept.get(`GET /v1/apps/{appId} ${status}`));
  const lieIn = (judge: DescribedShapes, copy: OpenApiDocument) =>
    lived.map((one) => {
      if (one === undefined) throw new Error('no answer was kept');
      const spec = copy.paths['/v1/apps/{appId}']?.['get'] ?? one.operation.spec;
      return judge.lieOf({ ...one.operation, spec }, one.reply);
    });
  t.same(lieIn(shapes, document), [undefined, undefined]);
  for (const [what, plant] of Object.entries(plants)) {
    const copy: Copy = JSON.parse(JSON.stringify(document));
    plant(copy);
    const found = lieIn(new DescribedShapes(copy), copy).filter((one) => one !== undefined);
    t.equal(found.length, 1, what);
  }
});
