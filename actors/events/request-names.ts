// The dictionary of one request's names, so that what comes after looks a name up once per request,
// not once per event. A name is checked when it is first seen. Names made to collide cost a few
// comparisons each and then end the fast path.

import type { EventRows } from './event-rows.ts';
import { isPlainClientName } from './names.ts';

// Open addressing. A slot holds the index of a name above the generation of the request that filled
// it, so that nothing is cleared between requests.
const slotCount = 4096;
const slots = new Uint32Array(slotCount);
const generationStep = 1024;
let generation = 0;
// Names made to collide cost at most this many comparisons each; then the slow path's Map, which
// has a secret seed, reads.
const probesMax = 16;

/** Forgets the names of the request before. */
export function beginNames(): void {
  generation += generationStep;
  if (generation > 0xffff_0000) {
    slots.fill(0);
    generation = generationStep;
  }
}

/**
 * The index of a name in the request's dictionary; -1 if it is unusual or no client may send it.
 */
export function internName(body: Uint8Array, start: number, end: number, out: EventRows): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (body[i] as number), 0x01000193);
  let slot = (hash ^ (hash >>> 15)) & (slotCount - 1);
  for (let probe = 0; probe < probesMax; probe++) {
    const value = slots[slot] as number;
    if (value < generation) {
      if (!isPlainClientName(body, start, end)) return -1;
      const index = out.nameCount++;
      out.names.start[index] = start;
      out.names.end[index] = end;
      slots[slot] = generation + index;
      return index;
    }
    const index = value - generation;
    const from = out.names.start[index] as number;
    if ((out.names.end[index] as number) - from === end - start && same(body, from, start, end)) {
      return index;
    }
    slot = (slot + 1) & (slotCount - 1);
  }
  return -1;
}

function same(body: Uint8Array, other: number, start: number, end: number): boolean {
  for (let i = start, j = other; i < end; i++, j++) {
    if (body[i] !== body[j]) return false;
  }
  return true;
}
