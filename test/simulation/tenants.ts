// Names that the simulator's clients use for what they own, and the owner that an id names.

import { createHash } from 'node:crypto';
import { formatId, type IdPrefix, parseId } from '../../engine/base/id.ts';

const prefixes: readonly IdPrefix[] = [
  'sub',
  'ntf',
  'dl',
  'dev',
  'app',
  'msg',
  'cmp',
  'jrn',
  'tpl',
  'la',
];

/** The owner in an id; `undefined` for text that is no id. */
export function ordinalOfId(id: string): number | undefined {
  const prefix = prefixes.find((one) => id.startsWith(`${one}_`));
  // The copy of a variant is called by its campaign and itself, that of a step by its journey, its
  // version once the step was corrected, and itself.
  const [whole = id] = id.split(/[@/]/);
  return prefix === undefined ? undefined : parseId(prefix, whole)?.ordinal;
}

/** The id of the `n`-th org or key of a world. */
export function worldId(prefix: 'org' | 'key', n: number): string {
  return formatId(prefix, { ordinal: 0, atMs: 0, high16: 0, low32: n });
}

/** `count` bytes that a text stands for. */
export function bytesOf(text: string, count: number): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest().subarray(0, count));
}

/** Four unsigned words that a text stands for. */
export function wordsOf(text: string): readonly [number, number, number, number] {
  const bytes = createHash('sha256').update(text).digest();
  const word = (at: number) => bytes.readUInt32BE(at);
  return [word(0), word(4), word(8), word(12)];
}
