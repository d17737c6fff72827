// Which relays take messages now, for those who ask. An app has its own experience with a relay
// that it shares; an org sees the worst of its apps'.

import type { Millis } from '../../../engine/base/brand.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import {
  becauseOf,
  type Circuit,
  isUnreached,
  type RelayHealth,
  type RelayState,
  relayStates,
} from './circuit.ts';
import type { SendsReads } from './reads.ts';
import type { RelayCallsToday } from './relay-turns.ts';
import { isSlowed } from './slowdown.ts';

type AppWithHealth = RelaysReads & Pick<SendsReads, 'outbox'>;

/**
 * `named`: the relays that are asked for, each with whether its secrets can be opened: no message
 * leaves by one whose secrets cannot.
 */
export function healthOfRelays(
  apps: Iterable<AppWithHealth>,
  named: ReadonlyMap<string, boolean>,
  callsToday: RelayCallsToday | undefined,
  nowMs: Millis,
): readonly RelayHealth[] {
  const worst = new Map<string, RelayHealth>();
  const note = (health: RelayHealth) => {
    const before = worst.get(health.relay);
    const isWorse =
      before === undefined || relayStates.indexOf(health.state) > relayStates.indexOf(before.state);
    if (isWorse) worst.set(health.relay, health);
  };
  const noted = (relay: string, circuit?: Circuit) =>
    note(viewOf(relay, circuit, callsToday?.(relay, nowMs) ?? 0, nowMs));
  for (const [relay, isReadable] of named)
    if (isReadable) noted(relay);
    else note(unreadable(relay, callsToday?.(relay, nowMs) ?? 0));
  for (const { outbox } of apps)
    for (const channel of channelIds)
      for (const [part, circuit] of Object.entries(outbox.health(channel).accounts ?? {}))
        if (named.has(part)) noted(part, circuit);
  return [...worst.values()];
}

function unreadable(relay: string, callsToday: number): RelayHealth {
  const because = { reason: 'credential_unreadable' };
  return { relay, state: 'refused', sinceMs: null, untilMs: null, because, callsToday };
}

function viewOf(
  relay: string,
  circuit: Circuit | undefined,
  callsToday: number,
  nowMs: Millis,
): RelayHealth {
  const state = stateOf(circuit, nowMs);
  if (circuit === undefined || state === 'ok')
    return { relay, state: 'ok', sinceMs: null, untilMs: null, because: undefined, callsToday };
  const { pausedUntilMs, shutMs, because } = circuit;
  return {
    ...{ relay, state, callsToday },
    sinceMs: shutMs ?? null,
    untilMs: pausedUntilMs > nowMs ? pausedUntilMs : null,
    because: because && becauseOf(because),
  };
}

function stateOf(circuit: Circuit | undefined, nowMs: Millis): RelayState {
  if (circuit === undefined) return 'ok';
  if (circuit.configFailures > 0) return 'refused';
  if (isUnreached(circuit)) return 'unreachable';
  return isSlowed(circuit) || circuit.pausedUntilMs > nowMs ? 'paused' : 'ok';
}
