// Data directories with an audience, built by a whole server over its API, kept in bench/.work/ and
// copied for each bench. Events have no ids, whose memory a steady app does not need.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCheckpoint } from '../../actors/runtime/folding.ts';
import { partitionOf } from '../../engine/actor/placement.ts';
import { dayMs, type Millis } from '../../engine/base/brand.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { parseId } from '../../engine/base/id.ts';
import { systemRng } from '../../engine/base/rng.ts';
import { type Environment, openPartition } from '../../storage/environment.ts';
import { type BenchServer, engage } from '../support/engage.ts';
import { acceptOnly } from '../support/loads.ts';
import { isAsked, numberOption } from '../support/options.ts';
import { isRunning } from '../support/process-figures.ts';
import { benchEventsOf, personAt } from './population.ts';

/** Raise it when the population or the build changes, so that old directories are rebuilt. */
const version = 1;
/** Partitions of each directory, as the product makes them. */
const partitions = 8;
const work = fileURLToPath(new URL('../.work/', import.meta.url));
/** Their events span windows of days, and are kept for ninety of them. */
const freshMs = dayMs;
const perCall = 1000;
const callsAtOnce = 6;

export interface Audience {
  readonly path: string;
  readonly people: number;
  /** The number of accepted events. */
  readonly events: number;
  /** After the last event and the last person created, in ms since the epoch. */
  readonly builtMs: Millis;
  readonly appId: string;
  readonly key: string;
  readonly partition: number;
  /** Build time in seconds: rows by import, events by `/e`. */
  readonly importSeconds: number;
  readonly eventsSeconds: number;
}

export interface AudienceCopy extends Audience {
  remove(): void;
}

/** The number given as `--people`, or a million. */
export function peopleAsked(fallback = 1_000_000): number {
  return numberOption('people', fallback);
}

/** The kept directory of this size; built if there is none from today, or with `--fresh`. */
export async function keptAudience(people: number): Promise<Audience> {
  const path = join(work, `audience-${people}-v${version}`);
  const kept = readKept(path);
  if (kept !== undefined && !isAsked('fresh') && Date.now() - kept.builtMs < freshMs) return kept;
  console.log(`making a directory of ${people.toLocaleString('en')} people`);
  rmSync(path, { recursive: true, force: true });
  const draft = `${path}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const made = await make(draft, people);
  writeFileSync(join(draft, 'audience.json'), JSON.stringify(made));
  renameSync(draft, path);
  console.log(
    `  ${made.importSeconds.toFixed(1)} s for the people, ${made.eventsSeconds.toFixed(1)} s for ${made.events.toLocaleString('en')} events`,
  );
  return { ...made, path };
}

/** A copy on the same disk, removed by the end of the process; its checkpoint is recent. */
export async function copyOf(audience: Audience): Promise<AudienceCopy> {
  mkdirSync(work, { recursive: true });
  for (const name of readdirSync(work)) {
    const maker = /^copy-(\d+)-/.exec(name)?.[1]; // left by a killed bench
    if (maker !== undefined && !isRunning(Number(maker)))
      rmSync(join(work, name), { recursive: true, force: true });
  }
  const path = mkdtempSync(join(work, `copy-${process.pid}-`));
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  const copied = spawnSync('cp', ['-a', '--reflink=auto', `${audience.path}/.`, path], {
    encoding: 'utf8',
  });
  if (copied.status !== 0) throw new Error(`no copy could be made: ${copied.stderr}`);
  const copy = {
    ...audience,
    path,
    remove() {
      process.removeListener('exit', remove);
      remove();
    },
  };
  await checkpointNow(copy);
  spawnSync('sync', ['-f', path]); // or the measured work would wait for the copy
  return copy;
}

/** The audience's store. No server may hold it; the caller closes it. */
export function openStore({ path: dataDir, partition }: Audience): Environment {
  return openPartition({ dataDir, partition, partitions, nowMs: Date.now(), onFatal: fail });
}

/** A fresh checkpoint of the resting partition, even without changes. No server may hold it. */
export async function checkpointNow(audience: Audience): Promise<void> {
  const { partition } = audience;
  const store = openStore(audience);
  try {
    const outcome = makeCheckpoint({
      path: store.path,
      partition,
      source: store,
      nowMs: Date.now(),
      tableKey: newHashKey(systemRng()),
      sweep: true,
      onProblem: (problem) => fail(new Error(problem)),
    });
    if (outcome.outcome !== 'made') throw new Error(`no checkpoint: ${outcome.outcome}`);
    while ((await store.dropBlocks(outcome.dropThrough, 1000)) > 0);
  } finally {
    await store.close();
  }
}

function readKept(path: string): Audience | undefined {
  const file = join(path, 'audience.json');
  if (!existsSync(file)) return undefined;
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Audience), path };
}

async function make(path: string, people: number): Promise<Audience> {
  const server = await engage(
    { ...acceptOnly, ENGAGE_PARTITIONS: String(partitions) },
    { dataDir: path },
  );
  let made: Audience;
  try {
    const { key, apps } = await server.tenant(1);
    const appId = apps[0] as string;
    const ordinal = parseId('app', appId)?.ordinal ?? Number.NaN;
    const startedMs = performance.now();
    await importAll(server, key, appId, people);
    const importSeconds = (performance.now() - startedMs) / 1000;
    const builtMs = Date.now();
    const events = await ingestAll(server, key, appId, people, builtMs);
    const eventsSeconds = (performance.now() - startedMs) / 1000 - importSeconds;
    await mustHold(server, key, appId, people);
    made = {
      path,
      people,
      events,
      builtMs,
      appId,
      key,
      partition: partitionOf(ordinal, partitions),
      importSeconds,
      eventsSeconds,
    };
  } finally {
    await server.stop();
  }
  // Two, so that no log is kept for the older one: the resting size is that of yesterday's app.
  await checkpointNow(made);
  await checkpointNow(made);
  return made;
}

async function importAll(
  server: BenchServer,
  key: string,
  appId: string,
  people: number,
): Promise<void> {
  function* bodies(): Generator<string> {
    for (let from = 0; from < people; from += perCall) {
      const count = Math.min(perCall, people - from);
      const rows = Array.from({ length: count }, (_, i) => personAt(from + i));
      yield JSON.stringify({ appId, rows });
    }
  }
  let created = 0;
  await postAll(server, '/v1/import/subscribers', key, bodies(), 200, (answer) => {
    created += answer['created'] ?? 0;
  });
  if (created !== people) throw new Error(`${created} of ${people} people were made`);
}

async function ingestAll(
  server: BenchServer,
  key: string,
  appId: string,
  people: number,
  builtMs: Millis,
): Promise<number> {
  let made = 0;
  function* bodies(): Generator<string> {
    let events: string[] = [];
    const body = () => `{"appId":"${appId}","events":[${events.join(',')}]}`;
    for (let i = 0; i < people; i++) {
      for (const [name, backMs] of benchEventsOf(i)) {
        const at = new Date(builtMs - backMs).toISOString();
        events.push(`{"name":"${name}","externalUserId":"user-${i}","at":"${at}"}`);
        made++;
        if (events.length < perCall) continue;
        yield body();
        events = [];
      }
    }
    if (events.length > 0) yield body();
  }
  let accepted = 0;
  await postAll(server, '/e', key, bodies(), 202, (answer) => {
    accepted += answer['accepted'] ?? 0;
  });
  if (accepted !== made) throw new Error(`${accepted} of ${made} events were taken`);
  return made;
}

async function postAll(
  server: BenchServer,
  path: string,
  key: string,
  bodies: Generator<string>,
  status: number,
  take: (answer: Readonly<Record<string, number | undefined>>) => void,
): Promise<void> {
  const worker = async () => {
    for (const body of bodies) {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body,
      });
      const answer = (await response.json()) as Readonly<Record<string, number | undefined>>;
      if (response.status !== status)
        throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
      take(answer);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, worker));
}

async function mustHold(
  server: BenchServer,
  key: string,
  appId: string,
  people: number,
): Promise<void> {
  const filter = { tag: 'plan', exists: true };
  const { body } = await server.call('POST', `/v1/apps/${appId}/segments/preview`, { filter }, key);
  const { count, total } = body as { readonly count?: number; readonly total?: number };
  if (count !== people || total !== people)
    throw new Error(`${count} of ${total} people have a plan, not ${people}`);
}

function fail(error: unknown): never {
  throw error;
}
