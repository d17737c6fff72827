// Whether a provider serves an app now: a circuit opens when it asks for fewer calls, when it
// rejects the account, or when nobody gets through. While a circuit is open, sends wait without
// using up attempts and one at a time probes. Pure.

import type { Context } from '../../../engine/actor/message.ts';
import { hourMs, type Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { isRelayName } from '../../channels/port/open-relay.ts';
import type { Failure, Outcome } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import type { ChannelQueue } from './channel-queue.ts';
import {
  becauseOf,
  type Circuit,
  healthy,
  isCircuitOpen,
  isUnreached,
  type ProviderHealth,
} from './circuit.ts';
import { isSlowed, slowedAgain, slowedNoMore, slowedStill } from './slowdown.ts';

/** The account's circuit, or the channel's where the provider has no parts (`accountOf`). */
export function circuitOf(health: ProviderHealth, account: string | undefined): Circuit {
  return account === undefined ? health : (health.accounts?.[account] ?? healthy);
}

/** `rate` slows the account down, `config` and calls without an answer open its circuit. */
export function healthAfter(
  health: ProviderHealth,
  channel: ChannelId,
  outcome: Outcome | undefined,
  { nowMs }: Pick<Context, 'nowMs'>,
): ProviderHealth {
  if (outcome === undefined) return health;
  const { account } = outcome;
  const domain = slowDomain(health, outcome, nowMs);
  if (domain !== undefined) {
    const before = circuitOf(health, domain);
    const after = slowedAgain(before, outcome as Failure, nowMs);
    return withPart(reachedBy(health, account, nowMs), domain, after, nowMs);
  }
  if (account === undefined) {
    const after = circuitAfter(health, channel, outcome, nowMs);
    return after === health ? health : { ...health, ...after };
  }
  const before = circuitOf(health, account);
  // `healthAfterProbe` ends the probe of a part that is slowed down.
  const { probingUntilMs: _probe, ...free } = before;
  const from = isSlowed(before) ? before : free;
  return withPart(health, account, circuitAfter(from, channel, outcome, nowMs), nowMs);
}

/** Who said so was reached: the relay, or the one way that there is. */
function reachedBy(
  health: ProviderHealth,
  account: string | undefined,
  nowMs: Millis,
): ProviderHealth {
  if (account === undefined) return { ...health, ...withReached(health) };
  return withPart(health, account, withReached(circuitOf(health, account)), nowMs);
}

/** After the call that was to find out about parts: another may begin once a pause is over. */
export function healthAfterProbe(
  health: ProviderHealth,
  parts: readonly string[],
  outcome: Outcome | undefined,
  { nowMs }: Pick<Context, 'nowMs'>,
): ProviderHealth {
  return parts.reduce((known, part) => afterProbe(known, part, outcome, nowMs), health);
}

function afterProbe(
  health: ProviderHealth,
  part: string,
  outcome: Outcome | undefined,
  nowMs: Millis,
): ProviderHealth {
  const known = health.accounts?.[part];
  if (known === undefined) return health;
  const { probingUntilMs: _probe, ...circuit } = known;
  // The outcome is about this part: it has been learned from already.
  if (outcome?.account === part || domainOf(outcome) === part)
    return withPart(health, part, circuit, nowMs);
  return withPart(health, part, slowedAfter(circuit, outcome, nowMs), nowMs);
}

/** Nothing is in flight any more: no part is being probed. */
export function withoutProbes(health: ProviderHealth): ProviderHealth {
  const { accounts } = health;
  if (accounts === undefined) return health;
  const free = ([part, { probingUntilMs: _, ...circuit }]: [string, Circuit]) => [part, circuit];
  return { ...health, accounts: Object.fromEntries(Object.entries(accounts).map(free)) };
}

/** What a probe that another part of the provider answered shows of this one. */
function slowedAfter(circuit: Circuit, outcome: Outcome | undefined, nowMs: Millis): Circuit {
  switch (outcome?.outcome) {
    case 'accepted':
      return slowedNoMore(circuit, nowMs);
    case 'rate':
    case 'config':
    case 'retry':
    case 'ambiguous':
      return slowedStill(circuit, nowMs);
    default: // about one recipient or message, or not called at all
      return circuit;
  }
}

/** When a channel, and relays of it, that have to pause now or for longer than before go on. */
export function pauseEnds(
  before: ProviderHealth | undefined,
  after: ProviderHealth,
  atMs: Millis,
): readonly Millis[] {
  const isLonger = (now: Circuit, was: Circuit | undefined) =>
    now.pausedUntilMs > Math.max(was?.pausedUntilMs ?? 0, atMs);
  const relays = Object.entries(after.accounts ?? {}).filter(
    ([name, circuit]) => isRelayName(name) && isLonger(circuit, before?.accounts?.[name]),
  );
  const ends = relays.map(([, { pausedUntilMs }]) => pausedUntilMs);
  return isLonger(after, before) ? [...ends, after.pausedUntilMs] : ends;
}

function withPart(
  health: ProviderHealth,
  part: string,
  after: Circuit,
  nowMs: Millis,
): ProviderHealth {
  const { [part]: known, ...others } = health.accounts ?? {};
  const isWell = !isCircuitOpen(after) && after.unreached === 0 && after.pausedUntilMs <= nowMs;
  // Folds assign members, so an empty record clears the last one.
  if (isWell) return known === undefined ? health : { ...health, accounts: others };
  const circuit = isRelayName(part) ? withShut(known, after, nowMs) : after;
  return { ...health, accounts: { ...withRoom(others), [part]: circuit } };
}

/** Since when a relay takes nothing, for who asks. */
function withShut(known: Circuit | undefined, after: Circuit, nowMs: Millis): Circuit {
  const { shutMs: _, ...circuit } = after;
  if (!isCircuitOpen(after)) return circuit;
  return { ...circuit, shutMs: known?.shutMs ?? nowMs };
}

function domainOf(outcome: Outcome | undefined): string | undefined {
  return outcome?.outcome === 'accepted' ? undefined : outcome?.domain;
}

/** The domain that is slowed down alone, if there is room: otherwise the whole account is. */
function slowDomain(health: ProviderHealth, outcome: Outcome, nowMs: Millis): string | undefined {
  const domain = outcome.outcome === 'rate' ? outcome.domain : undefined;
  if (domain === undefined) return undefined;
  const { accounts = {} } = health;
  const isHeard = ({ pausedUntilMs }: Circuit) => pausedUntilMs > nowMs - hourMs;
  const isFull = () => Object.values(accounts).filter(isHeard).length >= limits.circuitAccountsMax;
  return accounts[domain] !== undefined || !isFull() ? domain : undefined;
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
    case 'accepted': {
      const reached = slowedNoMore(withReached(circuit), nowMs);
      return circuit.configFailures === 0 ? reached : { ...reached, configFailures: 0 };
    }
    case 'rate':
      return slowedAgain(circuit, outcome, nowMs);
    case 'config':
      return isKnown && circuit.configFailures > 0
        ? circuit
        : refusedAgain(circuit, outcome, nowMs);
    case 'dead':
    case 'opted_out':
      return withReached(circuit);
    case 'retry':
    case 'ambiguous': {
      const still = slowedStill(circuit, nowMs);
      if (!isUnreachedBy(channel, outcome)) return withReached(still);
      return isKnown ? still : unreachedAgain(still, outcome, nowMs);
    }
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
  const isOver = isUnreached(circuit) && !isSlowed(circuit);
  const pausedUntilMs = isOver ? 0 : circuit.pausedUntilMs;
  return { ...circuit, pausedUntilMs, unreached: 0 };
}

function refusedAgain(circuit: Circuit, outcome: Failure, nowMs: Millis): Circuit {
  const { configFailures, pausedUntilMs } = circuit;
  const waitMs = doubled(limits.circuitBaseMs, configFailures, limits.circuitCapMs);
  return {
    ...circuit,
    pausedUntilMs: isSlowed(circuit) ? Math.max(pausedUntilMs, nowMs + waitMs) : nowMs + waitMs,
    configFailures: configFailures + 1,
    unreached: 0,
    because: becauseOf(outcome),
  };
}

function unreachedAgain(circuit: Circuit, outcome: Failure, nowMs: Millis): Circuit {
  const unreached = circuit.unreached + 1;
  const probes = unreached - limits.circuitMissesMin;
  if (probes < 0) return { ...circuit, unreached };
  const waitMs = doubled(limits.circuitProbeMsMin, probes, limits.circuitProbeMsMax);
  const pausedUntilMs = Math.max(circuit.pausedUntilMs, nowMs + waitMs);
  return { ...circuit, unreached, pausedUntilMs, because: becauseOf(outcome) };
}

function doubled(baseMs: Millis, times: number, capMs: Millis): Millis {
  return Math.min(capMs, baseMs * 2 ** times);
}

/** The same where relays have circuits of their own. */
export function startableByRelays({ channel, inFlight }: ChannelQueue): number {
  return Math.max(0, catalog[channel].inFlightMax - inFlight);
}

/** How many targets of a queue may start now; `isProbing`: whether a call may still find out. */
export function startable(queue: ChannelQueue, nowMs: Millis, isProbing: () => boolean): number {
  if (queue.pausedUntilMs > nowMs) return 0;
  if (isCircuitOpen(queue)) return isProbing() ? 0 : 1; // one probe at a time
  return Math.max(0, catalog[queue.channel].inFlightMax - queue.inFlight);
}
