// What still works while the disk is nearly full: reads, opt-outs, the outcomes of what is under
// way, and what any of these lead to. Each area names its messages, and the disk guard keeps the
// room. A report or a consequence that is refused does not come again: a kind that is missing is a
// send whose outcome nobody knows, or a change without its note.

import type { Message } from '../../engine/actor/message.ts';
import { type AnyArea, areas } from './areas.ts';

const allowed: ReadonlySet<string> = new Set(
  areas.flatMap((area: AnyArea) => area.whenDiskIsFull ?? []),
);

/** True for a message that is handled even then. */
export function allowedWhenFull({ kind }: Message): boolean {
  return allowed.has(kind);
}
