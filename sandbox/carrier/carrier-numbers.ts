// Test numbers that behave the same for texts and calls. The first ten refuse with the carrier's
// codes; others accept and differ in callbacks.

import type { Effect, NamedFault } from '../faults.ts';
import type { StandInResponse } from '../stand-in.ts';
import { carrierError, carrierRefusal, replyWith, testNumbers } from './carrier.ts';

/** By the last four digits. */
export function numbered(
  digits: string,
  says: string,
  effect: Effect<StandInResponse> | undefined,
): NamedFault<StandInResponse> {
  return { prefix: `${testNumbers}${digits}`, says, effect: () => effect };
}

export function refusedNumber(
  digits: string,
  code: number,
  message: string,
): NamedFault<StandInResponse> {
  return numbered(digits, `400 ${code}: ${message}`, replyWith(carrierError(400, code, message)));
}

export const sharedNumbers: readonly NamedFault<StandInResponse>[] = [
  numbered('0005', '429 20429, Retry-After 2 s', replyWith(carrierRefusal(429, 2))),
  numbered('0006', '503: the carrier is busy', replyWith(carrierRefusal(503, undefined))),
  numbered('0008', 'read, then hung up on: nothing was sent', { kind: 'drop' }),
  numbered('0010', '401 20003: the account is refused', replyWith(carrierRefusal(401, undefined))),
  numbered('0011', 'accepted; every callback comes twice', undefined),
  numbered('0012', 'accepted; callbacks come in the wrong order', undefined),
  numbered('0015', 'accepted; callbacks are signed with another token', undefined),
  numbered('0016', 'never answered', { kind: 'hang' }),
  numbered('0017', 'accepted after 2 s', { kind: 'slow', delayMs: 2_000 }),
  numbered('0018', 'read, then hung up on; sent all the same, and callbacks come', {
    kind: 'drop',
    isTaken: true,
  }),
  numbered('0019', 'accepted; no callback ever comes', undefined),
];
