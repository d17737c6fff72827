// What a provider gets that asks for fewer calls (`rate`): a pause, then one call, and a longer
// pause if that is refused too, until it accepts a message. Pure.

import { hourMs, type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { isRelayName } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { becauseOf, type Circuit, type ProviderHealth } from './circuit.ts';

type Refused = Exclude<Outcome, { outcome: 'accepted' }>;

/** After the first refusal, the second, and so on; the last one repeats. */
const pausesMs: readonly Millis[] = [
  30 * secondMs,
  minuteMs,
  2 * minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  15 * minuteMs,
];
/** The longest that a provider may ask for. */
const askedMsMax: Millis = hourMs;

/** Whether only one call at a time may find out if the provider takes messages again. */
export function isSlowed({ slowed = 0 }: Pick<Circuit, 'slowed'>): boolean {
  return slowed > 0;
}

/** Calls of before a pause that are refused within it do not lengthen it, unless one says so. */
export function slowedAgain(circuit: Circuit, refused: Refused, nowMs: Millis): Circuit {
  const { slowed = 0, pausedUntilMs } = circuit;
  const { retryAfterMs: askedMs } = refused;
  const untilMs = askedMs === undefined ? 0 : nowMs + Math.min(askedMs, askedMsMax);
  if (slowed > 0 && pausedUntilMs > nowMs)
    return { ...circuit, unreached: 0, pausedUntilMs: Math.max(pausedUntilMs, untilMs) };
  const ownMs = Math.max(pauseMs(slowed + 1), refused.atLeastMs ?? 0);
  return {
    ...circuit,
    unreached: 0,
    pausedUntilMs: Math.max(pausedUntilMs, untilMs || nowMs + ownMs),
    slowed: slowed + 1,
    slowedMs: slowed === 0 ? nowMs : (circuit.slowedMs ?? nowMs),
    because: becauseOf(refused),
  };
}

/** A call that shows nothing about the limit, in place of the one that was to: the pause again. */
export function slowedStill(circuit: Circuit, nowMs: Millis): Circuit {
  const { slowed = 0, pausedUntilMs } = circuit;
  if (slowed === 0 || pausedUntilMs > nowMs) return circuit;
  return { ...circuit, pausedUntilMs: nowMs + pauseMs(slowed) };
}

/**
 * A message was accepted. Within a pause that is a call of before it. Folds assign members, so
 * `slowed` becomes 0.
 */
export function slowedNoMore(circuit: Circuit, nowMs: Millis): Circuit {
  if (!isSlowed(circuit) || circuit.pausedUntilMs > nowMs) return circuit;
  return { ...circuit, slowed: 0 };
}

/** Whether sends wait for what another credential may end. */
export function endsWithCredential(health: ProviderHealth): boolean {
  const { configFailures, accounts = {} } = health;
  if (configFailures > 0 || isSlowed(health)) return true;
  return Object.entries(accounts).some(([part, one]) => isMendedByCredential(part, one));
}

/** Whether another credential may mend a part: what was slow, or a relay that refused it. */
export function isMendedByCredential(part: string, circuit: Circuit): boolean {
  return isSlowed(circuit) || (isRelayName(part) && circuit.configFailures > 0);
}

function pauseMs(refusals: number): Millis {
  return pausesMs[Math.min(refusals, pausesMs.length) - 1] as Millis;
}
