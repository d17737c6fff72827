// Beats as bytes: what was said is heard the same, it is small, and garbage is no beat.

import fc from 'fast-check';
import t from 'tap';
import type { Beat, CopySaid } from '../../../engine/cluster/beat.ts';
import { decodeBeat, encodeBeat } from '../../../engine/cluster/beat-bytes.ts';
import { copyRoles } from '../../../engine/log/copy.ts';

const uint32 = fc.nat(0xffff_ffff);
const copy: fc.Arbitrary<CopySaid> = fc
  .record({
    partition: fc.nat(255),
    generation: fc.nat(1000),
    role: fc.constantFrom(...copyRoles),
    term: uint32,
    position: fc.maxSafeNat(),
    seq: fc.maxSafeNat(),
    sum: uint32,
    movesTo: fc.option(fc.string(), { nil: undefined }),
    awaitsTerm: fc.option(uint32, { nil: undefined }),
  })
  .map(({ movesTo, awaitsTerm, ...said }) => ({
    ...(said as unknown as CopySaid),
    ...(movesTo !== undefined && { movesTo }),
    ...(awaitsTerm !== undefined && { awaitsTerm }),
  }));
const beat = fc.record({
  member: fc.record({
    ...{ name: fc.string(), address: fc.string(), zone: fc.string(), version: fc.string() },
    ...{ instance: uint32, level: fc.nat() },
  }),
  ...{ count: fc.nat(), wallMs: fc.maxSafeNat(), planVersion: fc.nat() },
  ...{ isJoining: fc.boolean(), isDraining: fc.boolean(), isClockWrong: fc.boolean() },
  copies: fc.array(copy),
}) as unknown as fc.Arbitrary<Beat>;

t.test('what was said is heard', async (t) => {
  fc.assert(fc.property(beat, (one) => void t.same(decodeBeat(encodeBeat(one)), one)));
});

t.test('a member with 24 copies says little', async (t) => {
  const [one] = fc.sample(beat, 1) as [Beat];
  const copies = fc.sample(copy, { numRuns: 24, seed: 1 });
  const bytes = encodeBeat({ ...one, copies: copies.map((said) => ({ ...said, movesTo: 'two' })) });
  t.ok(bytes.byteLength < 4096, `${bytes.byteLength} bytes`);
});

t.test('garbage, and beats of another version, are no beats', async (t) => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeBeat(bytes) === undefined));
  fc.assert(fc.property(fc.json(), (text) => decodeBeat(Buffer.from(text)) === undefined));
  const [one] = fc.sample(beat, 1) as [Beat];
  const said = JSON.parse(Buffer.from(encodeBeat(one)).toString());
  for (const wrong of [
    { version: 2 },
    { member: { ...said.member, name: 7 } },
    { member: null },
    { count: '1' },
    { count: -1 },
    { isJoining: 1 },
    { copies: {} },
    { copies: [[0, 1, 'king', 1, 1, 1, 1]] },
    { copies: [[0, 1, 'owner', 1, 1, 1]] },
    { copies: [null] },
  ])
    t.equal(decodeBeat(Buffer.from(JSON.stringify({ ...said, ...wrong }))), undefined);
});
