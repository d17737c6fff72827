// How a good engineer sends webhooks from a job queue: each delivery a persisted job, a signed POST
// by a pool of connections, its result stored. With BullMQ, a worker; with PostgreSQL, claims of 64
// under SKIP LOCKED and one UPDATE for their results. In a process of its own.

import { fork } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Pool } from 'undici';
import type { PostgresAddress } from '../support/postgres.ts';
import { elapsedSeconds } from '../support/process-figures.ts';

const claimed = 64;
const addedAtOnce = 1_000;

export interface QueueStart {
  /** Where every job posts to. */
  readonly url: string;
  readonly jobs: number;
  /** Calls at once. */
  readonly concurrency: number;
}

interface QueueStores {
  /** A folder in which BullMQ is installed, and the port of its Redis. */
  readonly bullmq?: { readonly folder: string; readonly port: number };
  readonly postgres?: PostgresAddress;
}

export interface QueueFigures {
  readonly perSecond: number;
  /** Per second of processor time of the thread that makes the calls. */
  readonly perWorkerSecond: number;
}

interface Job {
  readonly id: string;
  readonly body: string;
}

interface Result {
  readonly status: number;
  readonly durationMs: number;
}

/** Stores the jobs first; the figures begin with the first call. */
export function runQueue(start: QueueStart & QueueStores): Promise<QueueFigures> {
  const child = fork(fileURLToPath(import.meta.url), ['--queue'], {
    execArgv: ['--import', 'tsx'],
  });
  child.send(start);
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => {
      child.disconnect();
      resolve(figures as QueueFigures);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the queue's worker ended with code ${code}`)));
  });
}

if (process.argv[2] === '--queue') {
  process.once('message', (start: QueueStart & QueueStores) => {
    const run = start.bullmq === undefined ? runPostgres(start) : runBullmq(start, start.bullmq);
    void run.then((figures) => process.send?.(figures));
  });
  process.once('disconnect', () => process.exit(0)); // the bench is gone, or has the figures
}

/** The payload that Engage sends for a delivered message has as many members. */
function jobOf(i: number): Job {
  const id = randomUUID();
  const body = JSON.stringify({
    id,
    type: 'message.delivered',
    subscriberId: randomUUID(),
    externalUserId: `user-${i}`,
    campaignId: 'cmp_0000000000000000000000000a',
    journeyId: null,
    messageId: 'msg_0000000000000000000000000b',
    sendId: randomUUID(),
    deviceId: randomUUID(),
    channel: 'fcm',
    at: new Date().toISOString(),
    seq: i,
    meta: { attempts: 1 },
  });
  return { id, body };
}

/** A signature as Standard Webhooks says. Throws for an answer other than 2xx. */
function poster({ url, concurrency }: QueueStart): (job: Job) => Promise<Result> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency });
  return async ({ id, body }) => {
    const startMs = performance.now();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const hmac = createHmac('sha256', 'whsec_bench').update(`${id}.${timestamp}.${body}`);
    const { statusCode, body: answer } = await pool.request({
      method: 'POST',
      path: pathname,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${hmac.digest('base64')}`,
      },
      body,
    });
    await answer.dump();
    if (statusCode >= 300) throw new Error(`answered ${statusCode}`);
    return { status: statusCode, durationMs: Math.round(performance.now() - startMs) };
  };
}

/** Measures `work`, which ends with the last job's result stored. */
async function measured(jobs: number, work: () => Promise<void>): Promise<QueueFigures> {
  const ownSeconds = () => elapsedSeconds(`/proc/self/task/${process.pid}/stat`);
  const [startMs, before] = [performance.now(), ownSeconds()];
  await work();
  return {
    perSecond: (jobs / (performance.now() - startMs)) * 1000,
    perWorkerSecond: jobs / (ownSeconds() - before),
  };
}

/** As much of BullMQ's types as is used; the package is not a dependency. */
interface Bullmq {
  readonly Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk(jobs: readonly { name: string; data: Job; opts: object }[]): Promise<unknown>;
    getJobCounts(...states: string[]): Promise<Record<string, number>>;
    close(): Promise<void>;
  };
  readonly Worker: new (
    name: string,
    work: (job: { readonly data: Job }) => Promise<Result>,
    options: object,
  ) => { on(event: string, heard: () => void): unknown; run(): Promise<void>; close(): unknown };
}

async function runBullmq(
  start: QueueStart,
  { folder, port }: NonNullable<QueueStores['bullmq']>,
): Promise<QueueFigures> {
  const { Queue, Worker } = createRequire(join(folder, 'package.json'))('bullmq') as Bullmq;
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('webhooks', { connection });
  const opts = { attempts: 6, backoff: { type: 'exponential', delay: 30_000 } };
  for (let from = 0; from < start.jobs; from += addedAtOnce) {
    const count = Math.min(addedAtOnce, start.jobs - from);
    const some = Array.from({ length: count }, (_, i) => ({
      name: 'deliver',
      data: jobOf(from + i),
      opts,
    }));
    await queue.addBulk(some);
  }
  const options = { connection, concurrency: start.concurrency, autorun: false };
  const post = poster(start);
  const worker = new Worker('webhooks', ({ data }) => post(data), options);
  const figures = await measured(
    start.jobs,
    () =>
      new Promise((resolve) => {
        let done = 0;
        worker.on('completed', () => {
          if (++done === start.jobs) resolve();
        });
        void worker.run();
      }),
  );
  const { completed } = await queue.getJobCounts('completed');
  if (completed !== start.jobs) throw new Error(`${completed} of ${start.jobs} jobs completed`);
  return figures;
}

const table = `
  create table jobs (
    id uuid primary key,
    body text not null,
    state text not null default 'pending',
    attempts int not null default 0,
    due_at timestamptz not null default now(),
    status int,
    duration_ms int,
    ended_at timestamptz
  );
  create index on jobs (due_at) where state = 'pending'`;

const claim = {
  name: 'claim',
  text: `update jobs set due_at = now() + interval '1 minute', attempts = attempts + 1
    where id in (select id from jobs where state = 'pending' and due_at <= now()
      order by due_at limit ${claimed} for update skip locked)
    returning id, body`,
};
const settle = `update jobs set state = 'delivered', status = done.status,
    duration_ms = done.duration_ms, ended_at = now()
  from unnest($1::uuid[], $2::int[], $3::int[]) as done (id, status, duration_ms)
  where jobs.id = done.id`;

async function runPostgres({
  postgres,
  ...start
}: QueueStart & QueueStores): Promise<QueueFigures> {
  const lanes = Math.max(1, Math.round(start.concurrency / claimed));
  const pool = new pg.Pool({ ...postgres, max: lanes });
  await pool.query(table);
  for (let from = 0; from < start.jobs; from += addedAtOnce) {
    const count = Math.min(addedAtOnce, start.jobs - from);
    const some = Array.from({ length: count }, (_, i) => jobOf(from + i));
    await pool.query('insert into jobs (id, body) select * from unnest($1::uuid[], $2::text[])', [
      some.map(({ id }) => id),
      some.map(({ body }) => body),
    ]);
  }
  await pool.query('analyze jobs');
  const post = poster(start);
  const lane = async () => {
    for (;;) {
      const { rows } = await pool.query<Job>(claim);
      if (rows.length === 0) return;
      const results = await Promise.all(rows.map(post));
      await pool.query({
        name: 'settle',
        text: settle,
        values: [
          rows.map(({ id }) => id),
          results.map(({ status }) => status),
          results.map(({ durationMs }) => durationMs),
        ],
      });
    }
  };
  const figures = await measured(start.jobs, async () => {
    await Promise.all(Array.from({ length: lanes }, lane));
  });
  const { rows } = await pool.query(
    `select count(*)::int as done from jobs where state = 'delivered'`,
  );
  if (rows[0]?.done !== start.jobs) throw new Error(`${rows[0]?.done} jobs were delivered`);
  return figures;
}
