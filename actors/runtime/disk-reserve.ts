// What works while the disk is nearly full: reads, opt-outs, outcomes of attempts in flight, and
// what follows from them. A refused report does not come again: a kind missing here means a send
// with an unknown outcome, or a change without its audit note.

import type { Message } from '../../engine/actor/message.ts';
import { type AnyArea, areas } from './areas.ts';

const allowed: ReadonlySet<string> = new Set(
  areas.flatMap((area: AnyArea) => area.whenDiskIsFull ?? []),
);

export function allowedWhenFull({ kind }: Message): boolean {
  return allowed.has(kind);
}
