// A load generator in its own process: keep-alive raw sockets, one request in flight on each,
// time-bounded, loopback only. autocannon would be the bottleneck at these rates.

import { fork } from 'node:child_process';
import net from 'node:net';
import { fileURLToPath } from 'node:url';

/** Bodies rotate; marks in them are overwritten, so that no id repeats. */
export interface LoadPlan {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly warmupSeconds: number;
  /** Also ends after this many requests; for filling. */
  readonly requestsMax?: number;
  /** A connection's pause after each answer; for probes. */
  readonly pauseMs?: number;
  /** Each occurrence (16 characters) becomes a hexadecimal number, unique in the run. */
  readonly unique?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The generator's CPU seconds per second of load. */
  readonly cpu: number;
}

/** Throws unless every answer had `status`: refusals must not count. */
export function mustAnswer({ requests, statuses }: LoadResult, status: number): void {
  if (requests === 0) throw new Error('the server answered nothing in all that time');
  if (statuses[status] !== requests)
    throw new Error(`the server answered ${JSON.stringify(statuses)}, expected only ${status}`);
}

export function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.url), ['--load'], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  return new Promise((resolve, reject) => {
    child.once('message', (result) => {
      resolve(result as LoadResult);
      child.kill();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the load generator ended with code ${code}`)));
    child.send(plan);
  });
}

const contentLength = /content-length: (\d+)/i;

interface Prepared {
  readonly bytes: Buffer;
  readonly marks: readonly number[];
}

interface Running {
  readonly prepared: readonly Prepared[];
  readonly startMs: number;
  readonly endMs: number;
  /** Of answered requests within the measured time. */
  readonly latencies: number[];
  readonly statuses: Record<string, number>;
  next: number;
  counter: number;
  sent: number;
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const startMs = performance.now() + plan.warmupSeconds * 1000;
  const running: Running = {
    prepared: plan.bodies.map((body) => prepare(plan, body)),
    startMs,
    endMs: startMs + plan.seconds * 1000,
    latencies: [],
    statuses: {},
    next: 0,
    counter: Math.floor(Math.random() * 2 ** 40),
    sent: 0,
  };
  const { latencies, statuses } = running;
  let cpuStart = process.cpuUsage();
  setTimeout(() => {
    cpuStart = process.cpuUsage();
  }, plan.warmupSeconds * 1000);

  // A hanging server must not hang the bench: this process ends, and `load` rejects.
  setTimeout(() => process.exit(1), (plan.warmupSeconds + plan.seconds + 15) * 1000).unref();
  await Promise.all(Array.from({ length: plan.connections }, () => connection(plan, running)));
  const used = process.cpuUsage(cpuStart);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    requests: latencies.length,
    perSecond: latencies.length / plan.seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: latencies.at(-1) ?? 0,
    statuses,
    cpu: (used.user + used.system) / 1e6 / plan.seconds,
  };
}

/** Sends requests one after another on its own connection until the time is over. */
function connection(plan: LoadPlan, run: Running): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let sentMs = 0;
    let received = '';
    // Into our own buffer, past the stream: a third cheaper to read.
    const onread = {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback: (count: number, buffer: Uint8Array) => {
        take((buffer as Buffer).toString('latin1', 0, count));
        return true;
      },
    };
    const socket = net.connect({ port: plan.port, host: '127.0.0.1', noDelay: true, onread });
    const send = () => {
      sentMs = performance.now();
      if (sentMs >= run.endMs || run.sent >= (plan.requestsMax ?? Number.POSITIVE_INFINITY)) {
        socket.destroy();
        resolve();
        return;
      }
      run.sent++;
      const { bytes, marks } = run.prepared[run.next++ % run.prepared.length] as Prepared;
      for (const at of marks) {
        run.counter++;
        bytes.write(run.counter.toString(16).padStart(16, '0'), at, 16, 'latin1');
      }
      socket.write(marks.length > 0 ? Buffer.from(bytes) : bytes);
    };
    const take = (text: string) => {
      received = received === '' ? text : received + text;
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = contentLength.exec(received);
      if (received.length < head + 4 + Number(length?.[1] ?? 0)) return;
      const nowMs = performance.now();
      if (nowMs >= run.startMs && nowMs < run.endMs) {
        run.latencies.push(nowMs - sentMs);
        const status = received.slice(9, 12);
        run.statuses[status] = (run.statuses[status] ?? 0) + 1;
      }
      received = '';
      if (plan.pauseMs === undefined) send();
      else setTimeout(send, plan.pauseMs);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
  });
}

function prepare(plan: LoadPlan, body: string): Prepared {
  const headers = Object.entries({
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...plan.headers,
  });
  const head = `${plan.method} ${plan.path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const bytes = Buffer.from(head + body);
  const marks: number[] = [];
  if (plan.unique !== undefined) {
    for (let at = bytes.indexOf(plan.unique); at >= 0; at = bytes.indexOf(plan.unique, at + 16))
      marks.push(at);
  }
  return { bytes, marks };
}

if (process.argv[2] === '--load') {
  process.once('message', (plan) => {
    run(plan as LoadPlan).then(
      (result) => process.send?.(result),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
