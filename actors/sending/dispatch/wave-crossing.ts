// A wave on its way to a dispatch thread: its records cross with their own buffer, which comes back
// when they are read. As a member of the message they would be cloned into a new buffer on each
// side, a megabyte at a time, and V8 would mark both heaps several times a second because of it.

import type { Message } from '../../../engine/actor/message.ts';
import type { Link } from '../../../engine/thread/link.ts';
import type { GrantItem, OutcomeItem } from '../../../engine/thread/wire.ts';
import type { DispatchWave } from './protocol.ts';

const nothing = new Uint8Array(0);

/** Sends a grant of any kind; the records of a wave are then the link's. */
export function sendGrant(link: Link<GrantItem, OutcomeItem>, message: Message): void {
  if (message.kind !== 'dispatch.wave') link.send(message);
  else {
    const wave = message as DispatchWave;
    link.send({ ...wave, records: nothing } as Message, wave.records);
  }
}

/** What `sendGrant` sent; `bytes` came beside it. */
export function receivedGrant(message: GrantItem, bytes: Uint8Array | undefined): Message {
  return bytes === undefined ? message : ({ ...message, records: bytes } as Message);
}
