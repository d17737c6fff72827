// Looks for anonymous people who have expired: over all apps once an hour, a slice at a time, so
// that a million who expire in one night hold up nobody. Derived: each start begins anew, and does
// not find those who are gone already.

import type { Message, Tell } from '../../engine/actor/message.ts';
import {
  hourMs,
  type Millis,
  minuteMs,
  type Ordinal,
  type PersonOrdinal,
} from '../../engine/base/brand.ts';
import type { AreaClock, DueTurn } from '../area-clock.ts';
import { expiryCutMs, mayHaveExpired } from '../people/anonymous-expiry.ts';
import type { AppState, PartitionState } from './state.ts';

/** After a start: callers come first. */
const firstMs: Millis = minuteMs;
const everyMs: Millis = hourMs;
/** Between two slices of a pass. */
const pauseMs: Millis = 50;
/** People who expire in one turn: each costs some records and a place in every column. */
const expiredPerTurn = 100;
/** People and apps that one turn looks at. */
const looksPerTurn = 20_000;

export class ExpiryClock implements AreaClock<PartitionState, AppState> {
  #nextMs: Millis = Number.POSITIVE_INFINITY;
  /** What is left of a pass: its apps, and where it stopped in the first. */
  #apps: Ordinal[] = [];
  #from: PersonOrdinal = 0;

  /** When it wants a turn. */
  get nextMs(): Millis {
    return this.#nextMs;
  }

  begin(_state: PartitionState, nowMs: Millis): void {
    this.#apps = [];
    this.#nextMs = nowMs + firstMs;
  }

  due(state: PartitionState, { nowMs }: DueTurn): Tell[] {
    if (nowMs < this.#nextMs) return [];
    if (this.#apps.length === 0) {
      this.#apps = [...state.apps.keys()].reverse();
      this.#from = 0;
    }
    const tells: Tell[] = [];
    let looks = looksPerTurn;
    while (looks > 0 && tells.length === 0) {
      const owner = this.#apps.at(-1);
      if (owner === undefined) break;
      const app = state.apps.get(owner);
      const found: PersonOrdinal[] = [];
      looks -= 1 + (app === undefined ? 0 : this.#look(app, state, nowMs, looks, found));
      if (found.length === 0) continue;
      const message = { kind: 'people.expire', by: -1, people: found } as Message;
      tells.push({ to: owner, message });
    }
    this.#nextMs = nowMs + (this.#apps.length === 0 ? everyMs : pauseMs);
    return tells;
  }

  /** Goes on in the last app of the list, and drops it at its end. Returns how many it saw. */
  #look(
    app: AppState,
    { ages }: PartitionState,
    nowMs: Millis,
    looks: number,
    found: PersonOrdinal[],
  ): number {
    const cutMs = expiryCutMs(app, ages, nowMs);
    let looked = 0;
    let person = cutMs === undefined ? -1 : app.monthlyActive.nextUnvouched(this.#from);
    for (; person >= 0; person = app.monthlyActive.nextUnvouched(person + 1)) {
      if (looked === looks || found.length === expiredPerTurn) {
        this.#from = person;
        return looked;
      }
      looked++;
      if (mayHaveExpired(app, person, cutMs as Millis)) found.push(person);
    }
    this.#apps.pop();
    this.#from = 0;
    return looked;
  }
}
