// The bytes of a call, as a sender makes it, and undici alone with the very same bytes.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'undici';

interface RecordedCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The first call that `send` makes to `url`; it is refused with 500. */
export async function recordedCall(send: (url: string) => Promise<unknown>): Promise<RecordedCall> {
  let request: RecordedCall | undefined;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { host: _host, connection: _connection, ...headers } = incoming.headers;
      request ??= {
        path: incoming.url ?? '',
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks),
      };
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
  if (request === undefined) throw new Error('no call was made');
  return request;
}

/** Resolves when the answer is complete. */
export function postAgain(pool: Pool, { path, headers, body }: RecordedCall): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path, method: 'POST', body, headers },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
