// Batched look-ups in tables too large for a cache, against one look-up after another: external ids
// among a million people, and event ids among eight million.
// Run: npx tsx bench/lookups.ts [--people=1000000] [--ids=8000000]

import { ExpiringSet } from '../engine/base/expiring-set.ts';
import { newHashKey } from '../engine/base/hash.ts';
import { below, seededRng } from '../engine/base/rng.ts';
import { type Slices, StringTable } from '../engine/base/string-table.ts';
import { median, numberOption, printSummary } from './support/options.ts';

const people = numberOption('people', 1_000_000);
const idCount = numberOption('ids', 8_000_000);
const perBatch = 1000;
const batches = 200;
const rounds = 5;
const rng = seededRng(1);

const names = new StringTable(newHashKey(rng));
for (let i = 0; i < people; i++) names.addText(`user-${i}`);
const ids = new ExpiringSet(2 * idCount + 1_000_000);
for (let i = 0; i < idCount; i++) ids.addIfAbsent(rng.uint32(), rng.uint32(), 1);

const bodies = Array.from({ length: batches }, body);
const found = new Int32Array(perBatch);
const figures = {
  people,
  ids: idCount,
  ...compared('external id', 'id', oneByOne, inPasses),
  ...compared('event id asked for and added', 'event', addedOneByOne, addedInPasses),
};
printSummary('lookups', figures);

interface Body {
  readonly bytes: Uint8Array;
  readonly texts: Slices;
}

function body(): Body {
  const texts = { start: new Uint32Array(perBatch), end: new Uint32Array(perBatch) };
  let text = '';
  for (let i = 0; i < perBatch; i++) {
    texts.start[i] = text.length;
    text += `user-${below(rng, people)}`;
    texts.end[i] = text.length;
    text += '","name":"viewed"},{"externalUserId":"';
  }
  return { bytes: Buffer.from(text), texts };
}

function oneByOne({ bytes, texts }: Body): void {
  for (let i = 0; i < perBatch; i++) found[i] = names.find(bytes, texts.start[i], texts.end[i]);
}

function inPasses({ bytes, texts }: Body): void {
  names.findAll(bytes, texts, perBatch, found);
}

function addedOneByOne(): void {
  for (let i = 0; i < perBatch; i++) {
    const [high, low] = [rng.uint32(), rng.uint32()];
    if (!ids.has(high, low, 1)) ids.addIfAbsent(high, low, 1);
  }
}

function addedInPasses(): void {
  const [highs, lows] = [new Uint32Array(perBatch), new Uint32Array(perBatch)];
  for (let i = 0; i < perBatch; i++) {
    highs[i] = rng.uint32();
    lows[i] = rng.uint32();
  }
  ids.touch(highs, perBatch);
  for (let i = 0; i < perBatch; i++) {
    const [high, low] = [highs[i] as number, lows[i] as number];
    if (!ids.has(high, low, 1)) ids.addIfAbsent(high, low, 1);
  }
}

function compared(
  what: string,
  name: string,
  alone: (body: Body) => void,
  together: (body: Body) => void,
): Record<string, number> {
  const took: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [i, run] of [alone, together].entries()) {
      const startedMs = performance.now();
      for (const one of bodies) run(one);
      took[i]?.push(((performance.now() - startedMs) * 1e6) / (batches * perBatch));
    }
  }
  const [aloneNs, togetherNs] = [median(took[0]), median(took[1])];
  const ratio = aloneNs / togetherNs;
  console.log(
    `${what}: ${aloneNs.toFixed(0)} ns one by one, ${togetherNs.toFixed(0)} ns in passes, ${ratio.toFixed(2)} × as fast`,
  );
  return { [`${name}Ns`]: togetherNs, [`${name}Ratio`]: ratio };
}
