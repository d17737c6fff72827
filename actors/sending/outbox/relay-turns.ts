// Which relay the next message of a stream leaves by: the first in order that takes messages now.
// One message at a time finds out about a relay that did not; the others go on to the next relay.
// Pure, for one turn.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { type Stream, serverRelay } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { limits } from '../../limits.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import type { RelayRecord } from '../../tenants/relays/records.ts';
import { waysOf } from '../../tenants/relays/ways.ts';
import { dayEndsMs } from '../gate/org-room.ts';
import { type Circuit, isCircuitOpen, type ProviderHealth } from './circuit.ts';

/** Calls of a relay on a UTC day, over everybody who shares it. */
export type RelayCallsToday = (relayId: string, nowMs: Millis) => number;

/** A relay for one message. `record` is absent for the server's own way. */
type RelayTurn =
  | {
      readonly relay: string;
      readonly record?: RelayRecord;
      /** The message finds out whether the relay takes messages again. */
      readonly probes?: true;
    }
  | { readonly heldUntilMs: Millis }
  /** Nothing takes this stream; or what may have taken the message already is gone. */
  | { readonly noWay: true };

export interface RelayTurnsOf {
  readonly app: RelaysReads;
  readonly channel: ChannelId;
  readonly health: Pick<ProviderHealth, 'accounts'>;
  /** Whether the server, or the app's credential, sends what no relay takes. */
  readonly hasServer: boolean;
  readonly callsToday: RelayCallsToday | undefined;
  readonly nowMs: Millis;
  /** Whether its secrets can be opened. */
  readonly isReadable?: (relay: RelayRecord) => boolean;
}

export class RelayTurns {
  readonly #of: RelayTurnsOf;
  readonly #ways = new Map<Stream, readonly RelayRecord[]>();
  /** Relays that this turn probes. */
  readonly #probed = new Set<string>();

  constructor(of: RelayTurnsOf) {
    this.#of = of;
  }

  /** `only`: the relay that may have taken the message already. The message starts if it can. */
  turnOf(stream: Stream, only?: string): RelayTurn {
    const { hasServer } = this.#of;
    let heldUntilMs = Number.POSITIVE_INFINITY;
    for (const record of [...this.#waysOf(stream), ...(hasServer ? [undefined] : [])]) {
      const relay = record?.id ?? serverRelay;
      if (only !== undefined && only !== relay) continue;
      const turn = this.#askRelay(relay, record);
      if (!('heldUntilMs' in turn)) return turn;
      heldUntilMs = Math.min(heldUntilMs, turn.heldUntilMs);
    }
    return heldUntilMs < Number.POSITIVE_INFINITY ? { heldUntilMs } : { noWay: true };
  }

  /** Whether a relay of the stream has no more calls today. */
  isAnyDayUsed(stream: Stream): boolean {
    return this.#waysOf(stream).some((record) => this.#isDayUsed(record));
  }

  /** For the entry that starts the attempts. */
  get probed(): readonly string[] {
    return [...this.#probed];
  }

  #askRelay(relay: string, record: RelayRecord | undefined): RelayTurn {
    const { health, nowMs, isReadable } = this.#of;
    const named = record === undefined ? { relay } : { relay, record };
    if (record !== undefined && this.#isDayUsed(record)) return { heldUntilMs: dayEndsMs(nowMs) };
    if (record !== undefined && isReadable?.(record) === false)
      return { heldUntilMs: nowMs + limits.circuitCapMs };
    const circuit = health.accounts?.[relay];
    if (circuit === undefined) return named;
    const heldUntilMs = heldBy(circuit, nowMs);
    if (heldUntilMs !== undefined) return { heldUntilMs };
    if (!isCircuitOpen(circuit)) return named;
    if (this.#probed.has(relay)) return { heldUntilMs: nowMs + limits.circuitProbeHoldMs };
    this.#probed.add(relay);
    return { ...named, probes: true };
  }

  #isDayUsed({ id, perDay }: RelayRecord): boolean {
    if (perDay === undefined) return false;
    return (this.#of.callsToday?.(id, this.#of.nowMs) ?? 0) >= perDay;
  }

  #waysOf(stream: Stream): readonly RelayRecord[] {
    let ways = this.#ways.get(stream);
    if (ways === undefined) {
      ways = waysOf(this.#of.app, this.#of.channel, stream);
      this.#ways.set(stream, ways);
    }
    return ways;
  }
}

function isShut(circuit: Circuit, nowMs: Millis): boolean {
  return isCircuitOpen(circuit) || circuit.pausedUntilMs > nowMs;
}

function heldBy({ pausedUntilMs, probingUntilMs = 0 }: Circuit, nowMs: Millis): Millis | undefined {
  if (pausedUntilMs > nowMs) return pausedUntilMs;
  if (probingUntilMs <= nowMs) return undefined;
  // The probe may end before its time is over.
  return Math.min(probingUntilMs, nowMs + limits.circuitProbeHoldMs);
}

/** Whether a message that one relay did not take may leave by another one now. */
export function isTakenElsewhere(
  of: RelayTurnsOf,
  stream: Stream,
  outcome: Outcome | undefined,
): boolean {
  if (outcome?.account === undefined || !passesOn(outcome)) return false;
  const circuit = of.health.accounts?.[outcome.account];
  if (circuit === undefined || !isShut(circuit, of.nowMs)) return false;
  const turn = new RelayTurns(of).turnOf(stream);
  return 'relay' in turn && turn.relay !== outcome.account;
}

/** What is about the relay, not about a recipient, and certainly was not sent. */
function passesOn(outcome: Outcome): boolean {
  switch (outcome.outcome) {
    case 'rate':
      return outcome.domain === undefined;
    case 'config':
    case 'retry':
      return true;
    default:
      return false;
  }
}
