// How the parts of the HTTP suite come by a server of the implementation under test, and how they
// wait for it without a clock: in turns of the event loop, so that what never happens ends in the
// test's own time-out.

import type { Test } from 'tap';
import type { HttpHandler, HttpServer, HttpServerOptions } from '../../http/server/exchange.ts';

/** Makes a fresh server of the implementation under test. */
export type MakeServer = (options: HttpServerOptions) => HttpServer;

/** A server that listens on loopback. */
interface Served {
  readonly server: HttpServer;
  readonly port: number;
  /** What `onError` was told so far. */
  readonly errors: unknown[];
}

/** A server on a free port, closed when the test ends. */
export type Serve = (
  t: Test,
  handler: HttpHandler,
  more?: Partial<HttpServerOptions>,
) => Promise<Served>;

/** The `Serve` of one implementation. */
export function servedBy(make: MakeServer): Serve {
  return async (t, handler, more = {}) => {
    const errors: unknown[] = [];
    const server = make({ handler, onError: (error) => errors.push(error), ...more });
    const port = await server.listen('127.0.0.1', 0);
    t.teardown(() => server.drain(0));
    return { server, port, errors };
  };
}

/** Lets the event loop go round `count` times. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until nothing is in flight; a leak ends in the test's own time-out. */
export async function quiet(server: HttpServer): Promise<void> {
  while (server.inFlight > 0) await turns(1);
}
