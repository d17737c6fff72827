// How a pass joins files: every event stays, a day has few files while it lasts and about one when
// it is over, and no event is written anew with each file that comes.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { EventFile } from '../../../../actors/events/history/event-file.ts';
import { type HistoryBounds, HistoryPass } from '../../../../actors/events/history/history-pass.ts';
import { encodeDrafts } from '../../../../actors/events/log/drafts.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import type { Entry } from '../../../../engine/actor/message.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import type { HistoryFile } from '../../../../storage/checkpoint.ts';
import { historyPath } from '../../../../storage/history.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { nowMs } from '../bodies.ts';

const app = 4101;

/** Passes over one directory, each with what the one before listed. */
class Passes {
  readonly path = temporaryDirectory();
  readonly problems: string[] = [];
  listed: readonly HistoryFile[] = [];
  /** Rows written into files, those that were joined counted again. */
  written = 0;
  #generation = 0;
  #nextSeq = 1;

  pass(atMs: number, count: number, eventMs = atMs, bounds: Partial<HistoryBounds> = {}): void {
    const pass = new HistoryPass({
      partitionPath: this.path,
      generation: ++this.#generation,
      nowMs: atMs,
      sweep: false,
      listed: this.listed,
      erasing: [],
      bounds,
      eventsOf,
      appOf: () => ({ retentionMs: 90 * dayMs, erased: new Set() }),
      onDamaged: (file) => this.problems.push(file),
    });
    if (count > 0) {
      const drafts = Array.from({ length: count }, (_, i) => ({
        name: 'a',
        person: (this.#nextSeq + i) % 37,
        atMs: eventMs,
      }));
      const batch = encodeDrafts(drafts, atMs, this.#nextSeq);
      this.#nextSeq += count;
      pass.add({ kind: 'events.tracked', owner: app, atMs, keyless: false, batch } as Entry, atMs);
    }
    const before = new Set(this.listed);
    this.listed = pass.finish().history;
    for (const file of this.listed) if (!before.has(file)) this.written += file.count;
  }

  get seqs(): number[] {
    return this.listed
      .flatMap((listed) => [...new EventFile(this.path, listed).blocks()])
      .flatMap((events) => Array.from({ length: events.count }, (_, row) => events.seq(row)))
      .sort((a, b) => a - b);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

t.test('a day has few files while it lasts, and each event is written a few times', async (t) => {
  const passes = new Passes();
  let most = 0;
  for (let round = 0; round < 120; round++) {
    passes.pass(nowMs + round, 5);
    most = Math.max(most, passes.listed.length);
  }
  t.ok(most <= 8 * 3, `${most} files`);
  t.ok(passes.written <= 600 * 4, `${passes.written} rows were written for 600`);
  t.same(passes.seqs, upTo(600));
  passes.pass(nowMs + 2 * dayMs, 0);
  t.equal(passes.listed.length, 1, 'and one file when it is over');
  t.same(passes.seqs, upTo(600));
  const { written } = passes;
  for (let round = 0; round < 6; round++) passes.pass(nowMs + 2 * dayMs + round, 1, nowMs);
  t.equal(passes.written, written + 6, 'a few late events do not write a whole day anew');
  for (let round = 0; round < 6; round++) passes.pass(nowMs + 2 * dayMs + round, 20, nowMs);
  t.ok(passes.listed.length <= 3);
  t.same(passes.seqs, upTo(726));
});

t.test('files that would be too large together are joined in part', async (t) => {
  const passes = new Passes();
  const bounds = { historyRowsMax: 50 };
  for (let round = 0; round < 12; round++) passes.pass(nowMs + round, 15, nowMs, bounds);
  passes.pass(nowMs + 2 * dayMs, 0, nowMs, bounds);
  t.ok(passes.listed.every(({ count }) => count <= 50));
  t.ok(passes.listed.length < 12);
  t.same(passes.seqs, upTo(180));
});

t.test('a file that is missing stays listed, and the others of its day as they are', async (t) => {
  const passes = new Passes();
  for (let round = 0; round < 3; round++) passes.pass(nowMs + round, 5);
  const [first] = passes.listed;
  rmSync(join(historyPath(passes.path), first?.file ?? ''));
  const { listed } = passes;
  passes.pass(nowMs + 2 * dayMs, 0);
  t.same(passes.listed, listed);
  t.equal(passes.problems.length, 1);
});
