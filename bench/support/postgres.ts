// A PostgreSQL cluster for one bench, in a temporary directory. Commits are durable
// (synchronous_commit and fsync on), as in Engage; other settings favor speed. One sentence of
// refusal if PostgreSQL is not installed.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const packages = '/usr/lib/postgresql';
const startLimitMs = 20_000;

/** A unix socket's directory and port, without a password. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Not running until `start`. */
export interface PostgresCluster {
  readonly version: string;
  readonly address: PostgresAddress;
  start(): Promise<void>;
  /** A fast stop: committed data is on disk, and no background work remains. */
  stop(): Promise<void>;
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  remove(): Promise<void>;
}

/** A cluster of Debian's newest installed PostgreSQL. Throws a sentence if there is none. */
export function makePostgres(): PostgresCluster {
  const bin = binaries();
  const account = accountToRunAs();
  const path = mkdtempSync(join(tmpdir(), 'engage-bench-postgres-'));
  if (account !== undefined) chownSync(path, account.uid, account.gid);
  const dataDir = join(path, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', dataDir, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...account, cwd: path, encoding: 'utf8' },
  );
  if (made.status !== 0) {
    rmSync(path, { recursive: true, force: true });
    throw new Error(`initdb failed: ${made.stderr.trim()}`);
  }
  const address = { host: path, port: 5432, user: 'postgres', database: 'postgres' };
  let server: ChildProcess | undefined;
  let complaints = '';
  const forget = () => {
    server?.kill('SIGQUIT');
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', forget);

  const query: PostgresCluster['query'] = async (text) => {
    const client = new pg.Client(address);
    client.on('error', () => undefined); // a stopping server reports it on open connections
    await client.connect();
    try {
      const { rows } = (await client.query(text)) as { rows: Record<string, unknown>[] };
      return rows;
    } finally {
      await client.end();
    }
  };
  const stop = async () => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
    server = undefined;
  };
  return {
    version: spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim(),
    address,
    async start() {
      complaints = '';
      const child = spawn(join(bin, 'postgres'), ['-D', dataDir, ...settings(path)], {
        ...account,
        cwd: path,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      server = child;
      child.stderr.on('data', (chunk: Buffer) => {
        complaints = (complaints + chunk.toString()).slice(-2000);
      });
      await answering(child, query, () => complaints);
    },
    stop,
    query,
    async remove() {
      await stop();
      process.removeListener('exit', forget);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function answering(
  child: ChildProcess,
  query: PostgresCluster['query'],
  complaints: () => string,
): Promise<void> {
  for (const limitMs = performance.now() + startLimitMs; performance.now() < limitMs; ) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${complaints()}`);
    try {
      await query('select 1');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`PostgreSQL did not start: ${complaints()}`);
}

/** Tuned for throughput without giving up durability. */
function settings(socketDirectory: string): string[] {
  const sharedBuffers = totalmem() > 12 * 1024 ** 3 ? '2GB' : '512MB';
  const values = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    fsync: 'on',
    synchronous_commit: 'on',
    shared_buffers: sharedBuffers,
    wal_buffers: '64MB',
    max_wal_size: '8GB',
    checkpoint_timeout: '15min',
    max_connections: '64',
    log_min_messages: 'fatal',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function binaries(): string {
  const versions = existsSync(packages) ? readdirSync(packages) : [];
  const newest = versions
    .filter((version) => existsSync(join(packages, version, 'bin/initdb')))
    .sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined)
    throw new Error(
      'This bench compares with PostgreSQL, which is not installed: `apt-get install postgresql` on Debian or Ubuntu.',
    );
  return join(packages, newest, 'bin');
}

/** PostgreSQL refuses to run as root: then it uses its package's account. */
function accountToRunAs(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (line === null)
    throw new Error(
      'PostgreSQL does not run as root and there is no account `postgres`: run this bench as an ordinary user.',
    );
  return { uid: Number(line[1]), gid: Number(line[2]) };
}
