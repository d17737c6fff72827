// Appends to the log of one partition, one in flight, by frame size: PostgreSQL, JetStream with
// three servers that sync each message (if ENGAGE_NATS_SERVER names a binary), and bare LMDB
// commits of the same bytes. They take turns; all are on one disk, so only ratios mean something.
// Run: npx tsx bench/partition-log.ts [--seconds=2] [--rounds=3]

import '../engine/base/plain-msgpack.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { PartitionLog } from '../engine/log/partition-log.ts';
import { connectJetStream } from '../storage/jetstream/connection.ts';
import { createStream, openJetStreamLog, streamName } from '../storage/jetstream/log.ts';
import { connectPostgres } from '../storage/postgres/connection.ts';
import { createPostgresLog, openPostgresLog } from '../storage/postgres/log.ts';
import { NatsServers, withoutServers } from './support/nats-servers.ts';
import { median, numberOption, printSummary, quantile } from './support/options.ts';
import { makePostgres } from './support/postgres.ts';

const seconds = numberOption('seconds', 2);
const rounds = numberOption('rounds', 3);
const sizes = [4, 128, 512].map((kilobytes) => kilobytes * 1024);
const bytesMax = 16 * 1024 ** 3;

interface Subject {
  readonly name: string;
  /** Resolves once the frame is durable. */
  append(frame: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

interface Rates {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Appends behind one another, as an owner does. */
async function ofLog(
  name: string,
  log: PartitionLog,
  close: () => Promise<void>,
): Promise<Subject> {
  let newest = 0;
  return {
    name,
    append: async (frame) => {
      const end = await log.append(frame, newest);
      if (end.state !== 'appended') throw new Error(`${name}: ${JSON.stringify(end)}`);
      newest = end.position;
      // As checkpoints do, so that a long run does not fill the disk.
      if (newest % 1_000 === 0) void log.trim(newest - 500);
    },
    close,
  };
}

async function postgresSubject(): Promise<Subject> {
  const server = makePostgres();
  await server.start();
  const postgres = await connectPostgres({
    servers: [`postgres://postgres@/postgres?host=${server.address.host}`],
    cluster: 'bench',
    name: 'bench',
    allowsUnsafe: true,
    onWarning: () => {},
  });
  const log = await createPostgresLog(postgres, { partition: 0, generation: 1, bytesMax });
  return ofLog('PostgreSQL, one copy', openPostgresLog(postgres, log), async () => {
    await postgres.close();
    await server.remove();
  });
}

async function jetStreamSubject(): Promise<Subject> {
  const servers = await NatsServers.start();
  const jetStream = await connectJetStream({
    servers: servers.addresses,
    monitors: servers.monitors,
    name: 'bench',
    onWarning: (sentence) => console.log(sentence),
  });
  const name = streamName('bench', 0, 1);
  for (let tries = 0; ; tries++)
    try {
      await createStream(jetStream, { name, copies: 3, bytesMax: 2 * 1024 ** 3 });
      break;
    } catch (error) {
      // JetStream's own leader may still be missing just after a start.
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  return ofLog('JetStream, three copies', openJetStreamLog(jetStream, name), async () => {
    await jetStream.connection.close();
    await servers.stop();
  });
}

function lmdbSubject(): Subject {
  const path = mkdtempSync(join(tmpdir(), 'engage-bench-'));
  const database = open<Buffer, number>({ path, encoding: 'binary', overlappingSync: false });
  let newest = 0;
  return {
    name: 'bare LMDB',
    append: async (frame) => {
      if (newest >= 500) void database.remove(newest - 500);
      await database.put(++newest, Buffer.from(frame));
    },
    close: async () => {
      await database.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function measure(subject: Subject, bytes: number): Promise<Rates> {
  const frame = Buffer.alloc(bytes).map((_, index) => index * 31);
  const latencies: number[] = [];
  const startedMs = performance.now();
  while (performance.now() - startedMs < seconds * 1_000) {
    const sentMs = performance.now();
    await subject.append(frame);
    latencies.push(performance.now() - sentMs);
  }
  const perSecond = (latencies.length / (performance.now() - startedMs)) * 1_000;
  return { perSecond, p50Ms: median(latencies), p99Ms: quantile(latencies, 0.99) };
}

const subjects = [lmdbSubject(), await postgresSubject()];
const missing = withoutServers();
if (missing === false) subjects.push(await jetStreamSubject());
else console.log(`without JetStream: ${missing}`);
const figures: Record<string, Record<string, Record<string, number>>> = {};
try {
  for (const subject of subjects) await subject.append(Buffer.alloc(1_024));
  console.log('                            KiB  appends/s     MB/s  p50 ms   p99 ms  of LMDB');
  for (const bytes of sizes) {
    const found = new Map<string, Rates[]>();
    for (let round = 0; round < rounds; round++)
      for (const subject of subjects)
        found.set(subject.name, [
          ...(found.get(subject.name) ?? []),
          await measure(subject, bytes),
        ]);
    const rate = (name: string) => median((found.get(name) ?? []).map((one) => one.perSecond));
    for (const [name, all] of found) {
      const perSecond = rate(name);
      const [p50Ms, p99Ms] = [
        median(all.map((one) => one.p50Ms)),
        median(all.map((one) => one.p99Ms)),
      ];
      const ratio = perSecond / rate('bare LMDB');
      const columns = [
        name.padEnd(24),
        String(bytes / 1_024).padStart(6),
        perSecond.toFixed(0).padStart(10),
        ((perSecond * bytes) / 1e6).toFixed(1).padStart(8),
        p50Ms.toFixed(2).padStart(7),
        p99Ms.toFixed(2).padStart(8),
        ratio.toFixed(2).padStart(8),
      ];
      console.log(columns.join(' '));
      figures[name] = { ...figures[name], [bytes]: { perSecond, p50Ms, p99Ms, ratio } };
    }
  }
} finally {
  for (const subject of subjects) await subject.close();
}
for (const [name, bySize] of Object.entries(figures))
  printSummary(`partition-log: ${name}`, bySize);
