// Blocks are packed into buffers that are lent and come back, while records of documents wait in
// the buffer that all of a thread's packers share: neither may ever write over the other.

import '../../../engine/base/plain-msgpack.ts';
import fc from 'fast-check';
import { isNativeAccelerationEnabled, Packr } from 'msgpackr';
import t from 'tap';
import { type Block, BlockPacker, decodeBlock, encodeBlock } from '../../../engine/actor/block.ts';
import type { Entry } from '../../../engine/actor/message.ts';
import { tries } from '../../support/tries.ts';

const records = new Packr();
const blockOf = (size: number, fill: number): Block => ({
  atMs: 1_700_000_000_000 + fill,
  entries: [{ kind: 'noted', owner: fill, batch: new Uint8Array(size).fill(fill) } as Entry],
});
const bytesIn = (block: Uint8Array) => {
  const [entry] = decodeBlock(block).entries as (Entry & { batch: Uint8Array })[];
  return entry === undefined ? [] : [entry.owner, entry.batch.length, ...new Set(entry.batch)];
};

const step = fc.oneof(
  fc.record({
    do: fc.constant('block' as const),
    size: fc.oneof(fc.nat(300), fc.integer({ min: 60_000, max: 70_000 })),
  }),
  fc.record({ do: fc.constant('record' as const), size: fc.nat(3_000) }),
  fc.record({ do: fc.constant('give back' as const), size: fc.constant(0) }),
);

t.test('whatever is packed meanwhile, a block is whole until it is given back', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const packer = new BlockPacker();
      const lent: { readonly block: Uint8Array; readonly size: number; readonly fill: number }[] =
        [];
      const kept: { readonly record: Uint8Array; readonly text: string }[] = [];
      for (const [i, { do: what, size }] of steps.entries()) {
        const fill = i % 250;
        if (what === 'block') lent.push({ block: packer.pack(blockOf(size, fill)), size, fill });
        else if (what === 'record') {
          const text = `${i} `.repeat(size / 4);
          kept.push({ record: records.pack(text), text });
        } else {
          const oldest = lent.shift();
          if (oldest !== undefined) packer.giveBack(oldest.block);
        }
        for (const { block, size, fill } of lent) {
          const expected = size === 0 ? [fill, 0] : [fill, size, fill];
          if (String(bytesIn(block)) !== String(expected)) return false;
        }
        for (const { record, text } of kept) if (records.unpack(record) !== text) return false;
      }
      return true;
    }),
    { seed: 8, numRuns: tries(150) },
  );
  t.pass();
});

t.test('a block that came back is written over, and one of its own never is', async (t) => {
  const packer = new BlockPacker();
  const first = packer.pack(blockOf(100, 1));
  const own = encodeBlock(blockOf(100, 7));
  packer.giveBack(first);
  const second = packer.pack(blockOf(100, 2));
  t.equal(second.buffer, first.buffer, 'the very buffer');
  encodeBlock(blockOf(100, 9));
  t.same(bytesIn(own), [7, 100, 7]);
});

t.test('nothing native reads strings: it gives other texts while a thread loads it', async (t) => {
  t.equal(isNativeAccelerationEnabled, false);
});
