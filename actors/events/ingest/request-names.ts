// A request's name dictionary: one look-up per name and request, checked on first appearance.

import type { EventRows } from '../log/event-rows.ts';
import { isPlainClientName } from './names.ts';

// Open addressing. A slot has its request's generation and the name index: no clearing.
const slotCount = 4096;
const slots = new Uint32Array(slotCount);
const generationStep = 1024;
let generation = 0;
// Colliding names cost at most this; then the slow path uses a Map with a secret seed.
const probesMax = 16;

export function beginNames(): void {
  generation += generationStep;
  if (generation > 0xffff_0000) {
    slots.fill(0);
    generation = generationStep;
  }
}

/** -1 if it is unusual or no client may send it. */
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
