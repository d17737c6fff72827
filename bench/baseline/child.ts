// Starts a baseline server in a process of its own and waits for its port; and, in that process,
// the few lines that every baseline server begins and ends with. A server that answers nobody any
// more is killed, not asked.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { PostgresAddress } from '../support/postgres.ts';

/** The options of a baseline server. */
export interface BaselineStart {
  readonly postgres: PostgresAddress;
  /** API keys it takes, and the app each of them belongs to. */
  readonly apps: Readonly<Record<string, number>>;
  /** Whether requests that wait for a connection share one statement. */
  readonly grouped: boolean;
  /** How many people to make (transactional only). */
  readonly people: number;
}

/** A running baseline server. */
interface BaselineServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Runs the module at `entry` (a URL) as a server. Rejects with its reason when it ends before it
 * listens.
 */
export function startBaseline(entry: URL, start: BaselineStart): Promise<BaselineServer> {
  const child = fork(fileURLToPath(entry), [], { execArgv: ['--import', 'tsx'] });
  child.send(start);
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ port: Number(port), stop: () => end(child) }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a baseline server ended with code ${code}`)));
  });
}

/**
 * The server's side: reads its start message, makes the server, listens on loopback and tells the
 * port.
 */
export function serveBaseline(make: (start: BaselineStart) => Promise<FastifyInstance>): void {
  process.once('message', (start: BaselineStart) => {
    void make(start)
      .then((server) => server.listen({ host: '127.0.0.1', port: 0 }))
      .then((address) => process.send?.(Number(new URL(address).port)));
  });
  process.once('disconnect', () => process.exit(0)); // the bench is gone
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL'); // its state is PostgreSQL's
  });
}
