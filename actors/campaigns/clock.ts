// When campaigns of a partition are due: asked of their memory again after every entry that may have moved it, and kept as one
// instant an app. Derived, and made anew at each start.

import type { Entry, Tell } from '../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import type { PartitionState } from '../state.ts';
import type { TransactionalEntry } from '../transactional/protocol.ts';
import { dueNow, nextDueMs } from './due.ts';

export class CampaignClock {
  /** Apps of which something will be due; 0 where it has to be asked. */
  readonly #nextOf = new Map<Ordinal, Millis>();
  /** Before this there is nothing to do. */
  #nextMs: Millis = Number.POSITIVE_INFINITY;

  /** When it wants a turn; `undefined` for not at all. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  /** Begins with the memory of a start. */
  begin(state: PartitionState): void {
    for (const owner of state.apps.keys()) this.look(owner);
  }

  /** Has an app asked again. */
  look(owner: Ordinal): void {
    this.#nextOf.set(owner, 0);
    this.#nextMs = 0;
  }

  /** Takes note of an entry that was folded. */
  folded(entry: Entry): void {
    if (moves(entry)) this.look(entry.owner);
  }

  /** What is due: messages for this turn. */
  due(state: PartitionState, nowMs: Millis): Tell[] {
    if (nowMs < this.#nextMs) return [];
    const tells: Tell[] = [];
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const [owner, askMs] of this.#nextOf) {
      const app = state.apps.get(owner);
      if (app === undefined) {
        this.#nextOf.delete(owner);
        continue;
      }
      if (askMs <= nowMs) {
        for (const { id } of dueNow(app, nowMs))
          tells.push({
            to: owner,
            message: { kind: 'campaign.due', by: -1, id } as Tell['message'],
          });
        // A throttled one may go on now, by the pump.
        state.ready.add(owner);
        const next = nextDueMs(app, nowMs);
        if (next === undefined) this.#nextOf.delete(owner);
        else this.#nextOf.set(owner, next);
      }
      this.#nextMs = Math.min(this.#nextMs, this.#nextOf.get(owner) ?? this.#nextMs);
    }
    return tells;
  }
}

/** Entries after which campaigns may be due at another instant, or at once. */
function moves(entry: Entry): boolean {
  const { kind } = entry;
  if (kind === 'attempts.settled') {
    const { items } = entry as Extract<TransactionalEntry, { kind: 'attempts.settled' }>;
    return items.some(({ origin }) => origin?.campaignId !== undefined);
  }
  return (
    kind.startsWith('campaign.') ||
    kind === 'wave.settled' ||
    kind === 'subscriber.erased' ||
    kind === 'subscriber.merged'
  );
}
