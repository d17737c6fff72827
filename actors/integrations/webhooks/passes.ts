// Passes over an app's ledger, in slices: moving dues that a wrong clock set, stopping what is open
// of a destination that is gone, taking erased people out of payloads, and removing what is too
// old. One at a time, in this order.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { DuePlace } from './delivery-id.ts';
import type { WebhooksEntry } from './protocol.ts';

type Swept = Extract<WebhooksEntry, { kind: 'webhook.swept' }>;

/** Dues that a wrong clock set. */
export interface WrongDues {
  /** The newest instant since the clock is right. */
  readonly toMs: Millis;
  readonly aheadMs: Millis;
  /** Instants from here on are of the wrong clock. */
  readonly sinceMs: Millis;
}

export interface PassesSnapshot {
  readonly hasLedger: boolean;
  readonly sweptMs: Millis;
  readonly erased: number;
  readonly scrubFrom: readonly [Millis, number] | null;
  readonly stopping: readonly (readonly [number, Millis])[];
  /** Absent in checkpoints of older releases. */
  readonly wrongDues?: readonly WrongDues[];
  readonly dueFrom?: DuePlace | null;
  /** Absent at the beginning. */
  readonly sweepFrom?: readonly [Millis, number];
}

export class Passes {
  hasLedger: boolean;
  #sweptMs: Millis;
  /** People erased since the last pass over the payloads began. */
  #erased: number;
  /** Where the running one continues. */
  #scrubFrom: readonly [Millis, number] | null;
  /** Destinations whose deliveries from before an instant stop. */
  readonly #stopping: Map<number, Millis>;
  /** The oldest first. */
  readonly #wrongDues: WrongDues[];
  /** Where the pass over dues that runs continues: it moves them, or stops them. */
  #dueFrom: DuePlace | null;
  /** Where the one that removes what is too old continues. */
  #sweepFrom: readonly [Millis, number] | undefined;

  constructor(from?: PassesSnapshot) {
    this.hasLedger = from?.hasLedger ?? false;
    this.#sweptMs = from?.sweptMs ?? 0;
    this.#erased = from?.erased ?? 0;
    this.#scrubFrom = from?.scrubFrom ?? null;
    this.#stopping = new Map(from?.stopping);
    this.#wrongDues = [...(from?.wrongDues ?? [])];
    this.#dueFrom = from?.dueFrom ?? null;
    this.#sweepFrom = from?.sweepFrom;
  }

  /** When the next slice is due, where passes begin so often. */
  dueMs(everyMs: Millis): Millis {
    if (!this.hasLedger) return Number.POSITIVE_INFINITY;
    const isRunning =
      this.#wrongDues.length > 0 || this.#stopping.size > 0 || this.#scrubFrom !== null;
    return isRunning ? 0 : this.#sweptMs + everyMs;
  }

  rebase({ toMs, aheadMs, sinceMs }: Rebase): void {
    this.#sweptMs = Math.min(this.#sweptMs, toMs);
    this.#sweepFrom = undefined;
    if (!this.hasLedger) return;
    if (this.#wrongDues.length === 0) this.#dueFrom = null;
    // It may be "beyond all", which is not a number that is stored.
    const boundMs = Math.min(sinceMs, Number.MAX_SAFE_INTEGER);
    this.#wrongDues.push({ toMs, aheadMs, sinceMs: boundMs });
  }

  /** What is open from this instant or before. */
  stop(destination: number, atMs: Millis): void {
    if (!this.hasLedger) return; // a stop that waits would meet what comes later
    if (this.#wrongDues.length === 0) this.#dueFrom = null;
    const beforeMs = Math.min(atMs, Number.MAX_SAFE_INTEGER - 1) + 1;
    this.#stopping.set(destination, Math.max(beforeMs, this.#stopping.get(destination) ?? 0));
  }

  erased(): void {
    if (this.hasLedger) this.#erased++;
  }

  /** Dues to move next. */
  get wrongDues(): WrongDues | undefined {
    return this.#wrongDues[0];
  }

  get dueFrom(): DuePlace {
    return this.#dueFrom ?? [0, 0, 0, 0];
  }

  /** The destination to stop next. */
  get stopping(): { readonly destination: number; readonly beforeMs: Millis } | undefined {
    for (const [destination, beforeMs] of this.#stopping) return { destination, beforeMs };
    return undefined;
  }

  /** Deliveries of this destination from before this instant do not begin. */
  stopBeforeMs(destination: number): Millis {
    return this.#stopping.get(destination) ?? 0;
  }

  /** Where a pass over the payloads continues or begins; `undefined` if none is due. */
  get scrubFrom(): readonly [Millis, number] | undefined {
    return this.#scrubFrom ?? (this.#erased > 0 ? [0, 0] : undefined);
  }

  get sweepFrom(): readonly [Millis, number] {
    return this.#sweepFrom ?? [0, 0];
  }

  swept({ pass, destination, next, nextDue, atMs }: Swept): void {
    switch (pass) {
      case 'rebase':
        this.#dueFrom = nextDue ?? null;
        if (nextDue === undefined) this.#wrongDues.shift();
        break;
      case 'stop':
        this.#dueFrom = nextDue ?? null;
        // Older releases wrote `next`: they go on from the first.
        if (next === undefined && nextDue === undefined) this.#stopping.delete(destination ?? -1);
        break;
      case 'scrub':
        // Erased while it runs, perhaps behind it: the next one finds them.
        if (this.#scrubFrom === null) this.#erased = 0;
        this.#scrubFrom = next ?? null;
        break;
      case 'sweep':
        this.#sweptMs = next === undefined ? atMs : 0;
        this.#sweepFrom = next;
        break;
    }
  }

  snapshot(): PassesSnapshot {
    return {
      hasLedger: this.hasLedger,
      sweptMs: this.#sweptMs,
      erased: this.#erased,
      scrubFrom: this.#scrubFrom,
      stopping: [...this.#stopping],
      wrongDues: [...this.#wrongDues],
      dueFrom: this.#dueFrom,
      ...(this.#sweepFrom === undefined ? {} : { sweepFrom: this.#sweepFrom }),
    };
  }
}
