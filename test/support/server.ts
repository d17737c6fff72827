// The product as a test meets it: `engage start` as a child process on ports and a directory of its
// own, and ways to call, kill and restart it. A child counts as ended when its output closes,
// because the engine and the sandbox hold it too; only then is the directory's lock free.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { request } from 'undici';
import { nodeArguments, root } from './places.ts';

const startLimitMs = 60_000;
const stopLimitMs = 40_000;
/** Between two looks at what is waited for: soon at first, then seldom, since a look costs both. */
const pollMs = { first: 15, most: 120, growth: 1.2 };

/** How to start a server. */
interface ServerOptions {
  /** Settings beside those that give it a place: `ENGAGE_MODE`, `ENGAGE_PER_IP_PER_MINUTE`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs before the first start, to put data into its place. */
  before?(dataDir: string): void;
  /** A program and its words, in place of the one from here: in an empty folder, without PATH. */
  readonly program?: readonly [path: string, ...words: string[]];
}

/** A server under test. It ends, and its directory goes, with the test. */
export interface RunningServer {
  /** Base address of the API. */
  readonly url: string;
  /** Base address of `/metrics`, `/healthz` and `/readyz`. */
  readonly metricsUrl: string;
  /**
   * Base address of the sandbox; control routes are below `/control`. Nobody is there in live mode.
   */
  readonly sandboxUrl: string;
  readonly dataDir: string;
  /** The operator's token, from the file that the first start made. */
  readonly bootstrapToken: string;
  /** The process that serves; its parent, the primary, would start another. */
  enginePid(): number;
  /** Signals every process of the server at once and waits until all have ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /**
   * Signals the primary alone and waits until all have ended: the others notice that it is gone.
   */
  killPrimary(signal: NodeJS.Signals): Promise<void>;
  /** Starts again what has ended, on the same ports and directory; resolves when it serves. */
  start(): Promise<void>;
  /** The same without waiting until it serves. */
  launch(): void;
  /** Resolves when calls are served; with a process id, when another process serves them. */
  ready(instead?: number): Promise<void>;
  /** Asks it to stop, as a supervisor would, and gives the primary's exit code. */
  stop(): Promise<number | null>;
  restart(): Promise<void>;
  /** Whether every process has ended. */
  ended(): boolean;
  /** What it has said so far on both outputs. */
  log(): string;
}

/** Starts a server that ends with the test; its log is shown when the test fails. */
export async function startServer(t: Test, options: ServerOptions = {}): Promise<RunningServer> {
  const { child, directory, server } = await placeFor(options);
  t.teardown(async () => {
    await child.signal('SIGKILL', true);
    rmSync(directory, { recursive: true, force: true });
    if (!t.passing()) process.stderr.write(`--- log of the server ---\n${child.log}---\n`);
  });
  options.before?.(join(directory, 'data'));
  await server.start();
  return server;
}

/** By the settings it was started with. */
const shared = new Map<string, Promise<RunningServer>>();

/**
 * The server that all test files of this process with the same settings share, since a start takes
 * longer than most tests. It ends with the process. A test may restart it.
 */
export async function sharedServer(
  t: Test,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const key = JSON.stringify(environment);
  const started = shared.get(key) ?? startShared(environment);
  shared.set(key, started);
  const server = await started;
  const saidBefore = server.log().length;
  t.teardown(() => {
    if (t.passing()) return;
    process.stderr.write(`--- log of the server ---\n${server.log().slice(saidBefore)}---\n`);
  });
  return server;
}

async function startShared(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  const { child, directory, server } = await placeFor({ environment, isShared: true });
  process.once('exit', () => {
    child.end();
    rmSync(directory, { recursive: true, force: true });
  });
  await server.start();
  return server;
}

interface Place {
  readonly child: ServerProcess;
  /** Goes with the server. */
  readonly directory: string;
  readonly server: RunningServer;
}

/** Ports, a directory and a process that is not started yet. */
async function placeFor(
  options: Omit<ServerOptions, 'before'> & { readonly isShared?: boolean },
): Promise<Place> {
  const [port, metricsPort, sandboxPort] = await freePorts(3);
  const directory = mkdtempSync(join(tmpdir(), 'engage-e2e-'));
  const dataDir = join(directory, 'data');
  // Read at each start: a test may change its settings in between.
  const child = new ServerProcess(
    () => ({
      // Live mode refuses to start with a contact on this machine.
      ENGAGE_VAPID_SUBJECT: 'mailto:ops@example.com',
      ...options.environment,
      ENGAGE_PORT: String(port),
      ENGAGE_METRICS_PORT: String(metricsPort),
      ENGAGE_SANDBOX_PORT: String(sandboxPort),
      ENGAGE_DATA_DIR: dataDir,
    }),
    options,
  );
  const server: RunningServer = {
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    dataDir,
    get bootstrapToken() {
      return readFileSync(join(dataDir, 'bootstrap-token'), 'utf8').trim();
    },
    enginePid: () => {
      const holder = readFileSync(join(dataDir, 'lock'), 'utf8');
      return Number(/^process (\d+) /.exec(holder)?.[1]);
    },
    async kill(name) {
      await child.signal(name, true);
      // A process that ends closes its output before its listener.
      await until(() => isFree(port), 'the port is still held', stopLimitMs);
    },
    killPrimary: (name) => child.signal(name, false),
    launch: () => child.launch(),
    async start() {
      child.launch();
      await server.ready();
    },
    ready: (instead) =>
      until(
        async () => {
          if (!child.isRunning) throw new Error(`the server ended\n${child.log}`);
          if (instead !== undefined && server.enginePid() === instead) return false;
          return isReady(server.metricsUrl);
        },
        () => `the server is not ready\n${child.log}`,
        startLimitMs,
      ),
    async stop() {
      await child.signal('SIGTERM', false);
      return child.code;
    },
    async restart() {
      await server.stop();
      await server.start();
    },
    ended: () => !child.isRunning,
    log: () => child.log,
  };

  return { child, directory, server };
}

/** The server's processes: the primary, and with it a group to be killed whole. */
class ServerProcess {
  /** The primary's, once it has ended. */
  code: number | null = null;
  readonly #environment: () => Readonly<Record<string, string>>;
  readonly #output: string[] = [];
  #primary: ChildProcess | undefined;
  #closed: Promise<void> = Promise.resolve();

  /** The test's process may end while a shared one runs. */
  readonly #isShared: boolean;
  readonly #program: ServerOptions['program'];

  constructor(
    environment: () => Readonly<Record<string, string>>,
    { isShared = false, program }: Pick<ServerOptions, 'program'> & { readonly isShared?: boolean },
  ) {
    this.#environment = environment;
    this.#isShared = isShared;
    this.#program = program;
  }

  get isRunning(): boolean {
    return this.#primary !== undefined;
  }

  get log(): string {
    return this.#output.join('');
  }

  launch(): void {
    if (this.#primary !== undefined) throw new Error('the server runs already');
    const started = this.#spawn({ ENGAGE_LOG_LEVEL: 'warn', ...this.#environment() });
    this.#primary = started;
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => this.#output.push(text));
    if (this.#isShared) {
      started.unref();
      for (const stream of [started.stdout, started.stderr]) (stream as Socket).unref();
    }
    this.#closed = new Promise((resolve) => {
      started.once('close', (exitCode) => {
        this.code = exitCode;
        this.#primary = undefined;
        resolve();
      });
    });
  }

  #spawn(settings: Readonly<Record<string, string>>) {
    if (this.#program !== undefined) {
      const [path, ...words] = this.#program;
      return spawn(path, [...words, 'start'], {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: dirname(settings['ENGAGE_DATA_DIR'] ?? ''),
        env: { ...settings, PATH: '' },
      });
    }
    return spawn(process.execPath, [...nodeArguments('cli/main.ts'), 'start'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: root,
      env: { ...withoutSettings(process.env), ...settings },
    });
  }

  /** Kills every process at once, without waiting. */
  end(): void {
    const pid = this.#primary?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // ESRCH: it ended by itself
    }
  }

  /** Signals the primary, or the whole group, and waits until all have ended. */
  async signal(name: NodeJS.Signals, whole: boolean): Promise<void> {
    const pid = this.#primary?.pid;
    if (pid === undefined) return;
    try {
      process.kill(whole ? -pid : pid, name);
    } catch {
      // ESRCH: it ended by itself, which `closed` tells as well
    }
    const words = () => `the server did not end on ${name}\n${this.log}`;
    await within(this.#closed, stopLimitMs, words);
  }
}

/** An answer with its body as text and, where it is JSON, as a value to pick apart. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Unchecked: a test reads what it then asserts. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** Calls with one key. */
export interface Client {
  /**
   * `line` is method and path, `GET /v1/org`; an object as body goes as JSON. Never throws for a
   * status.
   */
  call(
    line: string,
    body?: string | Uint8Array | object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** The same, and throws for any status but a 2xx: for what a test needs and does not examine. */
  must(line: string, body?: object): Promise<Reply['json']>;
}

/** A client of the server at `url`; an empty key sends none. `headers` go with every call. */
export function client(
  url: string,
  key = '',
  headers: Readonly<Record<string, string>> = {},
): Client {
  const call: Client['call'] = async (line, body, more = {}) => {
    const space = line.indexOf(' ');
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await request(url + line.slice(space + 1), {
      method: line.slice(0, space) as 'GET',
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...more,
      },
      body: body === undefined ? null : raw ? body : JSON.stringify(body),
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return {
    call,
    async must(line, body) {
      const { status, text, json } = await call(line, body);
      if (status >= 300) throw new Error(`${line}: ${status} ${text}`);
      return json;
    },
  };
}

/** An org of a test with its first key, which has every scope. */
export interface TestOrg {
  readonly id: string;
  readonly key: string;
  readonly client: Client;
}

/**
 * Makes an org; `limits` as the operator sets them, and none of the lanes limits it unless they say
 * so.
 */
export async function makeOrg(
  server: RunningServer,
  name: string,
  limits: object = { rateLimits: { transactional: null, standard: null } },
): Promise<TestOrg> {
  const operator = client(server.url, server.bootstrapToken);
  const { org, apiKey } = await operator.must('POST /v1/orgs', { name });
  await operator.must(`PATCH /v1/orgs/${org.id}`, limits);
  return { id: org.id, key: apiKey.key, client: client(server.url, apiKey.key) };
}

/** Asks again until it holds; throws `what` when it never does. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string),
  limitMs = 20_000,
): Promise<void> {
  const endMs = performance.now() + limitMs;
  let waitMs = pollMs.first;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(typeof what === 'string' ? what : what());
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(waitMs * pollMs.growth, pollMs.most);
  }
}

/** The first value that is not `undefined`; throws `what` when there never is one. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  what: string | (() => string),
  limitMs = 20_000,
): Promise<T> {
  let found: T | undefined;
  await until(async () => (found = await look()) !== undefined, what, limitMs);
  return found as T;
}

/**
 * Ports on which nobody listens, below the range from which a kernel takes the ports of outgoing
 * connections: one of those could not take it between two starts of a server.
 */
export async function freePorts<const N extends number>(count: N): Promise<PortList<N>> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = 10_240 + Math.floor(Math.random() * 20_000);
    if (!ports.includes(port) && (await isFree(port))) ports.push(port);
  }
  return ports as unknown as PortList<N>;
}

type PortList<N extends number> = N extends 1
  ? readonly [number]
  : N extends 2
    ? readonly [number, number]
    : readonly [number, number, number];

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** The server refuses settings that it does not know, so those of tests must not reach it. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) =>
      !/^(ENGAGE|ENGINE|TAP|NODE_CHANNEL|NODE_UNIQUE)_/.test(name) && name !== 'NODE_OPTIONS',
  );
  return Object.fromEntries(kept);
}

async function isReady(metricsUrl: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${metricsUrl}/readyz`, { reset: true });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false; // nobody listens yet
  }
}

async function within(work: Promise<void>, limitMs: number, what: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(what())), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
