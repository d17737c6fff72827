// Which sends may start on a channel whose provider has parts that fail or slow down separately:
// hosts (`accountOf`), or domains of recipients (`domainOf`). One send at a time probes a part; the
// others wait for it.

import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { ChannelQueue } from './channel-queue.ts';
import { isCircuitOpen } from './circuit.ts';

/** The part of a channel's provider that an endpoint belongs to. */
export function partOf(channel: ChannelId, endpoint: unknown): string | undefined {
  const { accountOf, domainOf } = catalog[channel];
  return (accountOf ?? domainOf)?.(endpoint);
}

/** Whether a send may start, and which part it probes if it does. */
export type PartTurn = { readonly heldUntilMs: Millis } | { readonly probes?: string };

const free: PartTurn = {};

export class AccountProbes {
  readonly #queue: ChannelQueue;
  readonly #nowMs: Millis;
  readonly #isAnyFailing: boolean;
  /** Parts that this turn probes. */
  readonly #probed = new Set<string>();

  constructor(queue: ChannelQueue, nowMs: Millis) {
    this.#queue = queue;
    this.#nowMs = nowMs;
    this.#isAnyFailing = Object.keys(queue.accounts ?? {}).length > 0;
  }

  /** Asks only: what else holds the send may keep it from starting (`begun`). */
  turnOf(endpoint: unknown): PartTurn {
    const { channel, accounts } = this.#queue;
    const part = this.#isAnyFailing ? partOf(channel, endpoint) : undefined;
    const circuit = part === undefined ? undefined : accounts?.[part];
    if (part === undefined || circuit === undefined) return free;
    const { pausedUntilMs, probingUntilMs = 0 } = circuit;
    if (pausedUntilMs > this.#nowMs) return { heldUntilMs: pausedUntilMs };
    // The probe may end before its time is over.
    const lookMs = this.#nowMs + limits.circuitProbeHoldMs;
    if (probingUntilMs > this.#nowMs) return { heldUntilMs: Math.min(probingUntilMs, lookMs) };
    if (!isCircuitOpen(circuit)) return free;
    if (this.#probed.has(part)) return { heldUntilMs: lookMs };
    return { probes: part };
  }

  /** The send of this turn started: others of its part wait for it. */
  begun(turn: PartTurn): void {
    if ('probes' in turn && turn.probes !== undefined) this.#probed.add(turn.probes);
  }

  /** For the entry that starts the attempts. */
  get probed(): readonly string[] {
    return [...this.#probed];
  }
}
