// The gate's answers, and an org's remaining room.

import type { Millis } from '../../../engine/base/brand.ts';
import { type HoldReason, type SuppressReason, suppressReasons } from './reasons.ts';

export type NotSent =
  | { readonly answer: 'hold'; readonly reason: HoldReason; readonly untilMs: Millis }
  | { readonly answer: 'suppress'; readonly reason: SuppressReason };

export type Verdict = { readonly answer: 'send' } | NotSent;

export const send: Verdict = { answer: 'send' };

/** Made once: a campaign asks for millions of people. */
const suppressed = Object.fromEntries(
  suppressReasons.map((reason) => [reason, { answer: 'suppress', reason }]),
) as Readonly<Record<SuppressReason, NotSent>>;

export function suppress(reason: SuppressReason): NotSent {
  return suppressed[reason];
}

/** A hold that lasts as long as the message lives, or longer, suppresses it. */
export function hold(reason: HoldReason, untilMs: Millis, endsMs: Millis): NotSent {
  return untilMs >= endsMs ? suppressed.expired : { answer: 'hold', reason, untilMs };
}

/** What an org has left, carried by a dry run from slice to slice; null without a limit. */
export interface ScarceRoom {
  readonly sends: number | null;
  readonly sendsUntilMs: Millis;
  readonly emails: number | null;
}
