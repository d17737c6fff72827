// History as a checkpoint lists it: always the newest, and opened only as often as necessary.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { newestHistory, noHistory } from '../../../../actors/events/history/event-history.ts';
import { encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import { decodeBatch } from '../../../../actors/events/log/event-batch.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import {
  checkpointsPath,
  type HistoryFile,
  nextGeneration,
  writeCheckpoint,
} from '../../../../storage/checkpoint.ts';
import { dayOf, HistoryGone, historyPath, removeUnlisted } from '../../../../storage/history.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { nowMs } from '../bodies.ts';
import { app, fileOf } from './files.ts';

function checkpoint(path: string, seq: number, history: readonly HistoryFile[]): void {
  const generation = nextGeneration(path);
  writeCheckpoint(
    path,
    { partition: 0, epoch: 1, generation, seq, atMs: 0, history, erasing: [] },
    [],
  );
}

/** A file of one event on a day before now. */
function dayFile(path: string, daysAgo: number, generation: number): HistoryFile {
  const atMs = nowMs - daysAgo * dayMs;
  const batch = encodeDrafts([{ name: 'a', person: daysAgo, atMs }], nowMs, 100 - daysAgo);
  return fileOf(path, [decodeBatch(batch)], { generation });
}

t.test('the newest checkpoint is the one that is read, from the moment it is there', async (t) => {
  const path = temporaryDirectory();
  t.equal(newestHistory(path), noHistory);
  t.same(noHistory.filesOf(app), []);
  const first = dayFile(path, 0, 1);
  checkpoint(path, 5, [first]);
  const history = newestHistory(path);
  t.equal(history.seq, 5);
  t.equal(newestHistory(path), history, 'and its manifest is read once');
  const second = dayFile(path, 3, 2);
  checkpoint(path, 9, [first, second]);
  const newer = newestHistory(path);
  t.equal(newer.seq, 9);
  t.same(newer.filesOf(app), [first, second]);
  t.same(newer.filesOf(app + 4096), []);
  t.same(newer.daysOf(app), [dayOf(nowMs), dayOf(nowMs) - 3]);
  rmSync(join(checkpointsPath(path), '9.2'), { recursive: true });
  t.equal(newestHistory(path).seq, 5, 'one that is gone is not remembered');
});

t.test('only files of the time that is asked for are opened', async (t) => {
  const path = temporaryDirectory();
  const files = [0, 1, 2, 3].map((daysAgo) => dayFile(path, daysAgo, daysAgo + 1));
  checkpoint(path, 1, files);
  for (const { file } of files.slice(2)) rmSync(join(historyPath(path), file));
  const history = newestHistory(path);
  const people = (fromMs: number, toMs: number) =>
    [...history.find(app, { fromMs, toMs })].map(({ events }) => events.person(0));
  t.same(people(nowMs - 1.5 * dayMs, nowMs + 1), [0, 1]);
  t.same(people(nowMs - 1.5 * dayMs, nowMs), [1]);
  t.throws(() => people(nowMs - 2 * dayMs, nowMs), HistoryGone);
  t.same([...history.find(app, { beforeSeq: 97 })], [], 'nor of numbers that are too high');
});

t.test('a file that was removed is gone, also when its directory is still known', async (t) => {
  const path = temporaryDirectory();
  checkpoint(path, 1, [dayFile(path, 0, 1)]);
  const history = newestHistory(path);
  t.equal([...history.find(app, { person: 0 })].length, 1);
  removeUnlisted(path, new Set());
  t.throws(() => [...history.find(app, { person: 0 })], HistoryGone);
});
