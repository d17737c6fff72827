// A door in front of Stripe's stand-in that kills the engine at chosen calls: before Stripe has
// seen the call, once Stripe has done it and nobody has heard of it, or once it is answered. Calls
// pass one by one, so the chosen one is the only one that is half done.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { type Dispatcher, request } from 'undici';

const moments = ['before', 'done', 'answered'] as const;

interface Strike {
  /** Method and path, with `*` for an id: `GET /v1/setup_intents/*`. */
  readonly line: string;
  readonly moment: (typeof moments)[number];
}

/** Strikes at each moment of each call, in this order. */
export function strikesAt(...lines: readonly string[]): Strike[] {
  return lines.flatMap((line) => moments.map((moment) => ({ line, moment })));
}

export class StripeDoorway {
  /** The calls that Stripe has done, by line. */
  readonly done: string[] = [];
  readonly kills: Strike[] = [];
  /** Strikes that are to come; the first waits for its call. */
  strikes: Strike[] = [];
  readonly #stripeUrl: string;
  readonly #kill: () => Promise<void>;
  readonly #sockets = new Set<Socket>();
  #isDown = false;
  #last: Promise<void> = Promise.resolve();

  /** `kill`: kills the engine at once, and resolves when nothing is left of it. */
  constructor(stripeUrl: string, kill: () => Promise<void>) {
    this.#stripeUrl = stripeUrl;
    this.#kill = kill;
  }

  /** Listens until the test ends; gives back its address. */
  async open(t: Test): Promise<string> {
    const server = createServer((call, answer) => {
      this.#last = this.#last
        .then(() => this.#pass(call, answer))
        .catch(() => void call.socket.destroy()); // the caller is gone
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async #pass(call: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, socket } = call;
    const body = await buffer(call);
    if (socket.destroyed || this.#isDown) return void socket.destroy();
    const line = lineOf(method, url);
    const moment = this.#strikeAt(line);
    if (moment === 'before') return this.#strike();
    const said = await request(this.#stripeUrl + url, {
      method: method as Dispatcher.HttpMethod,
      headers: ownHeaders(headers),
      body: body.length === 0 ? null : body,
    });
    const text = await said.body.text();
    this.done.push(line);
    if (moment === 'done') return this.#strike();
    answer.writeHead(said.statusCode, { 'content-type': 'application/json' });
    await new Promise<void>((resolve) => answer.end(text, resolve));
    if (moment === 'answered') this.#strike();
  }

  #strikeAt(line: string): Strike['moment'] | undefined {
    return this.strikes[0]?.line === line ? this.strikes[0].moment : undefined;
  }

  /** What the engine still had to say is never heard. */
  #strike(): void {
    const strike = this.strikes.shift();
    if (strike !== undefined) this.kills.push(strike);
    this.#isDown = true;
    this.#kill().then(
      () => {
        this.#isDown = false;
      },
      () => undefined, // down for good: the test never gets what it waits for
    );
    for (const socket of this.#sockets) socket.destroy();
  }
}

function lineOf(method: string, url: string): string {
  const path = url.replace(/\?.*$/, '');
  return `${method} ${path.replace(/\/(seti|cus|pi)_\w+/, '/*')}`;
}

/** Without those of the connection. */
function ownHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const kept = ['authorization', 'content-type', 'idempotency-key', 'user-agent'];
  return Object.fromEntries(
    kept.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}
