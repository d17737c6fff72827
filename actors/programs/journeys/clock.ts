// When people in a partition's journeys are due: an index of wakes per journey. Derived: rebuilt at
// start. People handed out who did not move, because deciding threw, are handed out again after a
// minute instead of every turn; likewise awaited people.

import type { Entry, Tell } from '../../../engine/actor/message.ts';
import {
  type Millis,
  minuteMs,
  type Ordinal,
  type PersonOrdinal,
} from '../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import type { AreaClock, DueTurn } from '../../area-clock.ts';
import { limits } from '../../limits.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import type { JourneysEntry } from './entries.ts';
import { type Journey, sliceOf } from './journeys.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import { journeyTell } from './protocol.ts';
import { Wakes } from './wakes.ts';

/** The retry delay of people whose decision failed. */
const againMs: Millis = minuteMs;

interface Clocked {
  readonly owner: Ordinal;
  readonly journey: Journey;
  wakes: Wakes;
  /** The people last handed out, and when. */
  handed: readonly PersonOrdinal[];
  handedMs: Millis;
  /** The first awaited person at the last `journey.admit`; -1 once that was folded. */
  admitted: PersonOrdinal;
  admittedMs: Millis;
}

export class JourneyClock implements AreaClock<JourneysMemory, JourneysView> {
  readonly #byId = new Map<string, Clocked>();
  /** Nothing is due before this. */
  #nextMs: Millis = Number.POSITIVE_INFINITY;

  /** When the clock needs a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  get byteLength(): number {
    return [...this.#byId.values()].reduce((sum, { wakes }) => sum + wakes.byteLength, 0);
  }

  begin(state: JourneysMemory): void {
    for (const [owner, { journeys }] of state.apps)
      for (const journey of journeys.all()) this.#add(owner, journey);
  }

  folded(entry: Entry, app: JourneysView | undefined): void {
    if (app === undefined) return;
    const one = entry as JourneysEntry | AudienceEntry;
    switch (one.kind) {
      case 'journey.saved': {
        const journey = app.journeys.get(one.journey.id);
        if (journey === undefined) break;
        if (!this.#byId.has(one.journey.id)) this.#add(one.owner, journey);
        if (one.awaited !== undefined || one.replaces !== undefined) this.#nextMs = 0;
        break;
      }
      case 'journey.awaited':
        this.#nextMs = 0;
        break;
      case 'journey.moved': {
        const clocked = this.#byId.get(one.journeyId);
        if (clocked === undefined) break;
        if (one.passed !== undefined) {
          clocked.admitted = -1;
          if (!clocked.journey.awaited.isEmpty()) this.#nextMs = 0;
        }
        const { wakes } = clocked;
        const people = unpackOrdinals(one.people);
        for (let i = 0; i < people.length; i++) {
          const { outcome } = one.moves[one.codes?.[i] ?? 0] as (typeof one.moves)[number];
          if (outcome.kind !== 'waits') continue;
          wakes.add(people[i] as PersonOrdinal, outcome.wakeMs);
          if (outcome.wakeMs < this.#nextMs) this.#nextMs = outcome.wakeMs;
        }
        break;
      }
      case 'journey.deleted':
        this.#byId.delete(one.id);
        break;
      // A run taken over in a merge wakes under the other ordinal.
      case 'subscriber.merged':
        for (const { owner, journey, wakes } of this.#byId.values()) {
          const wakeMs = owner === one.owner ? journey.flow.runs.wakeMsOf(one.into) : 0;
          if (wakeMs === 0) continue;
          wakes.add(one.into, wakeMs);
          this.#nextMs = Math.min(this.#nextMs, wakeMs);
        }
        break;
      case 'journeys.released':
        for (const id of one.ids) {
          const clocked = this.#byId.get(id);
          if (clocked !== undefined) clocked.wakes = new Wakes(clocked.journey.flow.runs);
        }
        this.#nextMs = 0;
        break;
    }
  }

  due(state: JourneysMemory, { nowMs, isShared }: DueTurn): Tell[] {
    if (nowMs < this.#nextMs) return [];
    const tells: Tell[] = [];
    let left: number = isShared ? limits.turnWakesSharedMax : limits.turnWakesMax;
    const served: string[] = [];
    for (const [id, clocked] of this.#byId) {
      const { owner, journey, wakes } = clocked;
      const app = state.apps.get(owner);
      if (app?.journeys.get(id) !== journey) {
        this.#byId.delete(id);
        continue;
      }
      this.#handBack(clocked, nowMs);
      const slice = Math.min(left, sliceOf(journey));
      if (slice === 0) continue;
      const people = wakes.nextMs <= nowMs ? wakes.take(nowMs, slice) : [];
      clocked.handed = people;
      clocked.handedMs = nowMs;
      const { heldMs } = journey;
      const due =
        heldMs === 0 ? people : people.filter((one) => journey.flow.runs.wakeMsOf(one) > heldMs);
      if (due.length > 0) tells.push(journeyTell(owner, { kind: 'journey.wake', id, people: due }));
      left -= due.length;
      const count = Math.min(left, sliceOf(journey));
      const isAdmitting = count > 0 && admitMsOf(clocked) <= nowMs;
      if (isAdmitting) {
        tells.push(journeyTell(owner, { kind: 'journey.admit', id, count }));
        left -= count;
        clocked.admitted = journey.awaited.nextFrom(0);
        clocked.admittedMs = nowMs;
      }
      if (due.length > 0 || isAdmitting) served.push(id);
    }
    // Round-robin: move a served journey to the back.
    for (const id of served) {
      const clocked = this.#byId.get(id);
      if (clocked === undefined) continue;
      this.#byId.delete(id);
      this.#byId.set(id, clocked);
    }
    this.#look();
    return tells;
  }

  #add(owner: Ordinal, journey: Journey): void {
    const wakes = new Wakes(journey.flow.runs);
    const asked = { handed: [], handedMs: 0, admitted: -1, admittedMs: 0 };
    this.#byId.set(journey.record.id, { owner, journey, wakes, ...asked });
    this.#nextMs = 0;
  }

  #handBack(clocked: Clocked, nowMs: Millis): void {
    const { handed, handedMs, journey, wakes } = clocked;
    clocked.handed = [];
    for (const person of handed) {
      const wakeMs = journey.flow.runs.wakeMsOf(person);
      // A later wake means that the person did move.
      if (wakeMs > journey.heldMs && wakeMs <= handedMs) wakes.add(person, nowMs + againMs);
    }
  }

  #look(): void {
    let next = Number.POSITIVE_INFINITY;
    for (const clocked of this.#byId.values())
      next = Math.min(next, admitMsOf(clocked), clocked.wakes.nextMs);
    this.#nextMs = next;
  }
}

/** When to admit awaited people: now, a minute after a failed try, or never if none are. */
function admitMsOf({ journey, admitted, admittedMs }: Clocked): Millis {
  const first = journey.awaited.nextFrom(0);
  if (first < 0) return Number.POSITIVE_INFINITY;
  return first === admitted ? admittedMs + againMs : 0;
}
