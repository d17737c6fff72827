// A server on loopback that answers call after call as a test says, and remembers what was asked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** One call that arrived. */
interface Asked {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly atMs: number;
}

export type Script = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers with this status, body and headers. */
export function answering(
  status: number,
  body: object | string = {},
  headers: Readonly<Record<string, string>> = {},
): Script {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** Ends the connection without an answer. */
export const resetting: Script = (_response, request) => request.socket.destroy();

/** Ends the connection in the middle of the body. */
export const cuttingOff: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.socket?.destroy());
};

/** Never answers. */
export const silent: Script = () => undefined;

/** Answers each call by the next script; the last one answers all that follow. */
export async function scriptedServer(t: Test, ...scripts: readonly Script[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const script = scripts[Math.min(asked.length, scripts.length - 1)];
      const line = `${request.method} ${request.url}`;
      const body = Buffer.concat(chunks).toString();
      asked.push({ line, headers: request.headers, body, atMs: performance.now() });
      script?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
