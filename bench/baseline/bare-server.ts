// The least that answers the same calls: bare uWebSockets.js, or Fastify. It parses the body and
// answers what Engage does; it checks no key, no field, and stores nothing. Started with
// `serveBare`, in a process of its own.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { loadUws, type UwsListener } from '../../http/server/uws-library.ts';

type BareKind = 'uws' | 'fastify';

interface Answer {
  readonly status: 200 | 202 | 204;
  readonly body: string;
}

/** A real read of a person, so that the answer has the length of Engage's. */
let personJson = '{}';

const lines = { 200: '200 OK', 202: '202 Accepted', 204: '204 No Content' } as const;
const accepted = '{"accepted":1000,"rejected":0,"errors":[],"warnings":[]}';
const sent = '{"id":"ntf_00000000000000000000000001","status":"queued"}';

function answerTo(path: string, body: unknown): Answer {
  if (body === undefined) return { status: 200, body: personJson };
  if (path === '/e') return { status: 202, body: accepted };
  return path.endsWith('/tags') ? { status: 204, body: '' } : { status: 202, body: sent };
}

/** Starts the server; `person` is what a read answers. */
export async function serveBare(
  kind: BareKind,
  person: unknown,
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const child = fork(fileURLToPath(import.meta.url), ['--bare', kind], {
    execArgv: ['--import', 'tsx'],
  });
  child.send(JSON.stringify(person));
  const [port] = (await once(child, 'message')) as [number];
  return { port, child };
}

async function listenUws(): Promise<number> {
  const loaded = await loadUws();
  if (!loaded.ok) throw new Error(loaded.reasons.join('\n'));
  const { uws } = loaded;
  const app = uws.App();
  app.any('/*', (response, request) => {
    const path = request.getUrl();
    const hasBody = request.getCaseSensitiveMethod() === 'POST';
    let isGone = false;
    response.onAborted(() => {
      isGone = true;
    });
    const finish = (text?: string) => {
      const { status, body } = answerTo(path, text === undefined ? undefined : JSON.parse(text));
      if (isGone) return;
      response.cork(() => {
        response.writeStatus(lines[status]);
        response.writeHeader('content-type', 'application/json');
        response.end(body, false);
      });
    };
    if (!hasBody) {
      finish();
      return;
    }
    const parts: Buffer[] = [];
    response.onData((chunk, isLast) => {
      // The chunk's memory is the library's, and gone after this call.
      parts.push(Buffer.from(new Uint8Array(chunk)));
      if (isLast) finish(Buffer.concat(parts).toString());
    });
  });
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, 0, (socket: UwsListener | false) => {
      if (socket === false) reject(new Error('uWebSockets.js does not listen'));
      else resolve(uws.us_socket_local_port(socket));
    });
  });
}

async function listenFastify(): Promise<number> {
  const server = fastify({ bodyLimit: 1024 * 1024 });
  server.all('/*', (request, reply) => {
    const { status, body } = answerTo(request.url, request.body);
    return reply.code(status).header('content-type', 'application/json').send(body);
  });
  return Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
}

if (process.argv[2] === '--bare') {
  process.once('disconnect', () => process.exit(0)); // the bench is gone
  process.once('message', async (person) => {
    personJson = String(person);
    process.send?.(await (process.argv[3] === 'uws' ? listenUws() : listenFastify()));
  });
}
