// A PostgreSQL in a temporary directory, from the installed binaries, for benches and tests.
// Commits are durable (synchronous_commit and fsync on), as in Engage; other settings favor speed.
// One sentence of refusal if PostgreSQL is not installed.

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

type Settings = Readonly<Record<string, string>>;

/** Not running until `start`. */
export interface PostgresCluster {
  readonly version: string;
  readonly address: PostgresAddress;
  /** Its directory; the data is in `data`. */
  readonly path: string;
  /** More settings stay for the next starts. */
  start(settings?: Settings): Promise<void>;
  /** A fast stop: committed data is on disk, and no background work remains. */
  stop(): Promise<void>;
  /** `kill -9` of the server; its other processes end as soon as they see it. */
  kill(): Promise<void>;
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** A copy of this one, which must be running, that follows it under this name. Not running. */
  standby(name: string): PostgresCluster;
  remove(): Promise<void>;
}

/** Why there can be no PostgreSQL here; `false` if there can. */
export function withoutPostgres(): string | false {
  try {
    binaries();
    accountToRunAs();
    return false;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A cluster of Debian's newest installed PostgreSQL. Throws a sentence if there is none. */
export function makePostgres(): PostgresCluster {
  return clusterAt(newDirectory(), [
    'initdb',
    ...['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
  ]);
}

function newDirectory(): string {
  const account = accountToRunAs();
  const path = mkdtempSync(join(tmpdir(), 'engage-postgres-'));
  if (account !== undefined) chownSync(path, account.uid, account.gid);
  return path;
}

/** Made by a command that takes the data directory by `-D`. */
function clusterAt(
  path: string,
  [command = '', ...parameters]: readonly string[],
): PostgresCluster {
  const bin = binaries();
  const account = accountToRunAs();
  const dataDir = join(path, 'data');
  const made = spawnSync(join(bin, command), ['-D', dataDir, ...parameters], {
    ...account,
    cwd: path,
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    rmSync(path, { recursive: true, force: true });
    throw new Error(`${command} failed: ${made.stderr.trim()}`);
  }
  return new Cluster({ bin, account, path, dataDir });
}

interface Place {
  readonly bin: string;
  readonly account: ReturnType<typeof accountToRunAs>;
  readonly path: string;
  readonly dataDir: string;
}

class Cluster implements PostgresCluster {
  readonly #place: Place;
  readonly address: PostgresAddress;
  #settings: Settings = {};
  #server: ChildProcess | undefined;
  #complaints = '';
  readonly #forget = () => {
    this.#server?.kill('SIGQUIT');
    rmSync(this.path, { recursive: true, force: true });
  };

  constructor(place: Place) {
    this.#place = place;
    this.address = { host: place.path, port: 5432, user: 'postgres', database: 'postgres' };
    process.once('exit', this.#forget);
  }

  get path(): string {
    return this.#place.path;
  }

  get version(): string {
    const command = join(this.#place.bin, 'postgres');
    return spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout.trim();
  }

  async start(more: Settings = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...more };
    const limitMs = performance.now() + startLimitMs;
    while (!(await this.#answers(this.#spawn(), limitMs)))
      // Processes of a server that was killed may still be ending.
      if (!/shared memory|lock file/.test(this.#complaints) || performance.now() > limitMs)
        throw new Error(`PostgreSQL did not start: ${this.#complaints}`);
      else await soon();
  }

  stop(): Promise<void> {
    return this.#end('SIGINT');
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client(this.address);
    client.on('error', () => undefined); // a stopping server reports it on open connections
    await client.connect();
    try {
      const { rows } = (await client.query(text)) as { rows: Record<string, unknown>[] };
      return rows;
    } finally {
      await client.end();
    }
  }

  standby(name: string): PostgresCluster {
    const { host, user } = this.address;
    const from = `host=${host} user=${user} application_name=${name}`;
    return clusterAt(newDirectory(), [
      'pg_basebackup',
      ...['-d', from, '-R', '--checkpoint=fast', '--no-sync'],
    ]);
  }

  async remove(): Promise<void> {
    await this.stop();
    process.removeListener('exit', this.#forget);
    rmSync(this.path, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    this.#complaints = '';
    const { bin, account, path, dataDir } = this.#place;
    const settings = { ...tuned(path), ...this.#settings };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(bin, 'postgres'), ['-D', dataDir, ...given], {
      ...account,
      cwd: path,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#server = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#complaints = (this.#complaints + chunk.toString()).slice(-2000);
    });
    return child;
  }

  /** False if it ended instead. */
  async #answers(child: ChildProcess, limitMs: number): Promise<boolean> {
    while (performance.now() < limitMs) {
      if (child.exitCode !== null) return false;
      try {
        await this.query('select 1');
        return true;
      } catch {
        await soon();
      }
    }
    return false;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
    this.#server = undefined;
  }
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

/** Tuned for throughput without giving up durability. */
function tuned(socketDirectory: string): Settings {
  return {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    fsync: 'on',
    synchronous_commit: 'on',
    shared_buffers: totalmem() > 12 * 1024 ** 3 ? '2GB' : '512MB',
    wal_buffers: '64MB',
    max_wal_size: '8GB',
    checkpoint_timeout: '15min',
    max_connections: '64',
    log_min_messages: 'fatal',
  };
}

function binaries(): string {
  const versions = existsSync(packages) ? readdirSync(packages) : [];
  const newest = versions
    .filter((version) => existsSync(join(packages, version, 'bin/initdb')))
    .sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined)
    throw new Error(
      'PostgreSQL is not installed: `apt-get install postgresql` on Debian or Ubuntu.',
    );
  return join(packages, newest, 'bin');
}

/** PostgreSQL refuses to run as root: then it uses its package's account. */
function accountToRunAs(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (line === null)
    throw new Error(
      'PostgreSQL does not run as root and there is no account `postgres`: run this as an ordinary user.',
    );
  return { uid: Number(line[1]), gid: Number(line[2]) };
}
