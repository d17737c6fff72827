// A Redis for one bench, on loopback, with its append-only file in a temporary directory. `always`
// syncs before each answer, as Engage does; `everysec` may lose a second.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const startLimitMs = 10_000;

interface Redis {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startRedis(program: string, fsync: 'always' | 'everysec'): Promise<Redis> {
  const path = mkdtempSync(join(tmpdir(), 'engage-bench-redis-'));
  const port = await freePort();
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: path,
    appendonly: 'yes',
    appendfsync: fsync,
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(program, words, { stdio: 'ignore' });
  const forget = () => {
    child.kill('SIGKILL');
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', forget);
  await answering(port, child);
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      process.removeListener('exit', forget);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  let problem: Error | undefined;
  child.once('error', (error) => {
    problem = error;
  });
  for (const limitMs = performance.now() + startLimitMs; performance.now() < limitMs; ) {
    if (problem !== undefined) throw new Error(`Redis does not start: ${problem.message}`);
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('Redis did not start in time');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
