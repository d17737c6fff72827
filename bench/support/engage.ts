// A whole server for benches: the built program in live mode on free ports, with its own data
// directory and one org without limits. Build first (`npm run build`).

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import {
  childrenOf,
  elapsedSeconds,
  isRunning,
  megabytesOf,
  memoryOf,
  type ProcessMemory,
} from './process-figures.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface BenchServer {
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  readonly sandboxUrl: string | undefined;
  call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** An org without limits: its key and `count` apps. */
  tenant(count?: number): Promise<{ readonly key: string; readonly apps: readonly string[] }>;
  /** CPU seconds of the engine process so far, from /proc. */
  cpuSeconds(): number;
  /** The same per thread, by thread id; ended threads are missing. */
  threadSeconds(): ReadonlyMap<string, number>;
  residentMb(): number;
  /** The engine process alone, by origin of its pages. */
  memory(): ProcessMemory;
  /** Like `residentMb`, but shared pages count once: the kernel's proportional set size. */
  proportionalMb(): number;
  /** The sum of a metric over its labels. */
  metric(name: string): Promise<number>;
  /** Sends a message to an actor as the system. Requires `isAsked`. */
  ask(to: number, message: object): Promise<unknown>;
  /** Ends all processes at once, like a power cut. The data stays in a caller's directory. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface EngageOptions {
  /** An existing directory, which stays when the server ends. */
  readonly dataDir?: string;
  /** The engine without its primary, so that `ask` reaches its actors. */
  readonly isAsked?: boolean;
}

/** `environment` overrides the defaults. */
export async function engage(
  environment: Readonly<Record<string, string>> = {},
  options: EngageOptions = {},
): Promise<BenchServer> {
  if (!existsSync(join(root, 'dist/cli/main.js'))) throw new Error('build first: npm run build');
  const { isAsked = false } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const forgetData = () => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const [port, metricsPort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const child = spawnServer(isAsked, {
    ENGAGE_PORT: String(port),
    ENGAGE_METRICS_PORT: String(metricsPort),
    ENGAGE_SANDBOX_PORT: String(sandboxPort),
    ENGAGE_DATA_DIR: dataDir,
    ...environment,
  });
  let said = ''; // output so far; shown only on failure
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  // A bench that fails leaves no server and no data behind.
  const forget = () => {
    if (child.exitCode === null && child.pid !== undefined)
      for (const pid of [child.pid, ...childrenOf(child.pid)]) process.kill(pid, 'SIGKILL');
    forgetData();
  };
  process.once('exit', forget);
  let stopping = false;
  child.once('exit', (code) => {
    if (!stopping || (code !== 0 && code !== null))
      console.error(`the server ended with code ${code}\n${said}`);
  });
  await ready(metricsPort, child);
  const token = () => readFileSync(join(dataDir, 'bootstrap-token'), 'utf8').trim();
  const call: BenchServer['call'] = (...request) => callServer(port, ...request);
  const engine = engineOf(child.pid as number);
  const clean = () => {
    process.removeListener('exit', forget);
    forgetData();
  };
  const ending = () => {
    stopping = true;
    return new Promise((resolve) => child.once('exit', resolve));
  };
  return {
    port,
    dataDir,
    pid: engine,
    sandboxUrl:
      environment['ENGAGE_MODE'] === 'sandbox' ? `http://127.0.0.1:${sandboxPort}` : undefined,
    call,
    tenant: (count = 1) => makeTenant(call, token(), count),
    ...figuresOf(child.pid as number, engine),
    metric: (name) => sumOfMetric(metricsPort, name),
    ask: (to, message) => askChild(child, to, message),
    async kill() {
      const ended = ending();
      await killAll([child.pid as number, ...childrenOf(child.pid as number)], ended);
      clean();
    },
    async stop() {
      const ended = ending();
      child.kill('SIGTERM');
      await ended;
      clean();
    },
  };
}

/** Kills the primary first, or it would start another engine. */
async function killAll(pids: readonly number[], ended: Promise<unknown>): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await ended;
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** In sandbox mode the primary has two children; the sandbox is the older one. */
function engineOf(primary: number): number {
  const isEngine = (pid: number) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine-process');
  return childrenOf(primary).find(isEngine) ?? primary;
}

function figuresOf(
  primary: number,
  engine: number,
): Pick<BenchServer, 'cpuSeconds' | 'threadSeconds' | 'residentMb' | 'proportionalMb' | 'memory'> {
  return {
    cpuSeconds: () => elapsedSeconds(`/proc/${engine}/stat`),
    threadSeconds() {
      const threads = readdirSync(`/proc/${engine}/task`);
      return new Map(threads.map((id) => [id, elapsedSeconds(`/proc/${engine}/task/${id}/stat`)]));
    },
    residentMb: () => megabytesOf(primary, 'status', /VmRSS:\s+(\d+)/),
    proportionalMb: () => megabytesOf(primary, 'smaps_rollup', /Pss:\s+(\d+)/),
    memory: () => memoryOf(engine),
  };
}

/** The command, or with `isAsked` the engine alone; errors come on stderr. */
function spawnServer(
  isAsked: boolean,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const nodeArguments = process.env['BENCH_NODE_ARGS'];
  return spawn(
    process.execPath,
    [
      ...(nodeArguments?.split(' ') ?? []),
      ...(isAsked
        ? [fileURLToPath(new URL('./asked-engine.mjs', import.meta.url))]
        : [join(root, 'dist/cli/main.js'), 'start']),
    ],
    {
      cwd: root,
      // Shows what Node prints for arguments such as `--trace-gc`.
      stdio: [
        'ignore',
        nodeArguments === undefined ? 'ignore' : 'inherit',
        'pipe',
        ...(isAsked ? (['ipc'] as const) : []),
      ],
      env: {
        ...process.env,
        ENGAGE_MODE: 'live',
        ENGAGE_VAPID_SUBJECT: 'mailto:bench@example.com',
        ENGAGE_PER_IP_PER_MINUTE: '0',
        ENGAGE_LOG_LEVEL: 'error',
        ...(isAsked ? { UV_THREADPOOL_SIZE: '24' } : {}), // like the primary
        ...environment,
      },
    },
  );
}

async function callServer(
  port: number,
  ...[method, path, body, key]: Parameters<BenchServer['call']>
): ReturnType<BenchServer['call']> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function makeTenant(
  call: BenchServer['call'],
  token: string,
  count: number,
): ReturnType<BenchServer['tenant']> {
  const made = await call('POST', '/v1/orgs', { name: 'bench' }, token);
  const { org, apiKey } = made.body as { org: { id: string }; apiKey: { key: string } };
  const limits = {
    dailySendCap: null,
    emailAllowance: null,
    rateLimits: { transactional: null, standard: null },
  };
  await call('PATCH', `/v1/orgs/${org.id}`, limits, token);
  const apps: string[] = [];
  for (let i = 0; i < count; i++) {
    const app = await call('POST', '/v1/apps', { name: `app ${i}`, timezone: 'UTC' }, apiKey.key);
    const { id } = app.body as { id: string };
    // Without an address to send from, every email would end before its attempt.
    const settings = { email: { fromAddress: 'bench@example.com' } };
    await call('PATCH', `/v1/apps/${id}/settings`, settings, apiKey.key);
    apps.push(id);
  }
  return { key: apiKey.key, apps };
}

async function sumOfMetric(port: number, name: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

async function ready(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    try {
      if ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok) return;
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the server did not become ready');
}

let asked = 0;

function askChild(child: ChildProcess, to: number, message: object): Promise<unknown> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const take = (answer: { id: number; value?: unknown; problem?: string }) => {
      if (answer.id !== id) return;
      child.off('message', take);
      if (answer.problem === undefined) resolve(answer.value);
      else reject(new Error(answer.problem));
    };
    child.on('message', take);
    child.send({ id, to, message }, (error) => error !== null && reject(error));
  });
}
