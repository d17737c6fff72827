// What follows when people's choices change, whoever changes them: derived from the records that
// any decision writes, so that none can forget it. An entry a person for the lists of what a
// restore must not undo, and an event `preferences_changed` for the person's history.

import type { Context, Entry, Message } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import {
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../storage/tables/subscriber.ts';
import type { Accepted } from '../../area.ts';
import { type AboutSend, aboutSend, type MessageNamed } from '../about-send.ts';
import { isChoiceTag, topicOfTag } from './choice-tag.ts';
import type { TopicsView } from './memory.ts';
import type { TopicsEntry } from './protocol.ts';

/** Who changed it. */
type ChoiceSource = 'api' | 'sdk' | 'page' | 'import' | 'unsubscribe';

type Others = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
type Change = readonly [topic: string, from: TagValue | null, to: TagValue | null];

/** Messages by which somebody says what a person wants; others set a time zone in passing. */
const preferring = /^preferences\.set$|\.set_preferences$/;

/** Empty for a decision that changes nobody's choices. */
export function choiceChanges(
  app: TopicsView,
  message: Message,
  { documents = [], entries: decided = [] }: Accepted,
  context: Context,
): readonly Entry[] {
  const isPreferring = preferring.test(message.kind);
  if (app.topics.size === 0 && !isPreferring) return [];
  // A restore makes choices that were made already.
  if (decided.some(({ kind }) => kind === 'choices.changed')) return [];
  const { owner, nowMs: atMs } = context;
  const newest = new Map<number, SubscriberRow>();
  for (const { table, key, value } of documents)
    if (table.id === subscribers.id && value !== undefined)
      newest.set(key[0] as number, value as SubscriberRow);
  const entries: TopicsEntry[] = [];
  const people: PersonOrdinal[] = [];
  const props: string[] = [];
  for (const [person, row] of newest) {
    // A person created by this decision has no record yet.
    const isNew = person >= app.people.next;
    const before = isNew ? undefined : context.documents.get(subscribers, [person]);
    const changes = changesOf(before?.tags ?? {}, row.tags, app.topics);
    const others = isPreferring ? othersOf(before, row) : {};
    if (changes.length === 0 && Object.keys(others).length === 0) continue;
    people.push(person);
    props.push(propsOf(changes, others, message));
    // A backup without the person cannot bring a choice back.
    if (before === undefined || changes.length === 0) continue;
    const choices = Object.fromEntries(
      Object.entries(row.tags).filter(([tag]) => isChoiceTag(tag)),
    );
    const { id: subscriberId } = row;
    entries.push({ kind: 'choices.changed', owner, person, subscriberId, choices, atMs });
  }
  if (people.length === 0) return [];
  const isUnproven = message.kind.startsWith('sdk.') && !decided.some(isProof);
  const unproven = isUnproven ? ({ unproven: true } as const) : {};
  const kind = 'preferences.changed';
  const about = aboutOf(app, message);
  entries.push({ kind, owner, people, props, firstEvent: 0, atMs, ...about, ...unproven });
  return entries;
}

/** The message whose link asked for it. */
function aboutOf(app: TopicsView, message: Message): { readonly about?: AboutSend } {
  if (!('about' in message) || message.about === undefined) return {};
  return { about: aboutSend(app, message.about as MessageNamed) };
}

/** Of the app's topics, in the order of the record. */
function changesOf(
  before: Readonly<Record<string, TagValue>>,
  after: Readonly<Record<string, TagValue>>,
  topics: Pick<ReadonlyMap<string, unknown>, 'has'>,
): readonly Change[] {
  if (before === after) return [];
  const changes: Change[] = [];
  for (const tag in after) {
    const topic = topicOfTag(tag);
    if (topic === undefined || !topics.has(topic)) continue;
    const from = before[tag] ?? null;
    const to = after[tag] ?? null;
    if (from !== to) changes.push([topic, from, to]);
  }
  for (const tag in before) {
    const topic = topicOfTag(tag);
    if (topic !== undefined && topics.has(topic) && !Object.hasOwn(after, tag))
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
  if ('source' in message && message.source === 'unsubscribe') return 'unsubscribe';
  if (kind.startsWith('sdk.')) return 'sdk';
  return kind === 'subscriber.import' ? 'import' : 'api';
}

/** Whether a client proved who it is; its own area says so. */
function isProof(entry: Entry): boolean {
  return 'vouched' in entry && entry.vouched === true;
}
