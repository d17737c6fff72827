// Decides about the names of events and tags that an app has columns for: lists them, drops them,
// and trims those that only strangers use.

import {
  accepted,
  type Context,
  type DocumentWrite,
  refused,
} from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { isServiceName } from '../../events/ingest/names.ts';
import { fault, notFound } from '../../faults.ts';
import { topicOfTag } from '../../people/topics/choice-tag.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { eachCondition } from './filter.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import type { NamesProtocol, SegmentsEntry } from './protocol.ts';
import { savedFilters } from './saved-filters.ts';
import { unvouchedKept } from './unvouched-names.ts';

/** People whose record loses a tag in one turn. */
const rowsPerTurn = 500;
/** An event of fewer people makes room first. */
const fewPeople = 20;

export const namesDecisions: Decisions<NamesProtocol, SegmentsMemory> = {
  'names.list': (state, { of, limit, after }, context) =>
    withApp(state, context, (app) => {
      const names = [...app.traits[of].keys()].filter(
        (name) => (after === undefined || name > after) && isTenants(of, name),
      );
      const shown = names.sort().slice(0, limit);
      const users = usersOfNames(app)[of];
      const items = shown.map((name) => ({
        name,
        usedBy: users(name) ?? null,
        vouched: !app.unvouched[of].has(name) || users(name) !== undefined,
      }));
      const isLast = shown.length === names.length;
      return accepted({ items, nextCursor: isLast ? null : (shown.at(-1) ?? null) });
    }),

  'names.drop_event': (state, { name }, context) =>
    withApp(state, context, (app) => {
      if (!isTenants('events', name) || !app.traits.events.has(name))
        return refused(notFound('event name'));
      const user = usersOfNames(app).events(name);
      if (user !== undefined) return refused(inUse(name, user));
      return accepted(null, { entries: [dropped({ events: [name], tags: [] }, context)] });
    }),

  'names.drop_tag': (state, { name }, context) =>
    withApp(state, context, (app) => {
      const column = app.traits.tags.get(name);
      if (column === undefined) return refused(notFound('tag name'));
      const user = usersOfNames(app).tags(name);
      if (user !== undefined) return refused(inUse(name, user));
      const people = column.firstHaving(rowsPerTurn);
      const documents = withoutTag(name, people, context);
      const isDone = people.length < rowsPerTurn;
      const entries = isDone ? [dropped({ events: [], tags: [name] }, context)] : [];
      return accepted({ isDone }, { entries, documents });
    }),

  'names.trim': (state, _message, context) =>
    withApp(state, context, (app) => {
      const users = usersOfNames(app);
      const events = [...app.unvouched.events];
      const tags = [...app.unvouched.tags];
      const unused = events.filter((name) => users.events(name) === undefined);
      const entry: SegmentsEntry = {
        kind: 'names.changed',
        owner: context.owner,
        vouched: {
          events: events.filter((name) => users.events(name) !== undefined),
          tags: tags.filter((name) => users.tags(name) !== undefined),
        },
        dropped: {
          events: leastUsed(app, unused).slice(0, Math.max(0, unused.length - unvouchedKept)),
          tags: tags.filter(
            (name) => users.tags(name) === undefined && app.traits.tags.get(name)?.isEmpty,
          ),
        },
      };
      return accepted(null, { entries: [entry] });
    }),
};

/** The service's own events are not the tenant's to drop. */
function isTenants(of: 'events' | 'tags', name: string): boolean {
  return of === 'tags' || !isServiceName(name);
}

/** Finds what uses a name, such as `the segment "Pro"`; a journey that waits for it counts. */
function usersOfNames(app: SegmentsView) {
  const events = new Map<string, string>();
  const tags = new Map<string, string>();
  for (const { filter, what } of savedFilters(app)) {
    eachCondition(filter, (condition) => {
      if ('event' in condition) events.set(condition.event, what);
      else if ('tag' in condition) tags.set(condition.tag, what);
    });
  }
  const journey = (name: string) =>
    app.journeys.listeners.to(name) === undefined ? undefined : 'a live journey';
  return {
    events: (name: string) => events.get(name) ?? journey(name),
    tags: (name: string) => tags.get(name) ?? topicOf(app, name),
  };
}

/** Without the tag, nobody would be out of the topic any more. */
function topicOf({ topics }: SegmentsView, tag: string): string | undefined {
  const topic = topics.get(topicOfTag(tag) ?? '');
  return topic && `the topic "${topic.name}"`;
}

/** Those of few people first, then those used longest ago. */
function leastUsed({ traits }: SegmentsView, names: readonly string[]): readonly string[] {
  const isRare = (name: string) => (traits.events.get(name)?.peopleIfFew ?? fewPeople) < fewPeople;
  return [...names.filter(isRare), ...names.filter((name) => !isRare(name))];
}

function inUse(name: string, user: string) {
  return fault('in_use', `${user} uses "${name}"; change that first`);
}

function dropped(
  names: { readonly events: readonly string[]; readonly tags: readonly string[] },
  { owner }: Pick<Context, 'owner'>,
): SegmentsEntry {
  return { kind: 'names.changed', owner, vouched: { events: [], tags: [] }, dropped: names };
}

/** Their records without the tag; the column follows from what is written. */
function withoutTag(
  name: string,
  people: readonly PersonOrdinal[],
  context: Context,
): DocumentWrite[] {
  const documents: DocumentWrite[] = [];
  for (const person of people) {
    const row = context.documents.get(subscribers, [person]);
    if (row === undefined || !Object.hasOwn(row.tags, name)) continue;
    const { [name]: _dropped, ...tags } = row.tags;
    const value: SubscriberRow = { ...row, tags, updatedMs: context.nowMs };
    documents.push({ table: subscribers, key: [person], value });
  }
  return documents;
}
