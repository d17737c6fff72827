// When followed segments change although nothing happens: the edge of a window passes somebody by. The columns hold every
// such instant already (an event's instant and the window's length), so far ones need no timer; once an hour the next hour's
// are picked out of the columns, and each of them wakes its partition to the millisecond. An event does no timer work: a
// newer one moves an edge by at least a day, and the wake then finds nothing changed. Derived, and made anew at each start.

import type { Entry, Tell } from '../../engine/actor/message.ts';
import {
  dayMs,
  hourMs,
  type Millis,
  type Ordinal,
  type PersonOrdinal,
} from '../../engine/base/brand.ts';
import { clear, intersect, invert, scratchSets } from '../../engine/columns/sets.ts';
import type { AppState, PartitionState } from '../state.ts';
import { eachCondition, type Filter, windowDaysOf } from './filter.ts';
import type { LastSeen } from './last-seen.ts';
import type { Review, SegmentsEntry } from './protocol.ts';
import type { Traits } from './traits.ts';

const horizonMs = hourMs;
/** Edges that one turn handles. */
const edgesPerTurn = 10_000;

/** An instant at which a person may enter or leave. */
interface Edge {
  readonly dueMs: Millis;
  readonly app: Ordinal;
  readonly segmentId: string;
  readonly person: PersonOrdinal;
}

/** A condition's window, and the instants that it is measured from. */
interface Window {
  readonly days: number;
  readonly column: Pick<LastSeen, 'at' | 'addAfter'>;
}

export class MembershipClock {
  /** Those before the horizon, the first due last. */
  #edges: Edge[] = [];
  /** Edges are known up to here; 0 when they have to be picked anew. */
  #horizonMs: Millis = 0;
  /** Edges up to here were handed out. */
  #doneMs: Millis = 0;
  /** Segments whose whole membership has to be looked at. */
  readonly #reconcile = new Map<string, Ordinal>();
  #watches = 0;

  /** When it wants a turn; `undefined` for not at all. */
  get nextMs(): Millis | undefined {
    if (this.#reconcile.size > 0) return 0;
    if (this.#watches === 0) return undefined;
    return Math.min(this.#edges[this.#edges.length - 1]?.dueMs ?? this.#horizonMs, this.#horizonMs);
  }

  /** Begins with the memory of a start: what passed meanwhile is looked for, and every edge. */
  begin(state: PartitionState, nowMs: Millis): void {
    this.#doneMs = nowMs;
    for (const [owner, app] of state.apps) {
      this.#watches += app.watches.size;
      for (const segmentId of app.watches.keys()) this.reconcile(owner, segmentId);
    }
  }

  /** Has the whole membership of a followed segment looked at. */
  reconcile(owner: Ordinal, segmentId: string): void {
    this.#reconcile.set(segmentId, owner);
    this.#horizonMs = 0;
  }

  /** Takes note of an entry that was folded: of what makes a segment followed, or another, or whom it moved. */
  folded(entry: Entry, app: AppState | undefined): void {
    const { kind, owner } = entry as SegmentsEntry;
    if (kind === 'segment.watched') {
      this.#watches++;
      this.#horizonMs = 0;
    } else if (kind === 'segment.saved') {
      const { id } = (entry as Extract<SegmentsEntry, { kind: 'segment.saved' }>).segment;
      if (app?.watches.has(id)) this.reconcile(owner, id);
    }
  }

  /** What is due: messages for this turn. */
  due(state: PartitionState, nowMs: Millis): Tell[] {
    const tells: Tell[] = [];
    for (const [segmentId, owner] of this.#reconcile) {
      this.#reconcile.delete(segmentId);
      tells.push(tellOf(owner, { kind: 'segment.reconcile', segmentId }));
      break; // one a turn, since each looks at everybody
    }
    if (this.#watches > 0 && nowMs >= this.#horizonMs) this.#pick(state, nowMs);
    const reviews = new Map<Ordinal, Map<string, PersonOrdinal[]>>();
    for (let left = edgesPerTurn; ; left--) {
      const edge = this.#edges[this.#edges.length - 1];
      if (edge === undefined || edge.dueMs > nowMs) {
        this.#doneMs = nowMs;
        break;
      }
      this.#doneMs = edge.dueMs - 1;
      if (left === 0) break;
      this.#edges.pop();
      const segments = reviews.get(edge.app) ?? new Map<string, PersonOrdinal[]>();
      reviews.set(edge.app, segments);
      const people = segments.get(edge.segmentId) ?? [];
      segments.set(edge.segmentId, people);
      people.push(edge.person);
    }
    for (const [owner, segments] of reviews) {
      const some = [...segments].map(([segmentId, people]): Review => ({ segmentId, people }));
      tells.push(tellOf(owner, { kind: 'segment.review', reviews: some }));
    }
    return tells;
  }

  /** Edges of people who were just looked at: an event from long ago may have one before the horizon. */
  reviewed(app: AppState, owner: Ordinal, reviews: readonly Review[], nowMs: Millis): void {
    for (const { segmentId, people } of reviews) {
      const filter = app.segments.get(segmentId)?.filter;
      if (filter === undefined) continue;
      for (const { days, column } of windowsOf(filter, app.traits)) {
        for (const person of people) {
          const atMs = column.at(person);
          const dueMs = atMs + days * dayMs;
          if (atMs > 0 && dueMs > nowMs && dueMs <= this.#horizonMs)
            this.#insert({ dueMs, app: owner, segmentId, person });
        }
      }
    }
  }

  /** Picks the next hour's edges out of the columns, and those that passed since the last were handed out. */
  #pick(state: PartitionState, nowMs: Millis): void {
    const untilMs = nowMs + horizonMs;
    const edges: Edge[] = [];
    this.#watches = 0;
    for (const [owner, { watches, segments, traits }] of state.apps) {
      this.#watches += watches.size;
      for (const segmentId of watches.keys()) {
        const filter = segments.get(segmentId)?.filter;
        if (filter === undefined) continue;
        for (const window of windowsOf(filter, traits)) {
          eachBetween(window, traits.next, this.#doneMs, untilMs, (person, dueMs) =>
            edges.push({ dueMs, app: owner, segmentId, person }),
          );
        }
      }
    }
    this.#edges = edges.sort((a, b) => b.dueMs - a.dueMs);
    this.#horizonMs = untilMs;
  }

  #insert(edge: Edge): void {
    let low = 0;
    let high = this.#edges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#edges[middle] as Edge).dueMs > edge.dueMs) low = middle + 1;
      else high = middle;
    }
    this.#edges.splice(low, 0, edge);
  }
}

function tellOf(
  to: Ordinal,
  message: { readonly kind: string; readonly [more: string]: unknown },
): Tell {
  return { to, message: { ...message, by: -1 } as Tell['message'] };
}

/** Calls `visit` with everybody whose edge lies after `fromMs`, up to `untilMs`. */
function eachBetween(
  { days, column }: Window,
  people: PersonOrdinal,
  fromMs: Millis,
  untilMs: Millis,
  visit: (person: PersonOrdinal, dueMs: Millis) => void,
): void {
  const sets = scratchSets();
  sets.begin(people, 3);
  const [found, later, spare] = [sets.at(0), sets.at(1), sets.at(2)];
  for (const set of [found, later]) clear(set);
  const spanMs = days * dayMs;
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

/** The windows of a filter over the columns that they look at. */
function windowsOf(filter: Filter, traits: Traits): Window[] {
  const windows: Window[] = [];
  eachCondition(filter, (condition) => {
    const days = windowDaysOf(condition);
    if (days === undefined) return;
    const columns: (Window['column'] | undefined)[] = [];
    if (!('event' in condition)) {
      columns.push(traits.activity);
      if ('inactiveForDays' in condition) columns.push(traits.created);
    } else if ('atLeast' in condition && (condition.atLeast ?? 1) > 1)
      columns.push(traits.timesOf(condition.event)?.rank(condition.atLeast ?? 1));
    else columns.push(traits.events.get(condition.event));
    for (const column of columns) if (column !== undefined) windows.push({ days, column });
  });
  return windows;
}
