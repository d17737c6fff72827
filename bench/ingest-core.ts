// What one shard thread can take in: `POST /e` bodies decided, folded and made durable on a real LMDB partition, no
// HTTP and no thread crossing. Prints events a second and where the time goes; the ratio is to JSON.parse alone.
// Run: npx tsx bench/ingest-core.ts

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Product } from '../actors/machine.ts';
import { textSealer } from '../actors/sealer.ts';
import type { Message } from '../engine/actor/message.ts';
import { Partition } from '../engine/actor/partition.ts';
import { newHashKey } from '../engine/base/hash.ts';
import { systemRng } from '../engine/base/rng.ts';
import { systemClock } from '../engine/time/clock.ts';
import { Documents } from '../storage/documents.ts';
import { openPartition } from '../storage/environment.ts';
import { createSealer } from '../storage/sealed.ts';
import { eventBodies } from './support/events.ts';

const people = 100_000;
const perBody = Number(process.argv[2] ?? 1000);
const bodies = Math.round(Number(process.argv[3] ?? 1_000_000) / perBody);
const concurrency = Number(process.argv[4] ?? 32);

const dataDir = mkdtempSync(join(tmpdir(), 'engage-bench-'));
try {
  await run();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const store = openPartition({
    dataDir,
    partition: 0,
    partitions: 1,
    nowMs: Date.now(),
    onFatal: fail,
  });
  const product = new Product({
    sealer: textSealer(createSealer([new Uint8Array(32).fill(1)])),
    allowHttpEndpoints: true,
    tableKey: newHashKey(systemRng()),
    plan: {
      partition: 0,
      dispatchers: 1,
      available: new Set(),
      credentialsRequired: false,
      unsubscribeUrl: () => '',
    },
  });
  const partition = new Partition({
    index: 0,
    store,
    documents: new Documents(store),
    machine: product,
    clock: systemClock,
    rng: systemRng(),
    scheduler: { soon: (task) => void setImmediate(task), wakeAt: () => undefined },
    emit: () => undefined,
    onFatal: fail,
  });
  partition.start();
  const ask = (to: number, message: object, bytes?: Uint8Array) =>
    new Promise<unknown>((resolve, reject) =>
      partition.deliver({
        to,
        lane: 'bulk',
        deadlineMs: Number.POSITIVE_INFINITY,
        message: { by: -1, ...message } as unknown as Message,
        bytes,
        answer: (answer) =>
          answer.ok ? resolve(answer.value) : reject(new Error(answer.fault.message)),
      }),
    );
  const key = {
    id: 'key_00000000000000000000000000',
    keyId: '000000000000',
    secretHash: new Uint8Array(32),
  };
  const made = (await ask(1, {
    kind: 'org.create',
    orgId: 'org_00000000000000000000000000',
    name: 'bench',
    parentOrgId: null,
    key,
  })) as { org: { ordinal: number } };
  const app = (await ask(made.org.ordinal, {
    kind: 'app.create',
    name: 'bench',
    timezone: 'UTC',
    vapid: { publicKey: 'p', privateKey: 'p' },
  })) as { id: string; ordinal: number };

  const load = async (seed: number, label: string) => {
    const all = eventBodies({
      appId: app.id,
      count: bodies,
      perBody,
      people,
      nowMs: Date.now(),
      seed,
    });
    const cpu = process.cpuUsage();
    const startedMs = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (next < all.length) {
          const body = all[next++] as Buffer;
          await ask(app.ordinal, { kind: 'events.ingest', keyless: false }, body);
        }
      }),
    );
    const tookMs = performance.now() - startedMs;
    const used = process.cpuUsage(cpu);
    const rate = Math.round((bodies * perBody * 1000) / tookMs);
    console.log(
      `${label}: ${rate.toLocaleString()} events/s, ${((used.user + used.system) / (bodies * perBody)).toFixed(2)} µs CPU an event, commits ${partition.figures.commits}`,
    );
    const parseMs = performance.now();
    for (const body of all) JSON.parse(body.toString());
    const parse = (bodies * perBody * 1000) / (performance.now() - parseMs);
    console.log(
      `  JSON.parse alone: ${Math.round(parse).toLocaleString()} events/s; ratio ${(rate / parse).toFixed(2)}`,
    );
  };
  await load(1, 'first million (makes the people)');
  await load(2, 'second million');
  await load(3, 'third million');
  await partition.stop();
  await store.close();
}

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}
