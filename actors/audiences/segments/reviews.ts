// Which people an entry may move in or out of followed segments, asked before it is folded. An
// event is ignored by segments that do not mention it, and by conditions that already hold: one
// more event never ends "often enough within the window". It can begin it only from within the
// window; the clock handles the end.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { deferral } from '../../events/ingest/names.ts';
import type { EntryFacts } from '../../events/log/entry-facts.ts';
import { keptCutOf } from './evaluate.ts';
import type { LastSeen } from './last-seen.ts';
import type { SegmentsView } from './memory.ts';
import type { Review } from './protocol.ts';
import type { Watch } from './watches.ts';
import { type Window, windowsOf } from './windows.ts';

/** People that the facts may move, some of them twice. */
export function reviewsOf(
  app: SegmentsView,
  facts: readonly EntryFacts[],
  nowMs: Millis,
): readonly Review[] {
  if (app.watches.size === 0) return [];
  const lists = new Map<string, Lists>();
  const listsOf = (segmentId: string, watch: Watch) => {
    let some = lists.get(segmentId);
    if (some === undefined) {
      some = { people: [], unproven: [], proven: [], held: watch.unproven };
      lists.set(segmentId, some);
    }
    return some;
  };
  // Looked up once per entry: it may have thousands of people, for a thousand segments.
  const followedOf = new Map<string, Followed[]>();
  const followedBy = (event: string): Followed[] => {
    const known = followedOf.get(event);
    if (known !== undefined) return known;
    const followed: Followed[] = [];
    followedOf.set(event, followed);
    if (event === deferral) return followed;
    for (const [id, watch] of app.watches) {
      const filter = app.segments.get(id)?.filter;
      if (filter === undefined) continue;
      const moved = windowsOf(filter).filter((window) => window.isMovedBy(event));
      const reaches = moved.map((one) => reachOf(one, app, nowMs));
      if (moved.length > 0) followed.push({ lists: listsOf(id, watch), reaches });
    }
    return followed;
  };
  const needsProof = app.settings.keylessEvents?.startJourneys === false;
  for (const one of facts) {
    const rows = one.rows();
    const followed: Followed[][] = [];
    for (let row = 0; row < rows.count; row++) {
      const index = rows.nameIndex(row);
      followed[index] ??= followedBy(rows.names[index] as string);
      for (const by of followed[index]) {
        const person = rows.person(row);
        const mayHaveBegun = mayBegin(by, person, rows.atMs(row));
        if (mayHaveBegun || by.lists.held.test(person))
          list(by.lists, person, !needsProof || one.isVouched(person), mayHaveBegun);
      }
    }
    // Deleted people match nothing, and so leave.
    for (const person of one.changedPeople())
      for (const [id, watch] of app.watches)
        list(listsOf(id, watch), person, !needsProof || one.isVouched(person), true);
  }
  return [...lists].flatMap(([segmentId, some]) => reviewOf(segmentId, some));
}

function reviewOf(segmentId: string, { people, unproven, proven }: Lists): readonly Review[] {
  if (people.length === 0) return [];
  const review: Review = {
    segmentId,
    people,
    ...(unproven.length > 0 && { unproven }),
    ...(proven.length > 0 && { proven }),
  };
  return [review];
}

/** The people of one segment, as a review has them. */
interface Lists {
  readonly people: PersonOrdinal[];
  readonly unproven: PersonOrdinal[];
  readonly proven: PersonOrdinal[];
  /** Of the segment: see `Watch.unproven`. */
  readonly held: Bitset;
}

function list(lists: Lists, person: PersonOrdinal, isProven: boolean, mayMove: boolean): void {
  const { people, unproven, proven, held } = lists;
  if (!isProven) {
    if (!mayMove) return;
    people.push(person);
    unproven.push(person);
    return;
  }
  people.push(person);
  if (held.test(person)) proven.push(person);
}

/** The people of a followed segment that an event may move, and how. */
interface Followed {
  readonly lists: Lists;
  readonly reaches: readonly Reach[];
}

interface Reach {
  readonly cutMs: Millis;
  readonly column: LastSeen | undefined;
  readonly isKnown: boolean;
}

function reachOf(window: Window, { traits }: SegmentsView, nowMs: Millis): Reach {
  return {
    cutMs: keptCutOf(window.days, nowMs, traits),
    column: window.columnIn(traits),
    isKnown: window.isKnownIn(traits),
  };
}

/** Whether an event at this instant may make a condition begin to hold. */
function mayBegin({ reaches }: Followed, person: PersonOrdinal, atMs: Millis): boolean {
  for (const { cutMs, column, isKnown } of reaches) {
    if (!isKnown) return true;
    if (atMs > cutMs && (column === undefined || column.at(person) <= cutMs)) return true;
  }
  return false;
}
