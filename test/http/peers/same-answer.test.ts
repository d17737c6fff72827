// Whatever a handler answers, and whatever it is asked, a client gets the same by way of another
// server as from the owner itself.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import t from 'tap';
import type { HttpHandler } from '../../../http/server/exchange.ts';
import { tries } from '../../support/tries.ts';
import { appOf, hearAll, startNode } from './support/nodes.ts';

const partition = 1;

interface Planned {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Sent whole, or piece by piece. */
  readonly body: string | readonly string[];
}

const text = fc.string({ maxLength: 2_000, unit: 'grapheme' });
const planned: fc.Arbitrary<Planned> = fc.record({
  status: fc.constantFrom(200, 201, 202, 204, 304, 400, 404, 413, 429, 500, 503),
  headers: fc.subarray([
    ['content-type', 'application/json; charset=utf-8'],
    ['retry-after', '7'],
    ['etag', '"a"'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-request-id', 'req_1'],
    ['x-engage-warnings', '3'],
  ] as const),
  body: fc.oneof(text, fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 5 })),
});
const asked = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  query: fc.string({ maxLength: 40, unit: 'grapheme' }).map(encodeURI),
  tail: fc.string({ maxLength: 20, unit: 'grapheme' }).map(encodeURIComponent),
  headers: fc.dictionary(
    fc.stringMatching(/^x-[a-z]{1,8}$/),
    fc.stringMatching(/^[!-~]([ -~]{0,38}[!-~])?$/),
    { maxKeys: 10 },
  ),
  body: text,
  isChunked: fc.boolean(),
});

interface Got {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Asking = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

/** Of a hop, or of the moment. */
const notCompared = ['date', 'connection', 'keep-alive', 'uwebsockets'];

function call(url: string, path: string, { method, headers, body, isChunked }: Asking) {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const framing: Readonly<Record<string, string>> =
    isChunked && hasBody
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(hasBody ? Buffer.byteLength(body) : 0) };
  return new Promise<Got>((resolve, reject) => {
    const call = httpRequest(
      `${url}${path}`,
      { method, headers: { ...headers, ...framing }, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const kept = Object.entries(response.headers).filter(
            ([name]) => !notCompared.includes(name),
          );
          resolve({
            status: response.statusCode,
            headers: Object.fromEntries(kept),
            body: Buffer.concat(parts).toString(),
          });
        });
      },
    );
    call.once('error', reject);
    if (hasBody) call.write(body);
    call.end();
  });
}

for (const prefer of ['node', 'uws'] as const)
  t.test(`by way of another server (${prefer}) it is the same`, async (t) => {
    let plan: Planned = { status: 200, headers: [], body: '' };
    let seen: object = {};
    const handler: HttpHandler = (request, response) => (body) => {
      const { method, path, query, remoteAddress } = request;
      const entries = Object.entries(request.headers()).filter(([name]) => name.startsWith('x-'));
      const headers = Object.fromEntries(entries);
      // Of a request that came in chunks the length is known by then.
      seen = { method: method === 'HEAD' ? 'GET' : method, path, query, remoteAddress, headers };
      seen = { ...seen, body: body.toString() };
      const { status, headers: sent, body: answer } = plan;
      if (typeof answer === 'string') response.send(status, sent, answer);
      else {
        response.begin(status, sent);
        for (const piece of answer) response.write(piece);
        response.end();
      }
    };
    const nodes = await Promise.all(
      ['near', 'owner'].map((name) => startNode(t, { name, handler, prefer })),
    );
    const [near, owner] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    hearAll(nodes, [{ partition, owner }]);
    await fc.assert(
      fc.asyncProperty(asked, planned, async (ask, answer) => {
        // A status without a body is not streamed by any handler.
        const isBodiless = answer.status === 204 || answer.status === 304;
        const whole = Array.isArray(answer.body) ? answer.body.join('') : answer.body;
        plan = isBodiless ? { ...answer, body: whole as string } : answer;
        const path = `/v1/apps/${appOf(partition)}/${ask.tail}${ask.query === '' ? '' : `?${ask.query.replace('#', '')}`}`;
        const direct = await call(owner.url, path, ask);
        const seenDirectly = seen;
        const forwarded = await call(near.url, path, ask);
        t.strictSame(forwarded, direct);
        t.strictSame(seen, seenDirectly);
        return t.passing();
      }),
      { numRuns: tries(300) },
    );
    t.ok(near.forwarding.figures.forwarded > 0);
  });
