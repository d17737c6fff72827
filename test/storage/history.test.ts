// Files of history: each is whole or not there, and what no checkpoint lists goes.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { dayMs } from '../../engine/base/brand.ts';
import {
  dayName,
  dayOf,
  HistoryGone,
  HistoryWriter,
  historyPath,
  historyProblem,
  readHistory,
  removeUnlisted,
} from '../../storage/history.ts';
import { temporaryDirectory } from './support/directory.ts';

const day = dayOf(Date.UTC(2026, 0, 31));
const block = {
  app: 4101,
  day,
  count: 2,
  minSeq: 7,
  maxSeq: 9,
  minAtMs: day * dayMs,
  maxAtMs: day * dayMs + 5,
};

t.test('a block lies below its app and day, named by its events and its pass', async (t) => {
  const path = temporaryDirectory();
  const writer = new HistoryWriter(path, 3);
  const file = writer.write(block, Buffer.from('events'));
  writer.finish();
  t.match(file, { ...block, file: '4101/2026-01-31/7-9.3.ev', bytes: 6 });
  t.same(readHistory(path, file).toString(), 'events');
  t.equal(historyProblem(path, file), undefined);
  t.same(readdirSync(join(historyPath(path), '4101', '2026-01-31')), ['7-9.3.ev']);
});

t.test('a damaged or shortened file is named, a missing one is gone', async (t) => {
  const path = temporaryDirectory();
  const writer = new HistoryWriter(path, 1);
  const file = writer.write(block, Buffer.from('events'));
  const full = join(historyPath(path), file.file);
  writeFileSync(full, 'eventz');
  t.match(historyProblem(path, file), /7-9\.1\.ev fails its checksum/);
  writeFileSync(full, readFileSync(full).subarray(1));
  t.match(historyProblem(path, file), /has 5 bytes, not 6/);
  t.throws(() => readHistory(path, file), /has 5 bytes, not 6/);
  removeUnlisted(path, new Set());
  t.throws(() => readHistory(path, file), HistoryGone);
});

t.test('only what is listed stays, and no empty directory', async (t) => {
  const path = temporaryDirectory();
  t.equal(removeUnlisted(path, new Set()), 0, 'without any history there is nothing to do');
  const writer = new HistoryWriter(path, 1);
  const kept = writer.write(block, Buffer.from('1'));
  writer.write({ ...block, minSeq: 10, maxSeq: 11 }, Buffer.from('2'));
  writer.write({ ...block, day: day + 1 }, Buffer.from('3'));
  writer.write({ ...block, app: 8197 }, Buffer.from('4'));
  writer.finish();
  writeFileSync(join(historyPath(path), '8197', dayName(day), '1-2.1.ev.tmp'), 'half');
  t.equal(removeUnlisted(path, new Set([kept.file])), 4);
  t.same(readdirSync(historyPath(path), { recursive: true }).sort(), [
    '4101',
    join('4101', '2026-01-31'),
    kept.file,
  ]);
});
