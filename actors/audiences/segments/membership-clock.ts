// Changes followed segments when a window's edge passes a person by. The columns already hold every
// such instant, so there are no timers for far ones: once an hour it picks a segment's edges of the
// next hour, and each wakes the partition to the millisecond. An event does no timer work: it moves
// an edge by at least a day, and the wake then finds no change. Derived, built anew at each start;
// a turn picks for one segment and reconciles one at most.

import type { Context, Entry, Message, Tell } from '../../../engine/actor/message.ts';
import {
  dayMs,
  hourMs,
  type Millis,
  type Ordinal,
  type PersonOrdinal,
} from '../../../engine/base/brand.ts';
import { clear, intersect, invert, scratchSets } from '../../../engine/columns/sets.ts';
import type { AreaClock, DueTurn } from '../../area-clock.ts';
import { Edges } from './edges.ts';
import { changesPerTurn } from './membership.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import type { Review, SegmentsEntry } from './protocol.ts';
import type { TraitsReads } from './reads.ts';
import { type Window, windowsOf } from './windows.ts';

type SegmentReview = Message & { readonly reviews: readonly Review[] };

const horizonMs = hourMs;
/** Edges that one turn reviews. */
const edgesPerTurn = 10_000;

interface Followed {
  readonly owner: Ordinal;
  readonly edges: Edges;
  /** Edges are known up to here; 0 when they have to be picked again. */
  horizonMs: Millis;
  /** Edges up to here were reviewed. */
  doneMs: Millis;
}

export class MembershipClock implements AreaClock<SegmentsMemory, SegmentsView> {
  /** A restore never changes who is in a segment. */
  readonly whileHeld = true;
  readonly after = {
    'segment.review': (
      app: SegmentsView | undefined,
      message: SegmentReview,
      { nowMs }: Context,
    ) => {
      if (app !== undefined && app.watches.size > 0) this.#reviewed(app, message.reviews, nowMs);
    },
  };
  readonly #followed = new Map<string, Followed>();
  /** Segments whose whole membership must be checked. */
  readonly #reconcile = new Map<string, Ordinal>();
  /** Before this there is nothing to do. */
  #nextMs: Millis = Number.POSITIVE_INFINITY;
  #nowMs: Millis = 0;

  /** When it wants a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  /** Starts over. `folded` had no clock during the start: its edges would begin in 1970. */
  begin(state: SegmentsMemory, nowMs: Millis): void {
    this.#nowMs = nowMs;
    this.#followed.clear();
    for (const [owner, app] of state.apps)
      for (const segmentId of app.watches.keys()) this.#reconcileOne(owner, segmentId);
  }

  /** Has a followed segment's whole membership checked, and its edges picked again. */
  #reconcileOne(owner: Ordinal, segmentId: string): void {
    this.#reconcile.set(segmentId, owner);
    this.#follow(owner, segmentId);
  }

  /** Handles a folded entry that changes which segments are followed, or how. */
  folded(entry: Entry, app: SegmentsView | undefined): void {
    const one = entry as SegmentsEntry;
    if (one.kind === 'segment.watched') {
      if (!this.#followed.has(one.segmentId)) this.#follow(one.owner, one.segmentId);
    } else if (one.kind === 'segment.unwatched') {
      if (!app?.watches.has(one.segmentId)) this.#followed.delete(one.segmentId);
    } else if (one.kind === 'segment.changed') {
      if (one.entered.length + one.left.length >= changesPerTurn)
        this.#reconcileOne(one.owner, one.segmentId); // the rest, in the next turn
    } else if (one.kind === 'segment.saved') {
      if (app?.watches.has(one.segment.id)) this.#reconcileOne(one.owner, one.segment.id);
    }
  }

  /** Columns of an app are complete: followed segments can be evaluated again. */
  columnsComplete(app: SegmentsView): void {
    for (const segmentId of app.watches.keys()) this.#reconcileOne(app.record.ordinal, segmentId);
  }

  due(state: SegmentsMemory, { nowMs }: DueTurn): Tell[] {
    this.#nowMs = nowMs;
    if (nowMs < this.#nextMs) return [];
    const tells: Tell[] = [];
    for (const [segmentId, owner] of this.#reconcile) {
      this.#reconcile.delete(segmentId);
      tells.push(tellOf(owner, { kind: 'segment.reconcile', segmentId }));
      break;
    }
    let mayPick = true;
    let left = edgesPerTurn;
    const reviews = new Map<Ordinal, Review[]>();
    for (const [segmentId, followed] of this.#followed) {
      const { owner, edges } = followed;
      const app = state.apps.get(owner);
      if (app === undefined || !app.watches.has(segmentId)) {
        this.#followed.delete(segmentId);
        continue;
      }
      if (mayPick && followed.horizonMs <= nowMs) {
        mayPick = false;
        pick(followed, app, segmentId, nowMs);
      }
      const people = edges.take(nowMs, left);
      left -= people.length;
      followed.doneMs = Math.min(nowMs, edges.nextMs - 1);
      if (people.length === 0) continue;
      const some = reviews.get(owner) ?? [];
      reviews.set(owner, some);
      some.push({ segmentId, people });
    }
    for (const [owner, some] of reviews)
      tells.push(tellOf(owner, { kind: 'segment.review', reviews: some }));
    this.#look();
    return tells;
  }

  /** Adds edges of people just reviewed: a late event may have one before the horizon. */
  #reviewed(app: SegmentsView, reviews: readonly Review[], nowMs: Millis): void {
    for (const { segmentId, people } of reviews) {
      const followed = this.#followed.get(segmentId);
      const filter = app.segments.get(segmentId)?.filter;
      if (followed === undefined || filter === undefined) continue;
      for (const window of windowsOf(filter)) {
        const column = window.columnIn(app.traits);
        if (column === undefined) continue;
        const { days } = window;
        for (const person of people) {
          const atMs = column.at(person);
          const dueMs = atMs + days * dayMs;
          if (atMs > 0 && dueMs > nowMs && dueMs <= followed.horizonMs)
            followed.edges.add(dueMs, person);
        }
      }
      this.#nextMs = Math.min(this.#nextMs, followed.edges.nextMs);
    }
  }

  #follow(owner: Ordinal, segmentId: string): void {
    const doneMs = this.#followed.get(segmentId)?.doneMs ?? this.#nowMs;
    this.#followed.set(segmentId, { owner, edges: new Edges(), horizonMs: 0, doneMs });
    this.#nextMs = 0;
  }

  #look(): void {
    this.#nextMs = this.#reconcile.size > 0 ? 0 : Number.POSITIVE_INFINITY;
    for (const { edges, horizonMs } of this.#followed.values())
      this.#nextMs = Math.min(this.#nextMs, edges.nextMs, horizonMs);
  }
}

/** Picks a segment's edges of the next hour, and those passed since the last review. */
function pick(followed: Followed, app: SegmentsView, segmentId: string, nowMs: Millis): void {
  const filter = app.segments.get(segmentId)?.filter;
  if (filter === undefined) return;
  const untilMs = nowMs + horizonMs;
  const { edges, doneMs } = followed;
  edges.begin(doneMs, untilMs);
  for (const window of windowsOf(filter))
    eachBetween(window, app.traits, doneMs, untilMs, (person, dueMs) => edges.pick(dueMs, person));
  followed.horizonMs = untilMs;
}

function tellOf(
  to: Ordinal,
  message: { readonly kind: string; readonly [more: string]: unknown },
): Tell {
  return { to, message: { ...message, by: -1 } as Tell['message'] };
}

/** Visits everyone whose edge lies after `fromMs`, up to `untilMs`, by ascending ordinal. */
function eachBetween(
  window: Window,
  traits: TraitsReads,
  fromMs: Millis,
  untilMs: Millis,
  visit: (person: PersonOrdinal, dueMs: Millis) => void,
): void {
  const column = window.columnIn(traits);
  if (column === undefined) return;
  const sets = scratchSets();
  sets.begin(traits.next, 3);
  const [found, later, spare] = [sets.at(0), sets.at(1), sets.at(2)];
  for (const set of [found, later]) clear(set);
  const spanMs = window.days * dayMs;
  column.addAfter(fromMs - spanMs, found, spare);
  column.addAfter(untilMs - spanMs, later, spare);
  invert(later);
  intersect(found, later);
  for (let word = 0; word < found.words.length; word++) {
    for (let bits = found.words[word] as number; bits !== 0; bits &= bits - 1) {
      const person = word * 32 + 31 - Math.clz32(bits & -bits);
      visit(person, column.at(person) + spanMs);
    }
  }
}
