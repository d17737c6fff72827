// Frames: what is read is what was written, a changed bit is found, and a chain is followed.

import fc from 'fast-check';
import t from 'tap';
import type { TurnWrite } from '../../../engine/actor/store.ts';
import {
  DamagedFrame,
  decodeFrame,
  encodeFrame,
  encodeTurnFrame,
  turnOf,
} from '../../../engine/log/frame.ts';
import { LogDamaged, LogReader } from '../../../engine/log/log-reader.ts';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const head = fc.record({
  kind: fc.constant('turn' as const),
  term: u32,
  epoch: u32,
  seq: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  writer: u32,
  before: u32,
});
const some = fc.uint8Array({ maxLength: 300 });
const turns = fc.record({
  block: some,
  documents: fc.array(
    fc.record({
      key: fc.uint8Array({ minLength: 1, maxLength: 512 }),
      value: fc.option(some, { nil: undefined }),
    }),
    { maxLength: 8 },
  ),
  kinds: fc.array(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), { maxLength: 3 }),
});
const plain = ({ seq, block, documents, kinds = [] }: TurnWrite) => ({
  seq,
  block: [...block],
  documents: documents.map(({ key, value }) => [[...key], value && [...value]]),
  kinds: [...kinds],
});

t.test('a turn comes back as it was', async () => {
  fc.assert(
    fc.property(head, turns, (head, content) => {
      const turn = { seq: head.seq, ...content };
      const frame = decodeFrame(encodeTurnFrame(head, turn));
      const { sum: _sum, content: _content, ...read } = frame;
      t.same(read, head);
      t.same(plain(turnOf(frame)), plain(turn));
    }),
  );
});

t.test('a bit that changed, and a cut, are found', async () => {
  fc.assert(
    fc.property(head, turns, fc.nat(), fc.integer({ min: 0, max: 7 }), (head, content, at, bit) => {
      const bytes = encodeTurnFrame(head, { seq: head.seq, ...content });
      const place = at % bytes.length;
      bytes[place] = (bytes[place] as number) ^ (1 << bit);
      t.throws(() => decodeFrame(bytes), DamagedFrame);
      bytes[place] = (bytes[place] as number) ^ (1 << bit);
      t.throws(() => decodeFrame(bytes.subarray(0, place)), DamagedFrame);
    }),
  );
});

t.test('a reader follows the chain, and finds what is missing or not of it', async (t) => {
  const claim = (term: number, writer: number) =>
    encodeFrame({ kind: 'claim', term, epoch: 1, seq: 0, writer, before: 0 }, Buffer.from('n'));
  const turn = (reader: LogReader, change: object = {}) => {
    const { term, seq, writer, sum } = reader.place;
    const block = Buffer.from('b');
    const head = { kind: 'turn', term, epoch: 1, seq: seq + 1, writer, before: sum } as const;
    return encodeTurnFrame({ ...head, ...change }, { seq: seq + 1, block, documents: [] });
  };
  const reader = new LogReader();
  reader.take(1, claim(1, 7));
  const first = turn(reader);
  t.equal(reader.take(2, first)?.seq, 1);
  t.throws(() => reader.take(4, turn(reader)), LogDamaged, 'a position is missing');
  t.throws(() => reader.take(3, turn(reader, { before: 1 })), LogDamaged, 'another chain');
  t.throws(() => reader.take(3, turn(reader, { seq: 9 })), LogDamaged, 'a turn is missing');
  t.throws(() => reader.take(3, turn(reader, { term: 2 })), LogDamaged, 'a term without a claim');
  t.throws(() => reader.take(3, turn(reader, { writer: 8 })), LogDamaged, 'not who claimed');
  t.throws(() => reader.take(3, first), LogDamaged, 'a frame twice');
  t.equal(reader.take(3, claim(1, 8)), undefined, 'the second claim of a term is void');
  const late = turn(reader);
  t.equal(reader.take(4, claim(2, 8))?.term, 2);
  t.equal(reader.take(5, late), undefined, 'a frame of the owner of before is void');
  t.equal(reader.take(6, turn(reader))?.seq, 2);
  t.equal(reader.voids, 2);
});
