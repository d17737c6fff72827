// One connection to PostgreSQL, one statement at a time. It tells three ends apart: done, failed
// with nothing done, and unknown.

import { Socket } from 'node:net';
import type pg from 'pg';
import type { Millis } from '../../engine/base/brand.ts';
import { failureOf, type PostgresFailure } from './failure.ts';
import { askFacts, type PostgresFacts, setSession } from './gate.ts';

/** Prepared once on each connection, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Row = readonly unknown[];

export type StatementOutcome =
  | { readonly state: 'done'; readonly rows: readonly Row[] }
  /** The server said so: nothing was done. */
  | { readonly state: 'failed'; readonly failure: PostgresFailure }
  /** It may have been done, or may be done later. */
  | { readonly state: 'unknown'; readonly reason: string };

/** For a new connection, TLS and the password included. */
const connectMs: Millis = 2_000;
/** For a server to close a connection that we leave. */
const endMs: Millis = 500;

export class PostgresSession {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  #warning: string | undefined;
  #isDead = false;
  /** When the statement under way began, by the monotonic clock; `undefined`: it is idle. */
  busySinceMs: Millis | undefined;
  /** Resolves once it is of no more use. */
  readonly ended: Promise<void>;

  private constructor(client: pg.Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.#isDead = true;
        resolve();
      };
      client.on('error', end);
      client.on('end', end);
      socket.on('close', end);
    });
    client.on('notice', ({ message }) => {
      this.#warning = `PostgreSQL warned: ${message}`;
    });
  }

  /** Connects, sets the session and asks what the server is. Rejects with what `pg` says. */
  static async open(
    library: typeof pg,
    connectionString: string,
    name: string,
  ): Promise<{ readonly session: PostgresSession; readonly facts: PostgresFacts }> {
    const socket = new Socket();
    const client = new library.Client({
      connectionString,
      application_name: name,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      stream: () => socket,
    });
    const session = new PostgresSession(client, socket);
    // A server that takes the connection and then is silent.
    const patience = setTimeout(() => socket.destroy(), 2 * connectMs);
    try {
      await client.connect();
      await client.query(setSession);
      const { rows } = await client.query<PostgresFacts>(askFacts);
      const [facts] = rows;
      if (facts === undefined) throw new Error('no answer to what it is');
      return { session, facts };
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Of the server's process. */
  get pid(): number {
    return (this.#client as unknown as { readonly processID: number }).processID;
  }

  async run({ name, text }: Statement, values: readonly unknown[]): Promise<StatementOutcome> {
    this.#warning = undefined;
    this.busySinceMs = performance.now();
    try {
      const config = { name, text, values: [...values], rowMode: 'array' as const };
      const { rows } = await this.#client.query<unknown[]>(config);
      return this.#warning === undefined
        ? { state: 'done', rows }
        : { state: 'unknown', reason: this.#warning };
    } catch (error) {
      const failure = failureOf(error);
      return failure.code === undefined
        ? { state: 'unknown', reason: failure.reason }
        : { state: 'failed', failure };
    } finally {
      this.busySinceMs = undefined;
    }
  }

  /** Statements without values, one after the other; rejects with what `pg` says. */
  async plain<Found extends pg.QueryResultRow>(text: string): Promise<Found[]> {
    return (await this.#client.query<Found>(text)).rows;
  }

  onNotification(take: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }) => take(payload ?? ''));
  }

  /** At once, whatever is under way: the server may go on with it. */
  destroy(): void {
    this.#isDead = true;
    this.#socket.destroy();
  }

  async end(): Promise<void> {
    if (this.busySinceMs !== undefined || this.#isDead) {
      this.destroy();
      return;
    }
    const patience = setTimeout(() => this.destroy(), endMs);
    await this.#client.end().catch(() => {});
    clearTimeout(patience);
  }
}
