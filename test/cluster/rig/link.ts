// A TCP connection that tests can break: a listener on loopback that forwards to a port, and
// cuts, holds or delays by caller and direction.

import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { Flow } from './link-flow.ts';

/** From the caller to the port behind the link, or from there to the caller. */
export type Direction = 'forth' | 'back';

/** What a rule says of some bytes: `hold` holds them and everything behind them. */
type Verdict = 'pass' | 'hold' | 'cut';

interface LinkOptions {
  /** The port behind it, asked at each connection. */
  readonly to: () => number;
  /** Names who connects, by the port it connects from. Without it every caller is ''. */
  readonly callerOf?: (port: number, link: number) => string;
}

interface Pair {
  readonly caller: Socket;
  readonly target: Socket;
  readonly flows: Readonly<Record<Direction, Flow>>;
}

/** The connections of one caller through a link, and what is done to them. */
export class Way {
  readonly #pairs = new Set<Pair>();
  readonly #held: Record<Direction, boolean> = { forth: false, back: false };
  #delayMs = 0;
  #isCut = false;
  /** Looks at all bytes that pass. */
  rule: ((bytes: Buffer, direction: Direction) => Verdict) | undefined;

  get connections(): number {
    return this.#pairs.size;
  }

  /** Resets what is connected, and whoever connects until `heal`. */
  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) reset(pair);
  }

  /**
   * Lets nothing through, without an error at either end: bytes wait, as those of a broken network
   * do that TCP sends again. One direction alone may be held.
   */
  hold(...directions: Direction[]): void {
    for (const one of directions.length === 0 ? (['forth', 'back'] as const) : directions)
      this.#held[one] = true;
  }

  /** Bytes in both directions take so much longer. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Everything passes again, first what was held. */
  heal(): void {
    this.#isCut = false;
    this.#delayMs = 0;
    this.rule = undefined;
    this.#held.forth = this.#held.back = false;
    for (const { flows } of this.#pairs) for (const flow of Object.values(flows)) flow.pump();
  }

  join(caller: Socket, port: number): void {
    if (this.#isCut) {
      caller.on('error', () => {});
      caller.resetAndDestroy();
      return;
    }
    const target = dial({ host: '127.0.0.1', port, allowHalfOpen: true });
    const way = (direction: Direction) => ({
      isHeld: () => this.#held[direction],
      delayMs: () => this.#delayMs,
      judge: (bytes: Buffer) => this.#judge(bytes, direction),
    });
    const pair = {
      caller,
      target,
      flows: {
        forth: new Flow(caller, target, way('forth')),
        back: new Flow(target, caller, way('back')),
      },
    };
    this.#pairs.add(pair);
    for (const socket of [caller, target]) {
      socket.setNoDelay(true);
      // One end that breaks breaks the other, unless the link lets nobody hear of it.
      socket.on('error', () => reset(pair));
      socket.on('close', () => {
        if (caller.closed && target.closed) this.#pairs.delete(pair);
      });
    }
  }

  #judge(bytes: Buffer, direction: Direction): boolean {
    const verdict = this.rule?.(bytes, direction) ?? 'pass';
    if (verdict === 'hold') this.#held[direction] = true;
    if (verdict === 'cut') this.cut();
    return verdict === 'pass';
  }
}

function reset({ caller, target, flows }: Pair): void {
  for (const flow of Object.values(flows)) flow.end();
  for (const socket of [caller, target]) {
    // Node leaves the handle of a socket that is ending open where it cannot reset it.
    if (socket.writableEnded) socket.destroy();
    else if (!socket.destroyed) socket.resetAndDestroy();
  }
}

export class Link {
  readonly #server: Server;
  readonly #ways = new Map<string, Way>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open({ to, callerOf }: LinkOptions): Promise<Link> {
    const server = createServer({ allowHalfOpen: true });
    const link = new Link(server);
    server.on('connection', (socket) => {
      const name = callerOf?.(socket.remotePort ?? 0, link.port) ?? '';
      link.way(name).join(socket, to());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The way of one caller, also before it has connected. */
  way(caller = ''): Way {
    const known = this.#ways.get(caller) ?? new Way();
    this.#ways.set(caller, known);
    return known;
  }

  get ways(): readonly Way[] {
    return [...this.#ways.values()];
  }

  /** Resets all connections. */
  close(): Promise<void> {
    for (const way of this.ways) way.cut();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
