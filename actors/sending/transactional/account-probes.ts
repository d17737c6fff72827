// Which sends may start on a channel whose provider has parts that fail separately (`accountOf`).
// One send at a time probes a part that nobody gets through to; the others wait for it.

import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import { limits } from '../../limits.ts';
import type { ChannelQueue } from './channel-queue.ts';
import { isCircuitOpen } from './circuit.ts';

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

  /** Until when a send to this endpoint must wait; `undefined`: it may start. */
  heldUntilMs(endpoint: unknown): Millis | undefined {
    const { channel, accounts } = this.#queue;
    const account = this.#isAnyFailing ? catalog[channel].accountOf?.(endpoint) : undefined;
    const circuit = account === undefined ? undefined : accounts?.[account];
    if (account === undefined || circuit === undefined) return undefined;
    const { pausedUntilMs, probingUntilMs = 0 } = circuit;
    const untilMs = Math.max(pausedUntilMs, probingUntilMs);
    if (untilMs > this.#nowMs) return untilMs;
    if (!isCircuitOpen(circuit)) return undefined;
    if (this.#probed.has(account)) return this.#nowMs + limits.circuitProbeHoldMs;
    this.#probed.add(account);
    return undefined;
  }

  /** For the entry that starts the attempts. */
  get probed(): readonly string[] | undefined {
    return this.#probed.size === 0 ? undefined : [...this.#probed];
  }
}
