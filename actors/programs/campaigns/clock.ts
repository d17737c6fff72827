// When campaigns of a partition are due, as one instant per app. Derived from memory: computed at
// start and again after each entry that may change it. If deciding a due campaign yields no entry
// (it threw, or the app is in quarantine), the app waits a minute instead of being asked every
// turn.

import type { Entry, Tell } from '../../../engine/actor/message.ts';
import { type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import { isComplaint } from '../../sending/callbacks/facts.ts';
import type { TransactionalEntry } from '../../sending/transactional/protocol.ts';
import { dueOfApp } from './due.ts';
import type { CampaignsMemory } from './view.ts';

/** How long an app waits after its due campaigns got their messages. */
const againMs: Millis = minuteMs;

export class CampaignClock {
  /** The next due instant per app; 0 to compute it. */
  readonly #nextOf = new Map<Ordinal, Millis>();
  /** Nothing is due before this. */
  #nextMs: Millis = Number.POSITIVE_INFINITY;

  /** When the clock needs a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  begin(state: CampaignsMemory): void {
    for (const owner of state.apps.keys()) this.look(owner);
  }

  /** Computes an app's due instant again in the next turn. */
  look(owner: Ordinal): void {
    this.#nextOf.set(owner, 0);
    this.#nextMs = 0;
  }

  /** At all apps: the clock is confirmed. */
  lookAgain(): void {
    for (const owner of this.#nextOf.keys()) this.look(owner);
  }

  folded(entry: Entry): void {
    if (moves(entry)) this.look(entry.owner);
  }

  /** Messages for what is due, at most one turn's worth. */
  due(state: CampaignsMemory, nowMs: Millis, wallMs = nowMs): Tell[] {
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
        const { due, nextMs } = dueOfApp(app, nowMs, left, nowMs - wallMs);
        for (const { id } of due)
          tells.push({
            to: owner,
            message: { kind: 'campaign.due', by: -1, id } as Tell['message'],
          });
        if (due.length > 0) served.push(owner);
        // A throttled campaign may continue now, in the pump.
        state.ready.add(owner);
        const next = due.length > 0 ? nowMs + againMs : nextMs;
        if (next === undefined) this.#nextOf.delete(owner);
        else this.#nextOf.set(owner, next);
      }
      this.#nextMs = Math.min(this.#nextMs, this.#nextOf.get(owner) ?? this.#nextMs);
    }
    // Round-robin: move a served app to the back.
    for (const owner of served) {
      const next = this.#nextOf.get(owner);
      this.#nextOf.delete(owner);
      if (next !== undefined) this.#nextOf.set(owner, next);
    }
    return tells;
  }
}

/** Whether an entry may change when campaigns are due. */
function moves(entry: Entry): boolean {
  const { kind } = entry;
  if (kind === 'attempts.settled') {
    const { items } = entry as Extract<TransactionalEntry, { kind: 'attempts.settled' }>;
    return items.some(({ origin }) => origin?.campaignId !== undefined);
  }
  if (kind === 'receipt.told') return isComplaint(entry as Parameters<typeof isComplaint>[0]);
  return (
    kind.startsWith('campaign.') ||
    kind === 'settings.changed' ||
    kind === 'wave.settled' ||
    kind === 'people.expired' ||
    kind === 'subscriber.erased' ||
    kind === 'subscriber.merged'
  );
}
