// Campaigns that people are being sent: each says at most once a second how far it is.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { type Millis, secondMs } from '../../../engine/base/brand.ts';

export type ProgressNoticesSnapshot = readonly (readonly [campaignId: string, atMs: Millis])[];

export class ProgressNotices {
  readonly #saidMs: Map<string, Millis>;

  constructor(from: ProgressNoticesSnapshot = []) {
    this.#saidMs = new Map(from);
  }

  /** Whether it may say something at this instant; then it has. */
  moved(campaignId: string, atMs: Millis): boolean {
    const saidMs = this.#saidMs.get(campaignId);
    if (saidMs !== undefined && atMs < saidMs + secondMs) return false;
    this.#saidMs.set(campaignId, atMs);
    return true;
  }

  ended(campaignId: string): void {
    this.#saidMs.delete(campaignId);
  }

  rebase(to: Rebase): void {
    for (const [campaignId, atMs] of this.#saidMs) this.#saidMs.set(campaignId, to.stamp(atMs));
  }

  snapshot(): ProgressNoticesSnapshot {
    return [...this.#saidMs];
  }
}
