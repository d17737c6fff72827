// Removing people from files, and merging files: all other events stay, and blocks without these
// people keep their exact bytes.

import fc from 'fast-check';
import t from 'tap';
import { EventFile } from '../../../../actors/events/history/event-file.ts';
import { fileForm } from '../../../../actors/events/history/file-directory.ts';
import { eventFileProblem } from '../../../../actors/events/history/file-problems.ts';
import { writeEventFile } from '../../../../actors/events/history/file-writer.ts';
import { rewriteWithout } from '../../../../actors/events/history/rewrite.ts';
import { mergedRows } from '../../../../actors/events/history/sorted-rows.ts';
import { encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import { decodeBatch, type EventBatch } from '../../../../actors/events/log/event-batch.ts';
import type { HistoryFile } from '../../../../storage/checkpoint.ts';
import { dayOf, HistoryWriter } from '../../../../storage/history.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { tries } from '../../../support/tries.ts';
import { nowMs } from '../bodies.ts';
import { draft, eventsOf, type PlainEvent } from '../stored.ts';
import { app, everyRow, fileOf } from './files.ts';

const day = dayOf(nowMs);

const parts = fc.array(
  fc.array(
    fc
      .tuple(draft, fc.integer({ min: 0, max: 9 }))
      .map(([one, person]) => ({ ...one, person, atMs: nowMs })),
    { minLength: 1, maxLength: 20 },
  ),
  { minLength: 1, maxLength: 4 },
);

function batches(drafts: Parameters<typeof encodeDrafts>[0][]): EventBatch[] {
  let seq = 1;
  return drafts.map((some, i) => {
    const batch = decodeBatch(encodeDrafts(some, nowMs + i, seq));
    seq += some.length;
    return batch;
  });
}

function readAll(path: string, listed: HistoryFile): PlainEvent[] {
  return [...new EventFile(path, listed).blocks()].flatMap((events) => eventsOf(events));
}

const sorted = (events: PlainEvent[]) =>
  events.toSorted((a, b) => a.person - b.person || a.atMs - b.atMs || a.seq - b.seq);

t.test('a file without some people has all the others’ events, and says so', async () => {
  fc.assert(
    fc.property(
      parts,
      fc.uniqueArray(fc.integer({ min: 0, max: 10 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (drafts, people, rows) => {
        const path = temporaryDirectory();
        const sources = batches(drafts);
        const listed = fileOf(path, sources, { rows });
        const file = new EventFile(path, listed);
        const gone = people.toSorted((a, b) => a - b);
        const all = sorted(sources.flatMap((source) => eventsOf(source)));
        const want = all.filter(({ person }) => !people.includes(person));
        equal(file.holdsAny(gone), want.length < all.length);
        const writer = new HistoryWriter(path, 2, fileForm);
        const made = rewriteWithout(file, gone, writer.begin(app, day));
        if (made === undefined) return equal(want.length, 0);
        equal(eventFileProblem(path, made), undefined);
        equal(readAll(path, made), want);
        equal(new EventFile(path, made).holdsAny(gone), false);
        // Each block says whether it has rows of tests, and so does a batch.
        const found = [...new EventFile(path, made).find({})].map(({ events }) => events);
        for (const events of [...found, ...sources]) {
          const rows = eventsOf(events) as readonly { readonly meta?: { test?: unknown } }[];
          equal(
            events.mayHoldTests,
            rows.some(({ meta }) => meta?.test === true),
          );
        }
      },
    ),
    { seed: 31, numRuns: tries(25) },
  );
});

t.test('files join into one, sorted, without what is not chosen', async () => {
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 9 }), fc.nat(9), (drafts, rows, gone) => {
      const path = temporaryDirectory();
      const sources = batches(drafts);
      const files = sources.map((source, i) => fileOf(path, [source], { generation: i + 1, rows }));
      const writer = new HistoryWriter(path, 9, fileForm);
      const made = writeEventFile(
        writer.begin(app, day),
        mergedRows(
          files.map((listed) => new EventFile(path, listed).blocks()),
          (events, row) => events.person(row) !== gone,
          rows,
        ),
      );
      const all = sorted(sources.flatMap((source) => eventsOf(source)));
      const want = all.filter(({ person }) => person !== gone);
      if (made === undefined) return equal(want.length, 0);
      equal(readAll(path, made), want);
      equal(eventFileProblem(path, made), undefined);
    }),
    { seed: 32, numRuns: tries(20) },
  );
});

t.test('blocks that do not hold the person keep their bytes', async (t) => {
  const path = temporaryDirectory();
  const drafts = Array.from({ length: 100 }, (_, i) => ({
    name: i < 50 ? 'early' : 'late',
    person: i,
    atMs: nowMs,
  }));
  const listed = fileOf(path, batches([drafts]), { rows: 10 });
  const blocks = (one: HistoryFile) => [...new EventFile(path, one).rawBlocks()];
  const writer = new HistoryWriter(path, 2, fileForm);
  const file = new EventFile(path, listed);
  const made = rewriteWithout(
    file,
    [33, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79],
    writer.begin(app, day),
  );
  if (made === undefined) throw new Error('nothing was written');
  const before = blocks(listed);
  const after = blocks(made);
  t.equal(after.length, 9, 'a block of nobody else is gone');
  t.equal(after[3]?.place.count, 9);
  for (const [from, to] of [
    [0, 0],
    [2, 2],
    [4, 4],
    [8, 7],
    [9, 8],
  ] as const) {
    t.ok(before[from]?.bytes.equals(after[to]?.bytes as Buffer));
    t.same(before[from]?.hashes, after[to]?.hashes);
  }
  const names = (one: HistoryFile, name: string) =>
    [...new EventFile(path, one).find({ names: [name] })].length;
  t.same([names(made, 'early'), names(made, 'late')], [5, 4]);
});

t.test('a source that fails in the middle leaves no file and holds none open', async (t) => {
  const path = temporaryDirectory();
  const [one] = batches([[{ name: 'a', person: 1, atMs: nowMs }]]);
  let closed = 0;
  function* failing() {
    try {
      yield one as EventBatch;
      throw new Error('the disk is gone');
    } finally {
      closed++;
    }
  }
  function* whole() {
    try {
      yield one as EventBatch;
      yield one as EventBatch;
    } finally {
      closed++;
    }
  }
  const writer = new HistoryWriter(path, 2, fileForm);
  const lists = mergedRows([whole(), failing()], everyRow, 1);
  t.throws(() => writeEventFile(writer.begin(app, day), lists), /the disk is gone/);
  t.equal(closed, 2);
});

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`got ${JSON.stringify(got)}\nwant ${JSON.stringify(want)}`);
}
