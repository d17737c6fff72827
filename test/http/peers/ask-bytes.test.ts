// Whatever can cross threads as a message or an answer crosses servers likewise.

import { isDeepStrictEqual as same } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import type { Answer, Message } from '../../../engine/actor/message.ts';
import {
  decodeAnswer,
  decodeAsk,
  encodeAnswer,
  encodeAsk,
  type PeerAsk,
} from '../../../http/peers/ask-bytes.ts';
import { tries } from '../../support/tries.ts';

const values = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constantFrom(null, undefined, 2 ** 31, 2 ** 32, -(2 ** 31) - 1),
    fc.uint8Array(),
    fc.float64Array({ maxLength: 4 }),
  ),
  any: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('object'), tie('map'), tie('set')),
  list: fc.array(tie('any'), { maxLength: 6 }),
  object: fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,6}$/), tie('any'), { maxKeys: 12 }),
  map: fc
    .array(fc.tuple(fc.oneof(fc.string(), fc.integer()), tie('any')))
    .map((all) => new Map(all)),
  set: fc.array(fc.oneof(fc.string(), fc.integer())).map((all) => new Set(all)),
})).object as fc.Arbitrary<Record<string, unknown>>;

/** Bytes are bytes, of whatever class, and nobody tells the two zeros apart. */
function plain(value: unknown): unknown {
  if (value === 0) return 0;
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (ArrayBuffer.isView(value)) return { floats: [...(value as Float64Array)] };
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return { map: [...value].map(plain) };
  if (value instanceof Set) return { set: [...value] };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

t.test('a message and its answer arrive as they were sent', async () => {
  fc.assert(
    fc.property(values, values, fc.option(fc.uint8Array()), (about, value, bytes) => {
      const message = { ...about, kind: 'any' } as Message;
      const ask: PeerAsk = {
        ...{ partition: 3, to: 2 ** 32 - 1, message, lane: 'bulk', timeoutMs: 1.5, weight: 7 },
        bytes: bytes ?? undefined,
      };
      const answer: Answer = { ok: true, value };
      return (
        same(plain(decodeAsk(encodeAsk(ask))), plain(ask)) &&
        same(plain(decodeAnswer(encodeAnswer(answer))), plain(answer))
      );
    }),
    { numRuns: tries(600) },
  );
});
