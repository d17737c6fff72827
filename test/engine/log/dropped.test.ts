// A log that has dropped what a copy would have to read: the copy claims nothing, and an owner that
// slept for so long has lost its term.

import t from 'tap';
import { encodeFrame, encodeTurnFrame } from '../../../engine/log/frame.ts';
import { beginning, LogReader } from '../../../engine/log/log-reader.ts';
import { FramesDropped, LogWriter } from '../../../engine/log/log-writer.ts';
import { MemoryLog, MemoryStream } from '../../../engine/log/memory-log.ts';
import type { PartitionLog } from '../../../engine/log/partition-log.ts';
import { changedLog } from './support/changed-log.ts';

const claimOf = (writer: number, term: number) =>
  encodeFrame({ kind: 'claim', term, epoch: 1, seq: 0, before: 0, writer }, Buffer.from('n'));
const turnOf = (writer: LogWriter) => {
  const next = writer.next('turn');
  const turn = { seq: next.seq, block: Buffer.from('b'), documents: [] };
  return encodeTurnFrame({ kind: 'turn', epoch: 1, ...next }, turn);
};
const writerOf = (log: PartitionLog, writer: number, from = beginning) =>
  new LogWriter({ log, writer, from, wait: async () => {} });

/** Some logs give nothing where they have dropped something, others the oldest that they have. */
const kinds: Readonly<Record<string, (stream: MemoryStream) => PartitionLog>> = {
  'says nothing': (stream) => new MemoryLog(stream),
  'goes on with the oldest it has': (stream) =>
    changedLog((log) => ({
      read: (after, bytes) => log.read(Math.max(after, stream.oldest - 1), bytes),
    }))(new MemoryLog(stream)),
};

for (const [name, reach] of Object.entries(kinds)) {
  t.test(`where it ${name}, whoever is behind claims nothing`, async (t) => {
    const stream = new MemoryStream();
    const owner = writerOf(reach(stream), 1);
    await owner.claim(claimOf(1, 1), () => {});
    for (let turn = 0; turn < 5; turn++) await owner.append(turnOf(owner));
    stream.trim(4);
    const late = writerOf(reach(stream), 2);
    await t.rejects(
      late.claim(claimOf(2, 2), () => {}),
      FramesDropped,
    );
    t.equal(stream.newest, 6, 'the owner keeps its term');
    await owner.append(turnOf(owner));
  });

  t.test(`where it ${name} while a claim is read, that ends`, async (t) => {
    const stream = new MemoryStream();
    const owner = writerOf(reach(stream), 1);
    await owner.claim(claimOf(1, 1), () => {});
    for (let turn = 0; turn < 5; turn++) await owner.append(turnOf(owner));
    const log = changedLog((log) => ({
      read: (after, bytes) => {
        stream.trim(4);
        return log.read(after, bytes);
      },
    }))(reach(stream));
    await t.rejects(
      writerOf(log, 2).claim(claimOf(2, 2), () => {}),
      FramesDropped,
    );
  });

  t.test(`where it ${name}, an owner that slept learns that it cannot know`, async (t) => {
    const stream = new MemoryStream();
    const owner = writerOf(reach(stream), 1);
    await owner.claim(claimOf(1, 1), () => {});
    await owner.append(turnOf(owner));
    const frame = turnOf(owner);
    const next = writerOf(reach(stream), 2);
    await next.claim(claimOf(2, 2), () => {});
    await next.append(turnOf(next));
    stream.trim(3);
    await t.rejects(owner.append(frame), FramesDropped);
    const reader = new LogReader(next.place);
    t.equal(reader.place.seq, 2);
  });
}
