// Files of history against a plain filter over their events: for any distribution over files and
// blocks, in every form, and with any byte damaged.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { DamagedEvents } from '../../../../actors/events/columns/byte-cursor.ts';
import { EventFile, type WantedEvents } from '../../../../actors/events/history/event-file.ts';
import { EventHistory } from '../../../../actors/events/history/event-history.ts';
import { type BlockPlace, fileForm } from '../../../../actors/events/history/file-directory.ts';
import { eventFileProblem } from '../../../../actors/events/history/file-problems.ts';
import { EventFileWriter } from '../../../../actors/events/history/file-writer.ts';
import { OpenedFiles } from '../../../../actors/events/history/opened-files.ts';
import { type EventDraft, encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import { decodeBatch, type EventBatch } from '../../../../actors/events/log/event-batch.ts';
import type { EventQuery } from '../../../../actors/events/protocol.ts';
import { readEvents } from '../../../../actors/events/read/read.ts';
import { storedRows } from '../../../../actors/events/read/stored-read.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../../storage/checkpoint.ts';
import { dayOf, HistoryWriter, historyPath } from '../../../../storage/history.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { tries } from '../../../support/tries.ts';
import { nowMs } from '../bodies.ts';
import { draft, eventAt, eventsOf, type PlainEvent } from '../stored.ts';
import { app, fileOf } from './files.ts';

const noLog = { durableSeq: 1, oldestSeq: 2, blocks: () => [], eventsOf: () => [] };
const names = ['delivered', 'purchase', 'ปุ่ม', 'nothing'];

/** Events of three days by few people, so that a person has several and they span blocks. */
const event: fc.Arbitrary<EventDraft> = fc
  .tuple(draft, fc.integer({ min: 0, max: 6 }), fc.integer({ min: -2, max: 0 }), fc.nat(dayMs - 1))
  .map(([one, person, day, inDay]) => ({
    ...one,
    person,
    atMs: (dayOf(nowMs) + day) * dayMs + inDay,
  }));

const someBatches = fc
  .array(fc.array(event, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 6 })
  .map((parts) => batches(parts));

const query = fc.record(
  {
    person: fc.integer({ min: 0, max: 8 }),
    name: fc.constantFrom(...names),
    from: fc.integer({ min: -50, max: 40 }),
    to: fc.integer({ min: -50, max: 40 }),
    limit: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['limit'] },
);

function batches(parts: readonly (readonly EventDraft[])[]): EventBatch[] {
  let seq = 1;
  return parts.map((drafts, i) => {
    const batch = decodeBatch(encodeDrafts(drafts, nowMs + i * 1000, seq));
    seq += drafts.length;
    return batch;
  });
}

/** Files of all events, the batches in groups of `perFile`. */
function filesOf(path: string, sources: EventBatch[], perFile: number, rows: number) {
  const files: HistoryFile[] = [];
  for (let at = 0; at < sources.length; at += perFile) {
    const some = sources.slice(at, at + perFile);
    const days = new Set(some.flatMap((source) => eventsOf(source).map(({ atMs }) => dayOf(atMs))));
    for (const day of days) files.push(fileOf(path, some, { generation: at + 1, rows, day }));
  }
  return files;
}

function historyOf(path: string, files: readonly HistoryFile[]): EventHistory {
  const opened = new OpenedFiles(300);
  return new EventHistory(1, files, (listed) => opened.open(path, listed));
}

t.test('every page of files is what a filter over all events gives', async () => {
  fc.assert(
    fc.property(
      someBatches,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(query, { minLength: 4, maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 2 }),
      (sources, perFile, rows, queries, gone) => {
        const path = temporaryDirectory();
        const history = historyOf(path, filesOf(path, sources, perFile, rows));
        const all = sources.flatMap((source) => eventsOf(source));
        for (const { from, to, ...rest } of queries) {
          const asked: EventQuery = {
            ...rest,
            ...(from === undefined ? {} : { fromMs: nowMs + from * 3_600_000 }),
            ...(to === undefined ? {} : { toMs: nowMs + to * 3_600_000 }),
          };
          const want = all
            .filter((one) => matches(one, asked) && !gone.includes(one.person))
            .sort((a, b) => b.seq - a.seq)
            .map((one) => shown(one));
          const got: unknown[] = [];
          let before: number | undefined;
          do {
            const page = readEvents(
              app,
              { ...asked, ...(before === undefined ? {} : { beforeSeq: before }) },
              { log: noLog, history, erased: new Set(gone) },
            );
            if (page.found.length > asked.limit) throw new Error('a page is too long');
            for (const found of page.found) got.push(shown({ ...found }));
            before = page.nextBefore;
          } while (before !== undefined);
          same(got, want);
        }
      },
    ),
    { seed: 21, numRuns: tries(40) },
  );
});

t.test('a report goes through every event of its names and times once', async () => {
  fc.assert(
    fc.property(
      someBatches,
      fc.integer({ min: 1, max: 9 }),
      fc.subarray(names),
      fc.integer({ min: -40, max: 0 }),
      (sources, rows, wanted, from) => {
        const path = temporaryDirectory();
        const history = historyOf(path, filesOf(path, sources, 2, rows));
        const fromMs = nowMs + from * 3_600_000;
        const want = sources
          .flatMap((source) => eventsOf(source))
          .filter(({ atMs, ...rest }) => wanted.includes(String(rest['name'])) && atMs >= fromMs)
          .map(({ seq }) => seq);
        const got: number[] = [];
        for (const { events, from: first, to } of storedRows(
          app,
          { names: wanted, fromMs },
          noLog,
          history,
        )) {
          for (let row = first; row < to; row++) {
            if (wanted.includes(events.name(row)) && events.atMs(row) >= fromMs)
              got.push(events.seq(row));
          }
        }
        same(
          got.sort((a, b) => a - b),
          want.sort((a, b) => a - b),
        );
      },
    ),
    { seed: 22, numRuns: tries(25) },
  );
});

t.test(
  'a byte that is wrong anywhere is a clear error or changes nothing that is read',
  async (t) => {
    const drafts = Array.from({ length: 30 }, (_, i) => ({
      name: names[i % 3] as string,
      person: i >> 2,
      atMs: nowMs,
      id: `x${i * i}`,
      propsJson: JSON.stringify({ n: i }),
    }));
    const path = temporaryDirectory();
    const sources = batches([drafts]);
    const listed = fileOf(path, sources, { rows: 10 });
    t.equal(eventFileProblem(path, listed), undefined);
    const full = join(historyPath(path), listed.file);
    const bytes = readFileSync(full);
    const person = 5;
    const want = eventsOf(sources[0] as EventBatch).filter((one) => one.person === person);
    let refused = 0;
    for (let at = 0; at <= bytes.length; at++) {
      const harmed = Buffer.from(bytes);
      if (at < bytes.length) harmed[at] = (harmed[at] as number) ^ (1 << (at % 8));
      writeFileSync(full, harmed);
      if (at < bytes.length) t.match(eventFileProblem(path, listed), /fails its checksum/);
      try {
        const got: PlainEvent[] = [];
        for (const { events, from, to } of new EventFile(path, listed).find({ person }))
          for (let row = from; row < to; row++) got.push(eventAt(events, row));
        same(got, want);
      } catch (error) {
        if (!(error instanceof DamagedEvents)) throw error;
        t.match(error.message, /\.ev2/, 'and it names the file');
        refused++;
      }
    }
    t.ok(refused > 0 && refused < bytes.length, 'other people’s blocks may be damaged');
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(full, bytes.subarray(0, length));
      t.throws(() => new EventFile(path, listed), DamagedEvents);
    }
  },
);

t.test('damage to a block and damage to the directory are distinguished', async (t) => {
  const path = temporaryDirectory();
  const drafts = Array.from({ length: 30 }, (_, i) => ({ name: 'a', person: i, atMs: nowMs }));
  const listed = fileOf(path, batches([drafts]), { rows: 10 });
  const full = join(historyPath(path), listed.file);
  const bytes = readFileSync(full);
  const find = (person: number) => [...new EventFile(path, listed).find({ person })];
  bytes[7] = (bytes[7] as number) ^ 1;
  writeFileSync(full, bytes);
  t.throws(() => find(3), /block 1 of 3 fails its checksum/);
  t.equal(find(25).length, 1, 'the others can be read');
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] as number) ^ 1;
  writeFileSync(full, bytes);
  t.throws(() => find(25), /its directory fails its checksum/);
});

t.test('a check finds a directory, an index of names and a manifest that lie', async (t) => {
  const path = temporaryDirectory();
  const drafts = Array.from({ length: 9 }, (_, i) => ({ name: 'a', person: i, atMs: nowMs + i }));
  const listed = fileOf(path, batches([drafts]), { rows: 3 });
  t.equal(eventFileProblem(path, listed), undefined);
  t.match(
    eventFileProblem(path, { ...listed, maxAtMs: listed.maxAtMs + 1 }),
    /does not match its manifest/,
  );
  const file = new EventFile(path, listed);
  /** The same blocks under another directory, with every checksum right. */
  const told = (change: Partial<BlockPlace>, hashes?: readonly number[]) => {
    const writer = new HistoryWriter(path, 2, fileForm);
    const written = new EventFileWriter(writer.begin(app, listed.day));
    let block = 0;
    for (const { place, bytes, hashes: right } of file.rawBlocks()) {
      const isMiddle = block++ === 1;
      const said = isMiddle ? { ...place, ...change } : place;
      written.copy(said, bytes, isMiddle ? (hashes ?? right) : right);
    }
    const again = written.finish();
    if (again === undefined) throw new Error('nothing was written');
    const { file: name, bytes, crc32 } = again;
    return eventFileProblem(path, { ...listed, file: name, bytes, crc32 });
  };
  t.equal(told({}), undefined);
  for (const change of [
    { minSeq: 5 },
    { maxSeq: 7 },
    { minAtMs: nowMs + 4 },
    { maxAtMs: nowMs + 4 },
    { lastPerson: 4 },
  ])
    t.match(told(change), /block 2 that does not match its directory/);
  t.match(told({}, [1]), /block 2 whose names do not match its index/);
  t.match(told({}, []), /block 2 whose names/);
});

t.test('of a person’s page only the block that can be theirs is read', async (t) => {
  const path = temporaryDirectory();
  const drafts = Array.from({ length: 300 }, (_, i) => ({ name: 'a', person: i, atMs: nowMs }));
  const listed = fileOf(path, batches([drafts]), { rows: 10 });
  const { directory } = new EventFile(path, listed);
  const full = join(historyPath(path), listed.file);
  const bytes = readFileSync(full);
  const place = directory.place(15);
  const blocksEnd = directory.section('cold', 29).at + directory.word('coldBytes', 29);
  bytes.fill(0, 0, place.at);
  bytes.fill(0, place.at + place.personBytes + place.hotBytes + place.coldBytes, blocksEnd);
  writeFileSync(full, bytes);
  const [found] = [...new EventFile(path, listed).find({ person: 155 })];
  t.equal(found?.events.person(found.from), 155);
  t.throws(() => [...new EventFile(path, listed).find({ person: 165 })], DamagedEvents);
});

t.test('of a name only the blocks that have it are read, and of a time those in it', async (t) => {
  const path = temporaryDirectory();
  const drafts = Array.from({ length: 300 }, (_, i) => ({
    name: i === 77 || i === 211 ? 'rare' : 'common',
    person: i,
    atMs: nowMs + i,
  }));
  const file = new EventFile(path, fileOf(path, batches([drafts]), { rows: 10 }));
  const people = (wanted: WantedEvents) =>
    [...file.find(wanted)].map(({ events, from }) => events.person(from));
  t.same(people({ names: ['rare'] }), [70, 210]);
  t.same(people({ names: ['rare', 'nothing'], fromMs: nowMs + 200 }), [210]);
  t.same(people({ names: ['nothing'] }), []);
  t.equal(people({ names: ['common'] }).length, 30);
  t.same(people({ fromMs: nowMs + 20, toMs: nowMs + 40 }), [20, 30]);
  t.same(people({ beforeSeq: 1 + 20 }), [0, 10]);
  t.same(
    people({ isEnough: (maxSeq) => maxSeq <= 280 }),
    [290, 280],
    'the newest first, if it ends with enough',
  );
});

t.test(
  'directories are kept up to a bound, and one of another file is not taken for it',
  async (t) => {
    const path = temporaryDirectory();
    const drafts = (person: number) => [
      Array.from({ length: 40 }, (_, i) => ({ name: 'a', person: person + i, atMs: nowMs })),
    ];
    const opened = new OpenedFiles(2500);
    const one = fileOf(path, batches(drafts(0)), { rows: 4 });
    const count = (listed: HistoryFile, person: number) =>
      [...opened.open(path, listed).find({ person })].length;
    t.equal(count(one, 3), 1);
    t.equal(opened.open(path, one), opened.open(path, one));
    const again = fileOf(path, batches(drafts(1000)), { rows: 4 });
    t.equal(again.file, one.file);
    t.equal(count(again, 1003), 1);
    for (let generation = 2; generation < 9; generation++)
      t.equal(count(fileOf(path, batches(drafts(0)), { rows: 4, generation }), 3), 1);
    t.ok(opened.bytes > 0 && opened.bytes <= 2500);
  },
);

function matches(one: PlainEvent, { person, name, fromMs, toMs }: EventQuery): boolean {
  return (
    (person === undefined || one.person === person) &&
    (name === undefined || one['name'] === name) &&
    (fromMs === undefined || one.atMs >= fromMs) &&
    (toMs === undefined || one.atMs < toMs)
  );
}

/** An event as a page shows it, however it was read. */
function shown(one: PlainEvent): unknown {
  const { seq, person, atMs } = one;
  const rest = ['name', 'props', 'meta', 'deviceId', 'sendId'].map((field) => one[field] ?? null);
  return { seq, person, atMs, rest };
}

function same(got: unknown, want: unknown): void {
  const a = stable(got);
  const b = stable(want);
  if (a !== b) throw new Error(`got  ${a.slice(0, 2000)}\nwant ${b.slice(0, 2000)}`);
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
