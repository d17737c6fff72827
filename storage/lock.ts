// Locks a data directory for one process, by kernel locks that end with their holder: flock(2)
// through a child on our descriptor, since Node cannot call it, else an abstract unix socket. The
// file `lock` only names the holder.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';

interface DataLock {
  readonly by: 'flock' | 'socket';
  /** The end of the process releases it, too. */
  release(): Promise<void>;
}

interface DataLockOptions {
  /** The flock(1) program, for tests. */
  readonly flockCommand?: string;
}

/**
 * Locks a data directory, created if missing, or throws one sentence naming the holder. Once per
 * process, before opening anything in it; threads share the lock.
 */
export async function lockDataDirectory(
  dataDir: string,
  options: DataLockOptions = {},
): Promise<DataLock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'lock');
  const file = openSync(path, 'a+', 0o600);
  const commands = options.flockCommand === undefined ? flockCommands : [options.flockCommand];
  const flock = tryFlock(file, commands);
  if (flock === 'held') {
    closeSync(file);
    throw heldBy(dataDir, path);
  }
  if (flock === 'taken') {
    writeHolder(file);
    return { by: 'flock', release: async () => closeSync(file) };
  }
  const server = await listen(socketName(dataDir)).catch((error: NodeJS.ErrnoException) => {
    const holder = heldBy(dataDir, path);
    closeSync(file);
    if (error.code === 'EADDRINUSE') throw holder;
    throw new Error(`${dataDir} cannot be locked: install flock (util-linux).`, { cause: error });
  });
  writeHolder(file);
  const release = () =>
    new Promise<void>((resolve) => {
      closeSync(file);
      server.close(() => resolve());
    });
  return { by: 'socket', release };
}

/**
 * The same lock for each process of a directory, also for one whose PATH is empty: locks of two
 * kinds do not see each other.
 */
const flockCommands = ['flock', '/usr/bin/flock', '/bin/flock'];

function tryFlock(file: number, commands: readonly string[]): 'taken' | 'held' | 'unknown' {
  const [command, ...others] = commands;
  if (command === undefined) return 'unknown';
  // The child's descriptor 3 is ours. The lock outlives the child, because the open file does.
  const child = spawnSync(command, ['-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file],
  });
  if (child.error !== undefined) return tryFlock(file, others);
  if (child.status === 0) return 'taken';
  // a file system without locks, or an unusual flock
  return child.status === 1 ? 'held' : 'unknown';
}

function socketName(dataDir: string): string {
  const real = realpathSync(dataDir);
  const { dev, ino } = statSync(real);
  return `\0engage-${createHash('sha256').update(`${real}|${dev}|${ino}`).digest('hex').slice(0, 32)}`;
}

function listen(name: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    // Exclusive, or cluster workers would share the primary's socket and a second would get in.
    server.listen({ path: name, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** On a full disk it stays as it was: it is only for people. */
function writeHolder(file: number): void {
  try {
    ftruncateSync(file);
    writeSync(file, `process ${process.pid} on ${hostname()}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function heldBy(dataDir: string, path: string): Error {
  const holder = readFileSync(path, 'utf8').trim() || 'another process';
  return new Error(`${dataDir} is in use by ${holder}: one process at a time may open it.`);
}
