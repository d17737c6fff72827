// What works while the disk is nearly full: reads, opt-outs, outcomes of attempts in flight, what
// makes room or stops sends, and what follows from them. A refused report does not come again: a
// kind missing here means a send with an unknown outcome, or a change without its audit note.

import type { Message } from '../../engine/actor/message.ts';
import type { MessageOf } from '../../engine/actor/protocol.ts';
import type { AudienceProtocol } from '../people/audience/protocol.ts';
import type { JourneysProtocol } from '../programs/journeys/protocol.ts';
import { type AnyArea, areas } from './areas.ts';

const allowed: ReadonlySet<string> = new Set(
  areas.flatMap((area: AnyArea) => area.whenDiskIsFull ?? []),
);

export function allowedWhenFull(message: Message): boolean {
  return allowed.has(message.kind) || switchesOff(message);
}

/** Messages that may also switch something on. */
function switchesOff(message: Message): boolean {
  const one = message as
    | MessageOf<JourneysProtocol, 'journey.update'>
    | MessageOf<AudienceProtocol, 'device.enable'>;
  switch (one.kind) {
    case 'journey.update':
      return one.active === false;
    case 'device.enable':
      return !one.enabled;
    default:
      return false;
  }
}
