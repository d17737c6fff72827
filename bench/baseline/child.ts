// Starts a baseline server in its own process and waits for its port; and the server side of that
// handshake. A server that stops answering is killed, not asked.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { PostgresAddress } from '../support/postgres.ts';

export interface BaselineStart {
  readonly postgres: PostgresAddress;
  /** API keys, each with its app. */
  readonly apps: Readonly<Record<string, number>>;
  /** Whether waiting requests share one statement. */
  readonly grouped: boolean;
  /** How many people to create (transactional only). */
  readonly people: number;
}

interface BaselineServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Runs the module at `entry` (a URL). Rejects with its reason if it ends before it listens. */
export function startBaseline(entry: URL, start: BaselineStart): Promise<BaselineServer> {
  const child = fork(fileURLToPath(entry), [], { execArgv: ['--import', 'tsx'] });
  child.send(start);
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ port: Number(port), stop: () => end(child) }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a baseline server ended with code ${code}`)));
  });
}

/** The server side: reads the start message, listens on loopback and sends the port. */
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
