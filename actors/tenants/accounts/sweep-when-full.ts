// Deleted apps make room while the disk is nearly full, when no timer fires.

import type { Tell } from '../../../engine/actor/message.ts';
import type { AccountsMemory } from './memory.ts';

/** Slices of a deleted app in a turn. */
const slicesPerTurn = 8;

export function sweepsWhenFull({ tombstones }: AccountsMemory): readonly Tell[] {
  const [to] = tombstones;
  if (to === undefined) return [];
  const message = { kind: 'app.sweep', by: -1, isExtra: true } as Tell['message'];
  return Array.from({ length: slicesPerTurn }, () => ({ to, message }));
}
