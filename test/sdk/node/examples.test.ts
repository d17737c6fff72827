// Every example of the API description as a call of the client: it compiles against the types, and
// it runs against a server with one of everything.

import t from 'tap';
import type { OpenApiDocument } from '../../../http/describe/openapi-types.ts';
import { type ClientMethod, methodsOf, pathNamesOf } from '../../../sdk/generate/client-methods.ts';
import type { Description } from '../../../sdk/generate/client-source.ts';
import { Engage } from '../../../sdk/node/src/engage.ts';
import { chapterServer } from '../../contract/chapter.ts';
import { Callers, type OwnWorld } from '../../contract/described-callers.ts';
import { examplesOf, fill, type Operation, operationsOf } from '../../e2e/described-calls.ts';
import { client, makeOrg } from '../../support/server.ts';
import { clientFolder, complaintsAbout } from '../support/installed-client.ts';

t.setTimeout(300_000);

/** Methods whose examples do not run here, and why. */
const doNotRun: Readonly<Record<string, string>> = {
  'billing.readInvoice': 'an invoice is made when a month ends: test/e2e/billing-kills.test.ts',
  'relays.try': 'the example is of an SMTP relay: test/contract/gateways.test.ts',
  'relays.tryShared': 'the example is of an SMTP relay: test/contract/gateways.test.ts',
};

const server = await chapterServer(t);
const document: OpenApiDocument = await client(server.url).must('GET /openapi.json');
const org = await makeOrg(server, 'Examples');
const callers = await Callers.open(server, document, org);
const methods = methodsOf(document as unknown as Description);
const described = new Map(operationsOf(document).map((one) => [one.line, one]));

/** One call of the client with the arguments of an example. */
interface ExampleCall {
  readonly method: ClientMethod;
  readonly operation: Operation;
  readonly ids: readonly string[];
  readonly payload: readonly unknown[];
}

function callsOf(method: ClientMethod, all?: OwnWorld): readonly ExampleCall[] {
  const operation = described.get(`${method.httpMethod} ${method.path}`);
  if (operation === undefined) throw new Error(`${method.operationId} is not described`);
  return examplesOf(operation).map((example) => callOf(method, operation, example, all));
}

function callOf(
  method: ClientMethod,
  operation: Operation,
  example: unknown,
  all: OwnWorld | undefined,
): ExampleCall {
  const from = new Proxy({} as OwnWorld['world'], { get: (_, kind) => `${String(kind)}_example` });
  const [line, body] = fill(operation, example, () => all?.world ?? from);
  const [path = '', queryText = ''] = (line.split(' ')[1] ?? '').split('?');
  const pattern = method.path.replace(/\{appId\}/g, '[^/]+').replace(/\{\w+\}/g, '([^/]+)');
  const ids = (new RegExp(`^${pattern}$`).exec(path) ?? []).slice(1);
  const { appId: _app, ...query } = Object.fromEntries(new URLSearchParams(queryText));
  const payload = payloadOf(method, body, query);
  return { method, operation, ids, payload };
}

function payloadOf({ takes, sets }: ClientMethod, body: unknown, query: Record<string, string>) {
  switch (takes) {
    case 'bytes':
      return [new TextEncoder().encode(String(body)), query];
    case 'body':
      return body === undefined ? [{}] : [body];
    case 'query': {
      const own = Object.entries(query).filter(([name]) => sets?.[name] === undefined);
      return [Object.fromEntries(own)];
    }
    case undefined:
      return [];
  }
}

t.test('every example compiles, and a wrong type in it does not', async (t) => {
  const folder = clientFolder(t);
  const program = (calls: readonly string[]) =>
    [
      "import { Engage } from '@engage/node';",
      "const engage = new Engage({ baseUrl: 'http://127.0.0.1', apiKey: 'ek', appId: 'app' });",
      ...calls,
    ].join('\n');
  const calls = methods.flatMap((method) => callsOf(method).map(asSource));
  t.equal(complaintsAbout(folder, 'examples.ts', program(calls)), '');
  t.ok(calls.length > 150, `${calls.length} calls`);
});

function asSource({ method, ids, payload }: ExampleCall): string {
  const values = payload.map((value) =>
    value instanceof Uint8Array ? 'new Uint8Array()' : JSON.stringify(numbered(value, method)),
  );
  const given = [...ids.map((id) => JSON.stringify(id)), ...values];
  return `await engage.${method.group}.${method.name}(${given.join(', ')});`;
}

/** The table of queries has texts; a program writes numbers as numbers. */
function numbered(value: unknown, { takes, operation }: ClientMethod): unknown {
  if (takes !== 'query') return value;
  const isNumber = (name: string) =>
    operation.parameters?.some(
      (one) => one.name === name && ['integer', 'number'].includes(String(one.schema.type)),
    ) === true;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      isNumber(name) ? Number(one) : one,
    ]),
  );
}

t.test('every example runs', async (t) => {
  const shared = await callers.makeOwn();
  const ran: string[] = [];
  for (const method of methods) {
    const name = `${method.group}.${method.name}`;
    const operation = described.get(`${method.httpMethod} ${method.path}`) as Operation;
    for (let nth = 0; nth < callsOf(method).length; nth++) {
      const all = isSingular(operation) ? await callers.makeOwn(operation) : shared;
      const call = callsOf(method, all)[nth] as ExampleCall;
      const failure = await run(call, all);
      if (doNotRun[name] !== undefined) t.not(failure, undefined, `${name} runs after all`);
      else t.equal(failure, undefined, name);
      ran.push(name);
    }
  }
  t.comment(`${ran.length} calls`);
});

/** Whether it ends what it is done to, or needs it in a state. */
function isSingular({ method, path, line }: Operation): boolean {
  return (
    method === 'DELETE' ||
    /\/campaigns\/\{id\}\/|\{domain\}|\{name\}|\/forms\/|archive$|\/doubtful\/|\/bulk$|POST .*\/e$/.test(
      `${line} ${path}`,
    )
  );
}

async function run(call: ExampleCall, all: OwnWorld): Promise<string | undefined> {
  const { method, operation } = call;
  const { own, credential } = callers.materialsFor(operation, all, { seed: 1, bodies: 1 });
  const engage = new Engage({
    baseUrl: server.url,
    apiKey: (credential['authorization'] ?? `Bearer ${org.key}`).slice('Bearer '.length),
    appId: own.app,
    retries: 0,
  });
  const ids = pathNamesOf(method.path).map((_name, at) => call.ids[at] ?? '');
  const group = engage[method.group as keyof Engage] as unknown as Record<
    string,
    (...values: unknown[]) => PromiseLike<unknown>
  >;
  try {
    const abort = new AbortController();
    const answer = await group[method.name]?.(...ids, ...call.payload, { signal: abort.signal });
    if (method.path.endsWith('/live')) abort.abort(new Error('enough'));
    else if (method.answers === 'stream') await (answer as { text(): Promise<string> }).text();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
