// When campaigns of a partition are due: asked of their memory again after every entry that may
// have moved it, and kept as one instant an app. Derived, and made anew at each start. What a
// reader would get wrong: whatever is decided of one that is due is an entry, after which its app
// is asked again; where there was none, since deciding threw or the app is in quarantine, it is
// asked in a minute and not in every turn.

import type { Entry, Tell } from '../../../engine/actor/message.ts';
import { type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import type { TransactionalEntry } from '../../sending/transactional/protocol.ts';
import { dueOfApp } from './due.ts';
import type { CampaignsMemory } from './view.ts';

/** How long an app waits of whose campaigns nothing was decided. */
const againMs: Millis = minuteMs;

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
  begin(state: CampaignsMemory): void {
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

  /** What is due: messages for this turn, no more than a turn takes. */
  due(state: CampaignsMemory, nowMs: Millis): Tell[] {
    if (nowMs < this.#nextMs) return [];
    const tells: Tell[] = [];
    const served: Ordinal[] = [];
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const [owner, askMs] of this.#nextOf) {
      const app = state.apps.get(owner);
      if (app === undefined) {
        this.#nextOf.delete(owner);
        continue;
      }
      const left = limits.turnCampaignsMax - tells.length;
      if (askMs <= nowMs && left > 0) {
        const { due, nextMs } = dueOfApp(app, nowMs, left);
        for (const { id } of due)
          tells.push({
            to: owner,
            message: { kind: 'campaign.due', by: -1, id } as Tell['message'],
          });
        if (due.length > 0) served.push(owner);
        // A throttled one may go on now, by the pump.
        state.ready.add(owner);
        const next = due.length > 0 ? nowMs + againMs : nextMs;
        if (next === undefined) this.#nextOf.delete(owner);
        else this.#nextOf.set(owner, next);
      }
      this.#nextMs = Math.min(this.#nextMs, this.#nextOf.get(owner) ?? this.#nextMs);
    }
    // Whoever was served goes to the end of the line.
    for (const owner of served) {
      const next = this.#nextOf.get(owner);
      this.#nextOf.delete(owner);
      if (next !== undefined) this.#nextOf.set(owner, next);
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
