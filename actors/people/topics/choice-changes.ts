// What follows when people's choices change, whoever changes them: derived from the records that
// any decision writes, so that none can forget it. An entry a person for the lists of what a
// restore must not undo, and an event `preferences_changed` for the person's history.

import type { Context, Entry, Message } from '../../../engine/actor/message.ts';
import {
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../storage/tables/subscriber.ts';
import type { Accepted } from '../../area.ts';
import { type EventDraft, encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { limits } from '../../limits.ts';
import { isChoiceTag, topicOfTag } from './choices.ts';
import type { TopicsView } from './memory.ts';
import type { TopicsEntry } from './protocol.ts';

export const preferencesChanged = 'preferences_changed';

/** Who changed it. */
export type ChoiceSource = 'api' | 'sdk' | 'page' | 'import';

type Others = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
type Change = readonly [topic: string, from: TagValue | null, to: TagValue | null];

/** Events make only people without tags; a restore makes choices that were made already. */
const unasked: ReadonlySet<string> = new Set(['events.ingest', 'restored.change']);

/** Messages by which somebody says what a person wants; others set a time zone in passing. */
const preferring: ReadonlySet<string> = new Set(['preferences.set', 'sdk.set_preferences']);

/** Empty for a decision that changes nobody's choices. */
export function choiceChanges(
  app: TopicsView,
  message: Message,
  { documents = [] }: Accepted,
  context: Context,
): readonly Entry[] {
  if (unasked.has(message.kind)) return [];
  const { owner, nowMs: atMs } = context;
  const newest = new Map<number, SubscriberRow>();
  for (const { table, key, value } of documents)
    if (table.id === subscribers.id && value !== undefined)
      newest.set(key[0] as number, value as SubscriberRow);
  const entries: TopicsEntry[] = [];
  const drafts: EventDraft[] = [];
  for (const [person, row] of newest) {
    // A person created by this decision has no record yet.
    const isNew = person >= app.people.next;
    const before = isNew ? undefined : context.documents.get(subscribers, [person]);
    const changes = changesOf(before?.tags ?? {}, row.tags);
    const others = preferring.has(message.kind) ? othersOf(before, row) : {};
    if (changes.length === 0 && Object.keys(others).length === 0) continue;
    const propsJson = propsOf(changes, others, message);
    drafts.push({ name: preferencesChanged, person, atMs, propsJson });
    // A backup without the person cannot bring a choice back.
    if (before === undefined || changes.length === 0) continue;
    const choices = Object.fromEntries(
      Object.entries(row.tags).filter(([tag]) => isChoiceTag(tag)),
    );
    const { id: subscriberId } = row;
    entries.push({ kind: 'choices.changed', owner, person, subscriberId, choices, atMs });
  }
  return [...entries, ...tracked(drafts, context)];
}

/** By topic, in the order of the record. */
function changesOf(
  before: Readonly<Record<string, TagValue>>,
  after: Readonly<Record<string, TagValue>>,
): readonly Change[] {
  if (before === after) return [];
  const changes: Change[] = [];
  for (const tag in after) {
    const topic = topicOfTag(tag);
    const from = before[tag] ?? null;
    const to = after[tag] ?? null;
    if (topic !== undefined && from !== to) changes.push([topic, from, to]);
  }
  for (const tag in before) {
    const topic = topicOfTag(tag);
    if (topic !== undefined && !Object.hasOwn(after, tag))
      changes.push([topic, before[tag] ?? null, null]);
  }
  return changes;
}

function othersOf(before: SubscriberRow | undefined, after: SubscriberRow): Others {
  const members = {
    channels: ({ preferredChannels }: Partial<SubscriberRow>) => preferredChannels ?? null,
    language: ({ tags }: Partial<SubscriberRow>) => tags?.['language'] ?? null,
    timezone: ({ timezone }: Partial<SubscriberRow>) => timezone ?? null,
  };
  const changed = Object.entries(members).flatMap(([member, read]) => {
    const [from, to] = [read(before ?? {}), read(after)];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[member, { from, to }] as const];
  });
  return Object.fromEntries(changed);
}

function propsOf(changes: readonly Change[], others: Others, message: Message): string {
  const topics = Object.fromEntries(changes.map(([topic, from, to]) => [topic, { from, to }]));
  const chosen = changes.length === 0 ? {} : { topics };
  return JSON.stringify({ ...chosen, ...others, source: sourceOf(message) });
}

function sourceOf({ kind, ...message }: Message): ChoiceSource {
  if ('source' in message && message.source === 'page') return 'page';
  if (kind.startsWith('sdk.')) return 'sdk';
  return kind === 'subscriber.import' ? 'import' : 'api';
}

function tracked(drafts: readonly EventDraft[], { owner, nowMs: atMs }: Context): EventsEntry[] {
  const entries: EventsEntry[] = [];
  for (let from = 0; from < drafts.length; from += limits.ingestEventsMax) {
    const batch = encodeDrafts(drafts.slice(from, from + limits.ingestEventsMax), atMs);
    entries.push({ kind: 'events.tracked', owner, atMs, keyless: false, batch });
  }
  return entries;
}
