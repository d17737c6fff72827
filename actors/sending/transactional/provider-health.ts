// Whether a provider serves an app now: pauses that it asked for, and a circuit that opens when it
// rejects the account or when nobody gets through. While a circuit is open, sends wait without
// using up attempts and one at a time probes. Pure.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Failure, Outcome } from '../../channels/outcome.ts';
import { limits } from '../../limits.ts';
import type { ChannelQueue } from './channel-queue.ts';
import {
  type Because,
  type ChannelState,
  type ChannelStateView,
  type Circuit,
  healthy,
  isCircuitOpen,
  isUnreached,
  type ProviderHealth,
} from './circuit.ts';

/** The account's circuit, or the channel's where the provider has no parts (`accountOf`). */
export function circuitOf(health: ProviderHealth, account: string | undefined): Circuit {
  return account === undefined ? health : (health.accounts?.[account] ?? healthy);
}

/** `rate` pauses the account, `config` and calls without an answer open its circuit. */
export function healthAfter(
  health: ProviderHealth,
  channel: ChannelId,
  outcome: Outcome | undefined,
  { nowMs }: Pick<Context, 'nowMs'>,
): ProviderHealth {
  if (outcome === undefined) return health;
  const { account } = outcome;
  if (account === undefined) {
    const after = circuitAfter(health, channel, outcome, nowMs);
    return after === health ? health : { ...health, ...after };
  }
  const { probingUntilMs: _probe, ...before } = circuitOf(health, account);
  const after = circuitAfter(before, channel, outcome, nowMs);
  const { [account]: known, ...others } = health.accounts ?? {};
  const isWell = !isCircuitOpen(after) && after.unreached === 0 && after.pausedUntilMs <= nowMs;
  // Folds assign members, so an empty record clears the last one.
  if (isWell) return known === undefined ? health : { ...health, accounts: others };
  return { ...health, accounts: { ...withRoom(others), [account]: after } };
}

/** Without the part that was heard of longest ago, where there are too many. */
function withRoom(accounts: NonNullable<ProviderHealth['accounts']>): ProviderHealth['accounts'] {
  const all = Object.entries(accounts);
  if (all.length < limits.circuitAccountsMax) return accounts;
  const oldest = all.reduce((one, other) =>
    other[1].pausedUntilMs < one[1].pausedUntilMs ? other : one,
  );
  return Object.fromEntries(all.filter((one) => one !== oldest));
}

/** Parts of the provider to which nothing may start now, except a probe; `undefined` for none. */
export function partsHeld(
  { accounts = {} }: Pick<ProviderHealth, 'accounts'>,
  nowMs: Millis,
): readonly string[] | undefined {
  const held = Object.entries(accounts).filter(
    ([, circuit]) => isCircuitOpen(circuit) || circuit.pausedUntilMs > nowMs,
  );
  return held.length === 0 ? undefined : held.map(([account]) => account);
}

function circuitAfter(
  circuit: Circuit,
  channel: ChannelId,
  outcome: Outcome,
  nowMs: Millis,
): Circuit {
  // Late answers to calls from before the circuit opened are no news, unless one got through.
  const isKnown = isCircuitOpen(circuit) && circuit.pausedUntilMs > nowMs;
  switch (outcome.outcome) {
    case 'accepted':
      return circuit.configFailures === 0
        ? withReached(circuit)
        : { ...withReached(circuit), configFailures: 0 };
    case 'rate': {
      const untilMs = nowMs + (outcome.retryAfterMs ?? 1000);
      const pausedUntilMs = Math.max(circuit.pausedUntilMs, untilMs);
      return { ...circuit, unreached: 0, pausedUntilMs };
    }
    case 'config':
      if (isKnown && circuit.configFailures > 0) return circuit;
      return {
        pausedUntilMs:
          nowMs + doubled(limits.circuitBaseMs, circuit.configFailures, limits.circuitCapMs),
        configFailures: circuit.configFailures + 1,
        unreached: 0,
        because: becauseOf(outcome),
      };
    case 'dead':
    case 'opted_out':
      return withReached(circuit);
    case 'retry':
    case 'ambiguous':
      if (!isUnreachedBy(channel, outcome)) return withReached(circuit);
      return isKnown ? circuit : unreachedAgain(circuit, outcome, nowMs);
    case 'permanent':
      return circuit; // often decided before any call
  }
}

/** Whether the call did not get through to the provider, rather than to this recipient. */
export function isUnreachedBy(channel: ChannelId, outcome: Outcome): boolean {
  if (outcome.outcome !== 'retry' && outcome.outcome !== 'ambiguous') return false;
  if (outcome.reason === 'interrupted') return false; // by our own end
  return catalog[channel].reachedReasons?.includes(outcome.reason) !== true;
}

function withReached(circuit: Circuit): Circuit {
  if (circuit.unreached === 0) return circuit;
  const pausedUntilMs = isUnreached(circuit) ? 0 : circuit.pausedUntilMs;
  return { ...circuit, pausedUntilMs, unreached: 0 };
}

function unreachedAgain(circuit: Circuit, outcome: Failure, nowMs: Millis): Circuit {
  const unreached = circuit.unreached + 1;
  const probes = unreached - limits.circuitMissesMin;
  if (probes < 0) return { ...circuit, unreached };
  const waitMs = doubled(limits.circuitProbeMsMin, probes, limits.circuitProbeMsMax);
  const pausedUntilMs = Math.max(circuit.pausedUntilMs, nowMs + waitMs);
  return { ...circuit, unreached, pausedUntilMs, because: becauseOf(outcome) };
}

function becauseOf({ reason, detail }: Failure): Because {
  return detail === undefined ? { reason } : { reason, detail };
}

function doubled(baseMs: Millis, times: number, capMs: Millis): Millis {
  return Math.min(capMs, baseMs * 2 ** times);
}

/** How many targets of a queue may start now. */
export function startable(queue: ChannelQueue, nowMs: Millis): number {
  if (queue.pausedUntilMs > nowMs) return 0;
  if (isCircuitOpen(queue)) return queue.inFlight === 0 ? 1 : 0; // one probe at a time
  return Math.max(0, catalog[queue.channel].inFlightMax - queue.inFlight);
}

interface Healths {
  health(channel: ChannelId): ProviderHealth;
}

/** The state of every channel, also of those that never sent. */
export function statesOfChannels(outbox: Healths, nowMs: Millis): readonly ChannelStateView[] {
  return channelIds.map((channel) => {
    const health = outbox.health(channel);
    const state = stateOf(health, nowMs);
    const isHeld = state !== 'degraded' && health.pausedUntilMs > nowMs;
    const because = becauseOfState(health, state, nowMs);
    return { channel, state, untilMs: isHeld ? health.pausedUntilMs : null, because };
  });
}

function stateOf(health: ProviderHealth, nowMs: Millis): ChannelState {
  if (health.configFailures > 0) return 'refused';
  if (isUnreached(health)) return 'unreachable';
  if (health.pausedUntilMs > nowMs) return 'paused';
  return openPart(health, nowMs) === undefined ? 'ok' : 'degraded';
}

function becauseOfState(
  health: ProviderHealth,
  state: ChannelState,
  nowMs: Millis,
): Because | undefined {
  if (state === 'refused' || state === 'unreachable') return health.because;
  return state === 'degraded' ? openPart(health, nowMs)?.because : undefined;
}

/** The circuit of a part that does not take messages. */
function openPart(health: ProviderHealth, nowMs: Millis): Circuit | undefined {
  return (partsHeld(health, nowMs) ?? [])
    .map((part) => circuitOf(health, part))
    .find(isCircuitOpen);
}
