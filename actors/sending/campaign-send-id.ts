// The ids of campaign sends. They contain all that is needed to find the send again, without a
// table.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { type IdParts, parseId } from '../../engine/base/id.ts';

/** See `campaignSendParts`. */
interface NamedSend {
  readonly startedMs: Millis;
  /** Its low bits (`numberInIds`). */
  readonly number: number;
  readonly channel: number;
  readonly person: PersonOrdinal;
}

/**
 * The lowest 12 bits; campaigns that share them never begin occurrences at one instant
 * (`begin.ts`).
 */
export function numberInIds(number: number): number {
  return number & 0xfff;
}

/**
 * The occurrence's start as the time, the campaign's number and the channel in the 16 bits, the
 * person in the 32.
 */
export function campaignSendParts(
  ordinal: number,
  startedMs: Millis,
  number: number,
  channel: number,
): (person: PersonOrdinal) => IdParts {
  const high16 = (numberInIds(number) << 4) | channel;
  return (person) => ({ ordinal, atMs: startedMs, high16, low32: person });
}

/** The parts of a send id, read as a campaign's. */
export function namedSend(sendId: string): NamedSend | undefined {
  const parts = parseId('ntf', sendId);
  if (parts === undefined) return undefined;
  const { atMs, high16, low32 } = parts;
  return { startedMs: atMs, number: high16 >>> 4, channel: high16 & 0xf, person: low32 };
}
