// Memory and disk per person: servers with 10,000, 100,000 and 1,000,000 people, and the difference
// per person. Counts anonymous pages; file pages are listed apart. Baseline: JavaScript objects.
// Run: npm run build && npx tsx bench/memory.ts [--people=1000000]

import { fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestsOf } from '../storage/checkpoint.ts';
import {
  type Audience,
  copyOf,
  keptAudience,
  openStore,
  peopleAsked,
} from './audience/directory.ts';
import { benchEventsOf, personAt } from './audience/population.ts';
import { engage } from './support/engage.ts';
import { acceptOnly } from './support/loads.ts';
import { isAsked, numberOption, printSummary } from './support/options.ts';

interface Footprint {
  readonly people: number;
  readonly events: number;
  readonly anonymousBytes: number;
  readonly fileBytes: number;
  readonly records: number;
  readonly checkpoint: number;
  readonly history: number;
}

const idleMs = numberOption('idle-ms', 15_000);
const objectPeople = 50_000;

if (isAsked('objects')) {
  process.send?.(objectBytes());
  process.disconnect();
} else await run();

async function run(): Promise<void> {
  const most = peopleAsked();
  const sizes = [most / 100, most / 10, most].filter((size) => size >= 1000);
  const all: Footprint[] = [];
  for (const size of sizes) {
    const taken = await measured(await keptAudience(size));
    all.push(taken);
    console.log(
      `${size.toLocaleString('en').padStart(9)} people: ${megabytes(taken.anonymousBytes)} MB its own, ${megabytes(taken.fileBytes)} MB of files; on disk ${megabytes(taken.records)} MB of records, ${megabytes(taken.checkpoint)} MB of checkpoint, ${megabytes(taken.history)} MB of history`,
    );
  }
  const least = all[0] as Footprint;
  const largest = all.at(-1) as Footprint;
  const grown = largest.people - least.people;
  if (grown <= 0) throw new Error('--people: expected 100,000 or more, to compare it with fewer');
  const each = (of: (taken: Footprint) => number) => (of(largest) - of(least)) / grown;
  const anonymous = each((taken) => taken.anonymousBytes);
  const objects = await objectsOfChild();
  const figures = {
    bytesPerPerson: anonymous,
    fileBytesPerPerson: each((taken) => taken.fileBytes),
    objectBytesPerPerson: objects,
    ratio: objects / anonymous,
    recordBytesPerPerson: each((taken) => taken.records),
    checkpointBytesPerPerson: each((taken) => taken.checkpoint),
    historyBytesPerEvent: largest.history / largest.events,
  };
  console.log(
    `a person: ${anonymous.toFixed(0)} bytes its own and ${figures.fileBytesPerPerson.toFixed(0)} of files in memory, ${figures.ratio.toFixed(1)} times less than ${objects.toFixed(0)} as objects; on disk ${figures.recordBytesPerPerson.toFixed(0)} of record, ${figures.checkpointBytesPerPerson.toFixed(0)} of checkpoint; an event at rest ${figures.historyBytesPerEvent.toFixed(1)} (no id, no properties)`,
  );
  printSummary('memory', {
    people: most,
    ...figures,
    sizes: Object.fromEntries(all.map((taken) => [taken.people, { ...taken }])),
  });
}

async function measured(audience: Audience): Promise<Footprint> {
  const copy = await copyOf(audience);
  try {
    const { key, appId, people, events } = copy;
    const server = await engage(acceptOnly, { dataDir: copy.path });
    let memory: ReturnType<typeof server.memory>;
    try {
      const filter = { channel: 'email' };
      const path = `/v1/apps/${appId}/segments/preview`;
      const { body } = await server.call('POST', path, { filter }, key);
      if ((body as { readonly total?: number }).total !== people)
        throw new Error(`not ${people} people are there: ${JSON.stringify(body)}`);
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      memory = server.memory();
    } finally {
      await server.stop();
    }
    return { people, events, ...memory, ...(await onDisk(copy)) };
  } finally {
    copy.remove();
  }
}

/** At rest: records without reusable pages, the newest checkpoint, history. */
async function onDisk(audience: Audience) {
  const store = openStore(audience);
  const { path } = store;
  const records = store.stats().fileBytes - store.reusableBytes;
  await store.close();
  const newest = manifestsOf(path).toSorted(
    (a, b) => b.seq - a.seq || b.generation - a.generation,
  )[0];
  if (newest === undefined) throw new Error(`${path} has no checkpoint`);
  return {
    records,
    checkpoint: newest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    history: newest.history.reduce(
      (sum, { file }) => sum + statSync(join(path, 'history', file)).size,
      0,
    ),
  };
}

/** Heap per person as objects in a map: the naive implementation. */
function objectBytes(): number {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const people = new Map<string, object>();
  for (let i = 0; i < objectPeople; i++) {
    const person = personAt(i);
    const lastSeen = new Map<string, number>();
    for (const [name, backMs] of benchEventsOf(i))
      lastSeen.set(name, Math.max(lastSeen.get(name) ?? 0, 1e12 - backMs));
    people.set(person.externalUserId, { ...person, lastSeen });
  }
  globalThis.gc?.();
  const after = process.memoryUsage();
  if (people.size !== objectPeople) throw new Error('people are missing');
  return (after.heapUsed + after.external - before.heapUsed - before.external) / objectPeople;
}

function objectsOfChild(): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), ['--objects'], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (bytes) => resolve(Number(bytes)));
    child.once('exit', (code) => reject(new Error(`the child ended with code ${code}`)));
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
