// The newest 50 events of one person among 50 million, by the product's pool task (`readPage`) from
// a real archive; also by name, by time, and with a million events in the log. Building takes about
// 7 minutes and 900 MB of disk, removed at the end.
// Run: npx tsx bench/person-events.ts [events = 50000000] [people = 1000000] [days = 90]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newestHistory } from '../actors/events/history/event-history.ts';
import { fileForm } from '../actors/events/history/file-directory.ts';
import { blockRowsMax, writeEventFile } from '../actors/events/history/file-writer.ts';
import { sortedRows } from '../actors/events/history/sorted-rows.ts';
import { encodeDrafts } from '../actors/events/log/drafts.ts';
import type { EventQuery } from '../actors/events/protocol.ts';
import { readPage } from '../actors/events/read/list.ts';
import { limits } from '../actors/limits.ts';
import { eventsOf } from '../actors/runtime/facts.ts';
import { encodeBlock } from '../engine/actor/block.ts';
import { dayMs } from '../engine/base/brand.ts';
import { below, seededRng } from '../engine/base/rng.ts';
import { type HistoryFile, nextGeneration, writeCheckpoint } from '../storage/checkpoint.ts';
import { dayOf, HistoryWriter } from '../storage/history.ts';
import { line, timed } from './support/figure-line.ts';
import { SyntheticDay } from './support/synthetic-day.ts';

const events = Number(process.argv[2] ?? 50_000_000);
const people = Number(process.argv[3] ?? 1_000_000);
const days = Number(process.argv[4] ?? 90);
const app = 4101;
const queries = 1000;
const tailEvents = 1_000_000;

const path = mkdtempSync(join(tmpdir(), 'engage-person-events-'));
process.once('exit', () => rmSync(path, { recursive: true, force: true }));

/** The log after the checkpoint. Copies each block it reads, like LMDB; looks up no names. */
const tail: Uint8Array[] = [];
const store = {
  get durableSeq() {
    return 1 + tail.length;
  },
  oldestSeq: 2,
  blocks: (from: number, limit: number) =>
    tail.slice(from - 2, from - 2 + limit).map((block, i) => ({
      seq: from + i,
      block: Buffer.from(block),
    })),
  get: () => undefined,
  range: () => [],
  eventsOf,
};

const lastDay = dayOf(Date.UTC(2026, 5, 30));
build();
measure();
measureTail();

function build(): void {
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const generation = nextGeneration(path);
  const writer = new HistoryWriter(path, generation, fileForm);
  const history: HistoryFile[] = [];
  const perDay = Math.ceil(events / days);
  for (let day = 0; day < days; day++) {
    const first = day * perDay;
    const rows = Math.min(perDay, events - first);
    for (let from = 0; from < rows; from += limits.historyRowsMax) {
      const part = new SyntheticDay({
        day: lastDay - days + 1 + day,
        firstSeq: 1 + first + from,
        count: Math.min(limits.historyRowsMax, rows - from),
        share: [from / rows, Math.min(1, (from + limits.historyRowsMax) / rows)],
        people,
      });
      const lists = sortedRows([part], () => true, blockRowsMax);
      const file = writeEventFile(writer.begin(app, part.day), lists);
      if (file !== undefined) history.push(file);
    }
  }
  writer.finish();
  const head = { partition: 0, epoch: 1, generation, seq: 1, atMs: 0, history, erasing: [] };
  writeCheckpoint(path, head, []);
  const builtMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const bytes = history.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${events} events of ${people} people over ${days} days, ${history.length} files`);
  const usedUs = (user + system) / events;
  line('writing', builtMs / 1000, `s, ${usedUs.toFixed(1)} µs of a core an event`);
  line('at rest', bytes / events, 'bytes an event');
  line('peak memory of this process', process.resourceUsage().maxRSS / 1024, 'MB');
}

function measure(): void {
  const rng = seededRng(7, 'queries');
  const person = () => below(rng, people);
  const noon = (lastDay - Math.floor(days / 2)) * dayMs;
  first(() => page({ limit: 50, person: person() }));
  spread('newest 50 of a person', () => ({ limit: 50, person: person() }));
  spread('newest 50 of a person, by name', () => ({
    limit: 50,
    person: person(),
    name: 'order_placed',
  }));
  spread('a person’s day', () => ({
    limit: 50,
    person: person(),
    fromMs: noon,
    toMs: noon + dayMs,
  }));
  spread('newest 50 of everybody', () => ({ limit: 50 }), 20);
  spread('newest 50 of a frequent name', () => ({ limit: 50, name: 'login' }), 20);
  spread('newest 50 of a rare name', () => ({ limit: 50, name: 'account_closed' }), 20);
  spread('a name that nobody sent', () => ({ limit: 50, name: 'nothing' }), 20);
  spread('50 of one hour', () => ({ limit: 50, fromMs: noon, toMs: noon + 3_600_000 }), 20);
  let found = 0;
  const ms = timed(() => {
    const wanted = { names: ['login'], fromMs: lastDay * dayMs };
    for (const { events: block, from, to } of newestHistory(path).find(app, wanted)) {
      for (let row = from; row < to; row++)
        if (block.name(row) === 'login') found += block.atMs(row) > 0 ? 1 : 0;
    }
  });
  line('a report over one day', ms, `ms, ${found} events counted`);
}

/** The same beside a log of a million uncheckpointed events, a thousand per request. */
function measureTail(): void {
  const perBatch = 1000;
  const day = new SyntheticDay({
    day: lastDay + 1,
    firstSeq: events + 1,
    count: tailEvents,
    share: [0, 0.01],
    people,
  });
  let bytes = 0;
  for (let from = 0; from < tailEvents; from += perBatch) {
    const drafts = Array.from({ length: perBatch }, (_, i) => ({
      name: day.name(from + i),
      person: day.person(from + i),
      atMs: day.atMs(from + i),
      id: day.id(from + i),
      propsJson: day.propsJson(from + i),
    }));
    const atMs = day.receivedAtMs(from);
    const batch = encodeDrafts(drafts, atMs, day.seq(from));
    const entry = { kind: 'events.tracked', owner: app, atMs, keyless: false, batch };
    tail.push(encodeBlock({ atMs, entries: [entry] }));
    bytes += batch.length;
  }
  console.log(`and a log of ${tailEvents} events after it, ${(bytes / 1e6).toFixed(0)} MB`);
  const rng = seededRng(8, 'queries');
  const person = () => below(rng, people);
  first(() => page({ limit: 50, person: person() }));
  spread('newest 50 of a person', () => ({ limit: 50, person: person() }));
  spread('newest 50 of a rare name', () => ({ limit: 50, name: 'account_closed' }), 20);
}

function page(query: EventQuery): number {
  return readPage({ app, query, erased: [] }, path, store).items.length;
}

/** Prints the time of a thread's first question, without caches or compiled code. */
function first(question: () => unknown): void {
  const cpu = process.cpuUsage();
  const ms = timed(question);
  const { user, system } = process.cpuUsage(cpu);
  line('first page of a thread', ms, `ms, ${((user + system) / 1000).toFixed(0)} ms of a core`);
}

/** Prints the median and 99th percentile of a repeated question. */
function spread(what: string, query: () => EventQuery, rounds = queries): void {
  const times: number[] = [];
  let found = 0;
  const cpu = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const asked = query();
    times.push(
      timed(() => {
        found += page(asked);
      }),
    );
  }
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] as number;
  const used = ((user + system) / 1000 / rounds).toFixed(1);
  line(
    what,
    at(0.5),
    `ms, p99 ${at(0.99).toFixed(1)} ms, ${used} ms of a core, ${(found / rounds).toFixed(1)} found`,
  );
}
