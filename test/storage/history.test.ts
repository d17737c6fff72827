// Files of history: each is whole or not there, and what no checkpoint lists goes.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { dayMs } from '../../engine/base/brand.ts';
import type { HistoryFile } from '../../storage/checkpoint.ts';
import {
  dayOf,
  HistoryGone,
  HistoryReader,
  HistoryWriter,
  historyPath,
  historyProblem,
  removeUnlisted,
} from '../../storage/history.ts';
import { temporaryDirectory } from './support/directory.ts';

const day = dayOf(Date.UTC(2026, 0, 31));
const app = 4101;
const events = {
  count: 2,
  minSeq: 7,
  maxSeq: 9,
  minAtMs: day * dayMs,
  maxAtMs: day * dayMs + 5,
};

function written(writer: HistoryWriter, text: string, { of = app, on = day, from = 7 } = {}) {
  const draft = writer.begin(of, on);
  for (const letter of text) draft.append(Buffer.from(letter));
  return draft.keep({ ...events, minSeq: from });
}

function read(path: string, file: HistoryFile): string {
  const reader = new HistoryReader(path, file);
  try {
    return reader.read(0, file.bytes + 10).toString();
  } finally {
    reader.close();
  }
}

t.test('a file lies below its app and day, named by its events and its pass', async (t) => {
  const path = temporaryDirectory();
  const writer = new HistoryWriter(path, 3, 'ev2');
  const file = written(writer, 'events');
  writer.finish();
  t.match(file, { ...events, app, day, file: '4101/2026-01-31/7-9.3.ev2', bytes: 6 });
  t.equal(read(path, file), 'events');
  t.equal(historyProblem(path, file), undefined);
  t.same(readdirSync(join(historyPath(path), '4101', '2026-01-31')), ['7-9.3.ev2']);
});

t.test('a file has its bytes in the order they were added, however many', async (t) => {
  const path = temporaryDirectory();
  const draft = new HistoryWriter(path, 1, 'ev2').begin(app, day);
  const pieces = Array.from({ length: 40 }, (_, i) => Buffer.alloc(100_000 + i, i));
  for (const piece of pieces) draft.append(piece);
  const file = draft.keep(events);
  t.equal(historyProblem(path, file), undefined);
  const reader = new HistoryReader(path, file);
  t.ok(reader.read(0, file.bytes).equals(Buffer.concat(pieces)));
  t.same(reader.read(100_000 - 2, 3), Buffer.from([0, 0, 1]), 'and any piece can be read');
  t.equal(reader.read(file.bytes - 1, 5).length, 1, 'up to its end');
  reader.close();
});

t.test('a draft that is abandoned leaves nothing, also after it could not be kept', async (t) => {
  const path = temporaryDirectory();
  const writer = new HistoryWriter(path, 1, 'ev2');
  writer.begin(app, day).abandon();
  const folder = join(historyPath(path), '4101', '2026-01-31');
  t.same(readdirSync(folder), []);
  const draft = writer.begin(app, day);
  mkdirSync(join(folder, '7-9.1.ev2'));
  t.throws(() => draft.keep(events));
  draft.abandon();
  t.same(readdirSync(folder), ['7-9.1.ev2']);
});

t.test('a damaged or shortened file is named, a missing one is gone', async (t) => {
  const path = temporaryDirectory();
  const file = written(new HistoryWriter(path, 1, 'ev2'), 'events');
  const full = join(historyPath(path), file.file);
  writeFileSync(full, 'eventz');
  t.match(historyProblem(path, file), /7-9\.1\.ev2 fails its checksum/);
  writeFileSync(full, readFileSync(full).subarray(1));
  t.match(historyProblem(path, file), /has 5 bytes, expected 6/);
  removeUnlisted(path, new Set());
  t.throws(() => read(path, file), HistoryGone);
});

t.test('a file that is removed while it is read can be read to its end', async (t) => {
  const path = temporaryDirectory();
  const file = written(new HistoryWriter(path, 1, 'ev2'), 'events');
  const reader = new HistoryReader(path, file);
  removeUnlisted(path, new Set());
  t.equal(reader.read(0, 6).toString(), 'events');
  reader.close();
});

t.test('only what is listed stays, and no empty directory', async (t) => {
  const path = temporaryDirectory();
  t.equal(removeUnlisted(path, new Set()), 0, 'without any history there is nothing to do');
  const writer = new HistoryWriter(path, 1, 'ev2');
  const kept = written(writer, '1');
  written(writer, '2', { from: 8 });
  written(writer, '3', { on: day + 1 });
  written(writer, '4', { of: 8197 });
  writer.finish();
  writeFileSync(join(historyPath(path), '8197', '2026-01-31', '1-0.tmp'), 'half');
  t.equal(removeUnlisted(path, new Set([kept.file])), 4);
  t.same(readdirSync(historyPath(path), { recursive: true }).sort(), [
    '4101',
    join('4101', '2026-01-31'),
    kept.file,
  ]);
});
