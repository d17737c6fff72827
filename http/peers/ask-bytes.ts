// A message to an actor of another server and its answer, as bytes: whatever crosses threads here
// crosses servers likewise.

import '../../engine/base/plain-msgpack.ts';
import { Packr } from 'msgpackr';
import type { Answer, Lane, Message } from '../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';

export interface PeerAsk {
  readonly partition: number;
  readonly to: Ordinal;
  readonly message: Message;
  readonly lane: Lane;
  /** For a start, as of now: clocks of two servers are not compared. */
  readonly timeoutMs: Millis;
  readonly weight: number;
  readonly bytes: Uint8Array | undefined;
}

const packr = new Packr({ structuredClone: true, moreTypes: true, useRecords: false });

export function encodeAsk(ask: PeerAsk): Uint8Array {
  const { partition, to, message, lane, timeoutMs, weight, bytes = null } = ask;
  return packr.pack([partition, to, message, lane, timeoutMs, weight, bytes]);
}

/** Of a server with our key, so it is taken at its word; throws for what cannot be read. */
export function decodeAsk(packed: Uint8Array): PeerAsk {
  const [partition, to, message, lane, timeoutMs, weight, bytes] = packr.unpack(packed) as [
    ...[number, Ordinal, Message, Lane, Millis, number],
    Uint8Array | null,
  ];
  return { partition, to, message, lane, timeoutMs, weight, bytes: bytes ?? undefined };
}

export function encodeAnswer(answer: Answer): Uint8Array {
  return packr.pack(answer);
}

export function decodeAnswer(packed: Uint8Array): Answer {
  return packr.unpack(packed) as Answer;
}
