// Searches an app's people: by filter, by the beginning of an id or by an address, a page from any
// place on. The total and the order come from columns; only the page's records are read.

import { accepted, type Context } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import { nameTags } from '../../people/audience/display-name.ts';
import { readPerson } from '../../people/audience/find-person.ts';
import { peopleWith, viewOf } from '../../people/audience/people-page.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { audienceOf } from './evaluate.ts';
import { foldedName } from './folded-name.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import { newestActive, newestOf } from './newest-active.ts';
import type { SearchProtocol } from './protocol.ts';
import type { TagColumn } from './tag-column.ts';
import { withTraits } from './with-traits.ts';

type Asked = SearchProtocol['people.search']['body'];

/** Ids of one millisecond have random parts: records read to compare them, at most. */
const sameTimeMax = 10_000;
/** The digits of an id that time alone decides, the prefix included: `sub_` and 16. */
const orderedChars = 20;
/** Words of a name that are looked at. */
const wordsMax = 6;

export const searchDecisions: Decisions<SearchProtocol, SegmentsMemory> = {
  'people.fold_names': (state, _message, context) =>
    withApp(state, context, (app) => {
      let left = limits.namesFoldedAtOnce;
      let waiting = 0;
      for (const column of nameColumns(app)) {
        const before = column.foldNames(0);
        const after = column.foldNames(left);
        left -= before - after;
        waiting += after;
      }
      return accepted({ waiting });
    }),

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
  const { q, ids, order, offset, limit, tags } = asked;
  const { traits } = app;
  const named = q === undefined ? undefined : peopleNamed(app, q, context).and(traits.alive);
  const wanted = ids === undefined ? undefined : peopleOf(app, ids, context);
  // The first one is changed, which is nobody else's unless it is the only one.
  const [first = traits.alive, ...more] = [named, wanted, among].filter((set) => set !== undefined);
  const found = more.reduce((all, set) => all.and(set), first);
  const page = placesOf(found, app, order, offset, limit);
  const items = page.flatMap((person) => {
    const row = context.documents.get(subscribers, [person]);
    if (row === undefined) return [];
    const view = viewOf(app, row, context);
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

/**
 * Who has a name with these words, an external id or an id that begins so, or a device of this
 * address.
 */
function peopleNamed(app: SegmentsView, q: string, context: Context): Bitset {
  const named = new Bitset(app.traits.next);
  app.people.addNamed(q, named);
  for (const person of peopleWith(app, q, context.documents)) named.set(person);
  if (q.startsWith('sub_')) addIds(app, q, context, named);
  return named.or(peopleCalled(app, q));
}

function peopleOf(app: SegmentsView, ids: readonly string[], context: Context): Bitset {
  const people = new Bitset(app.traits.next);
  for (const id of ids) {
    const row = readPerson(app, { id }, context);
    if (row !== undefined) people.set(row.person);
  }
  return people.and(app.traits.alive);
}

/** Whose name has words that begin so, in any order. */
function peopleCalled(app: SegmentsView, q: string): Bitset {
  const words = foldedName(q).split(' ').slice(0, wordsMax);
  const { next } = app.traits;
  // What came since the values were prepared.
  for (const column of nameColumns(app)) column.foldNames(limits.namesFoldedAtOnce);
  let called: Bitset | undefined;
  for (const word of new Set(words)) {
    if (word === '') continue;
    const having = new Bitset(next);
    for (const column of nameColumns(app)) column.addNamed(word, having);
    called = called === undefined ? having : called.and(having);
  }
  return called ?? new Bitset(next);
}

function nameColumns({ traits, settings }: SegmentsView): readonly TagColumn[] {
  return nameTags(settings).flatMap((tag) => traits.tags.get(tag) ?? []);
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
