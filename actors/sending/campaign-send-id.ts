// The ids of what campaigns send. They say all that finds the send again, so no table is needed.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { type IdParts, parseId } from '../../engine/base/id.ts';

/** What the id of a campaign's send says; see `campaignSendParts`. */
interface NamedSend {
  readonly startedMs: Millis;
  /** The campaign's number, as much of it as ids have (`numberInIds`). */
  readonly number: number;
  readonly channel: number;
  readonly person: PersonOrdinal;
}

/**
 * The lowest 12 bits: of two campaigns that share them, no occurrences begin at one instant
 * (`begin.ts`).
 */
export function numberInIds(number: number): number {
  return number & 0xfff;
}

/**
 * The id of what one person is sent on one channel of an occurrence: its start as the time, the
 * campaign's number and the channel in the 16 bits, the person in the 32. So no table is needed to
 * find them again, and none has to be written.
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

/** What a send id would say if it is one of a campaign's. */
export function namedSend(sendId: string): NamedSend | undefined {
  const parts = parseId('ntf', sendId);
  if (parts === undefined) return undefined;
  const { atMs, high16, low32 } = parts;
  return { startedMs: atMs, number: high16 >>> 4, channel: high16 & 0xf, person: low32 };
}
