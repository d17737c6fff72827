// A stand-in of the bulk import on loopback: it takes rows as the server does, upserts them on
// `externalUserId`, and fails when and how a test says. It keeps people rather than calls, so that
// a test compares what came of an import.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { PersonRow } from '../../../cli/import/person.ts';

/**
 * What a call meets: an answer of its own, a broken connection before or after its rows were taken,
 * or no trouble.
 */
export type Trouble =
  | 'none'
  | 'reset'
  | 'reset-after'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface ImportServer {
  readonly url: string;
  /** People by their user id; those without one under a name of their own. */
  readonly people: Map<string, PersonRow>;
  /** Bodies of import calls that were answered 200. */
  readonly bodies: string[];
  readonly calls: () => number;
}

/**
 * Starts one that ends with the test. `trouble` is asked at each import call, the first being 1.
 */
export async function startImportServer(
  t: Test,
  trouble: (call: number) => Trouble | Promise<Trouble> = () => 'none',
): Promise<ImportServer> {
  const people = new Map<string, PersonRow>();
  const bodies: string[] = [];
  let calls = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    if (request.headers.authorization !== 'Bearer right')
      return reply(response, 401, { error: 'the key is not known' });
    if (request.url === '/v1/apps/app_1') return reply(response, 200, { id: 'app_1' });
    if (request.url !== '/v1/import/subscribers')
      return reply(response, 404, { error: 'there is no such app' });
    const met = await trouble(++calls);
    if (met === 'reset') return void request.socket.destroy();
    if (typeof met === 'object') {
      response.writeHead(met.status, met.headers ?? {});
      return void response.end(met.body ?? JSON.stringify({ error: 'trouble' }));
    }
    const result = take(people, text);
    if (met === 'reset-after') return void request.socket.destroy();
    bodies.push(text);
    return reply(response, 200, result);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, people, bodies, calls: () => calls };
}

/** A port of loopback on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Rows of a user called `refused` are refused. */
function take(people: Map<string, PersonRow>, text: string) {
  const { rows } = JSON.parse(text) as { rows: PersonRow[] };
  let [created, updated] = [0, 0];
  const errors: { row: number; error: string }[] = [];
  for (const [nth, row] of rows.entries()) {
    const id = row.externalUserId ?? `nobody ${people.size}`;
    if (id === 'refused') errors.push({ row: nth, error: 'externalUserId: no' });
    else if (people.has(id)) updated++;
    else created++;
    if (id !== 'refused') people.set(id, row);
  }
  return { created, updated, failed: errors.length, errors };
}
