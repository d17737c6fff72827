// Searches an app's people: by filter, by the beginning of an id or by an address, a page from any
// place on. The total and the order come from columns; only the page's records are read.

import { accepted, type Context } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { readPerson } from '../../people/audience/find-person.ts';
import { peopleWith, viewOf } from '../../people/audience/people-page.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { audienceOf } from './evaluate.ts';
import { newestActive, newestOf } from './newest-active.ts';
import type { SearchProtocol } from './protocol.ts';
import type { SegmentsMemory, SegmentsView } from './view.ts';
import { withTraits } from './with-traits.ts';

type Asked = SearchProtocol['people.search']['body'];

/** Ids of one millisecond have random parts: records read to compare them, at most. */
const sameTimeMax = 10_000;
/** The digits of an id that time alone decides, the prefix included: `sub_` and 16. */
const orderedChars = 20;

export const searchDecisions: Decisions<SearchProtocol, SegmentsMemory> = {
  'people.search': (state, message, context) => {
    const { asked, times } = message;
    if (asked === undefined)
      return withApp(state, context, (app) => accepted(pageOf(app, undefined, message, context)));
    return withTraits(state, asked, times, context, (filter, traits, app) => {
      const among = audienceOf(filter, traits, context.nowMs);
      return accepted(pageOf(app, among, message, context));
    });
  },
};

function pageOf(app: SegmentsView, among: Bitset | undefined, asked: Asked, context: Context) {
  const { q, order, offset, limit, tags } = asked;
  const { traits } = app;
  const named = q === undefined ? undefined : peopleNamed(app, q, context).and(traits.alive);
  const found = named === undefined ? (among ?? traits.alive) : among ? named.and(among) : named;
  const page = placesOf(found, app, order, offset, limit);
  const items = page.flatMap((person) => {
    const row = context.documents.get(subscribers, [person]);
    if (row === undefined) return [];
    const view = viewOf(app, row, context.documents);
    return tags === undefined ? view : { ...view, tags: chosen(view.tags, tags) };
  });
  return { items, total: found.count() };
}

function placesOf(
  found: Bitset,
  { traits }: SegmentsView,
  order: Asked['order'],
  offset: number,
  limit: number,
): readonly PersonOrdinal[] {
  if (order === 'newest') return newestOf(found, offset, limit);
  if (order === 'lastActive')
    return newestActive(found, traits.activity, traits.next, offset, limit);
  const page: PersonOrdinal[] = [];
  let person = found.at(offset);
  for (; person >= 0 && page.length < limit; person = found.nextFrom(person + 1)) page.push(person);
  return page;
}

/** Whose external id or id begins so, or who has a device of this address. */
function peopleNamed(app: SegmentsView, q: string, context: Context): Bitset {
  const named = new Bitset(app.traits.next);
  app.people.addNamed(q, named);
  for (const person of peopleWith(app, q, context.documents)) named.set(person);
  if (q.startsWith('sub_')) addIds(app, q, context, named);
  return named;
}

/** Ids sort as people do, up to the millisecond of their creation. */
function addIds(app: SegmentsView, q: string, context: Context, into: Bitset): void {
  const whole = readPerson(app, { id: q }, context);
  if (whole !== undefined) {
    into.set(whole.person);
    return;
  }
  const { alive } = app.traits;
  const idAt = (person: PersonOrdinal) => context.documents.get(subscribers, [person])?.id ?? '';
  const ordered = q.slice(0, orderedChars);
  const count = alive.count();
  const firstWith = (isBefore: (id: string) => boolean): number => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(idAt(alive.at(middle)).slice(0, ordered.length))) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const from = firstWith((id) => id < ordered);
  const to = firstWith((id) => id <= ordered);
  const most = q.length > ordered.length ? Math.min(to, from + sameTimeMax) : to;
  let person = alive.at(from);
  for (let rank = from; rank < most; rank++, person = alive.nextFrom(person + 1))
    if (q.length === ordered.length || idAt(person).startsWith(q)) into.set(person);
}

function chosen<Value>(
  tags: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(tags, name) ? [[name, tags[name] as Value]] : [])),
  );
}
