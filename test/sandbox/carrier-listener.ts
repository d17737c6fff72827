// A product that takes the carrier's callbacks: it remembers them, whether their signature holds,
// and answers as it is told. Waiting is for callbacks to come, never for time to pass.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { isSignedByCarrier } from '../../actors/channels/carrier/signature.ts';

/** One callback as it came. */
interface Callback {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
  /** Whether it is signed with this token over the address that it was sent to. */
  isSignedWith(authToken: string): boolean;
}

/** Where it listens, and what came. */
interface CallbackListener {
  readonly url: string;
  readonly callbacks: Callback[];
  /** What the next callbacks are answered with; `cut` hangs up. */
  answer: number | 'cut';
  /** Resolves once so many came in all. */
  came(count: number): Promise<readonly Callback[]>;
}

/** Listens until the test is over. */
export async function listenForCallbacks(test: Test): Promise<CallbackListener> {
  const callbacks: Callback[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const path = request.url ?? '';
      callbacks.push({
        path,
        headers: request.headers,
        form: Object.fromEntries(new URLSearchParams(body.toString())),
        isSignedWith: (authToken) =>
          isSignedByCarrier(
            {
              url: listener.url + path,
              body,
              signature: String(request.headers['x-carrier-signature']),
            },
            authToken,
          ),
      });
      if (listener.answer === 'cut') request.socket.destroy();
      else response.writeHead(listener.answer).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const listener: CallbackListener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    callbacks,
    answer: 204,
    came: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (callbacks.length < count) return;
          waiting = waiting.filter((other) => other !== look);
          resolve(callbacks);
        };
        waiting.push(look);
        look();
      }),
  };
  return listener;
}
