// What an app shows one person now: due in-app messages, and the inbox. Both are evaluated at each
// request: a new match finds what is still running, and ended or no longer matching items are gone.
// Source: contract, section 9.

import type { Context } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import { matches, workOfCondition } from '../segments/evaluate.ts';
import type { TraitsReads } from '../segments/reads.ts';
import type { Beacon } from './in-app-messages.ts';
import type { InAppMessagesView } from './memory.ts';
import type { Feed, FeedMessage, InAppRecord, InboxItem, InboxPage } from './protocol.ts';
import { renderer, sinceMs } from './rendering.ts';

/** The feed and its `Decision.work`, or a fault for a cursor that no inbox page returned. */
export function feedOf(
  app: InAppMessagesView,
  row: SubscriberRow,
  traits: TraitsReads,
  page: InboxPage,
  context: Pick<Context, 'nowMs' | 'documents'>,
): { readonly feed: Feed; readonly work: number } | { readonly fault: Fault } {
  const after = page.cursor === undefined ? undefined : placeOfCursor(page.cursor);
  if (page.cursor !== undefined && after === undefined)
    return { fault: fieldFault('cursor', 'invalid cursor for this list') };
  const { person } = row;
  const { nowMs } = context;
  const mine = recordsFor(app, traits, person, nowMs);
  const { show, work } = renderer(app, row, context);

  const has = ({ id }: InAppRecord, beacon: Beacon) => app.inApp.has(id, beacon, person);
  // Counts both lists: what a phone has to load.
  let characters = 0;
  const messages: FeedMessage[] = [];
  for (const record of mine.toSorted(byPriority)) {
    if (record.isQuiet) continue;
    if (messages.length === limits.feedMessagesMax || characters > limits.feedCharsMax) break;
    const isDone = (['dismissed', 'archived'] as const).some((done) => has(record, done));
    if (isDone) continue;
    const shown = show(record);
    if (shown === undefined) continue;
    messages.push(shown);
    characters += charactersOf(shown);
  }

  const inbox = mine.filter((record) => record.inbox).sort(newestFirst);
  const items: InboxItem[] = [];
  let last: InAppRecord | undefined;
  let nextCursor: string | null = null;
  let unread = 0;
  for (const record of inbox) {
    const read = has(record, 'read');
    const archived = has(record, 'archived');
    const isUnread = !read && !archived;
    const isBehind = after === undefined || newestFirst(after, record) < 0;
    const isOnPage = isBehind && nextCursor === null && archived === (page.archived ?? false);
    if (!isUnread && !isOnPage) continue;
    // An item that cannot be shown must not count as unread: nobody could ever read it.
    const shown = show(record);
    if (shown === undefined) continue;
    if (isUnread) unread++;
    if (!isOnPage) continue;
    const isFull = items.length === page.limit || characters > 2 * limits.feedCharsMax;
    if (last !== undefined && isFull) {
      nextCursor = cursorOf(last);
      continue;
    }
    items.push({ ...shown, read, archived });
    characters += charactersOf(shown);
    last = record;
  }
  return {
    feed: { messages, inbox: { items, unread, nextCursor } },
    work: work() + app.inApp.conditionsAt(nowMs) * workOfCondition + characters,
  };
}

/** Messages that are due and for this person. */
export function recordsFor(
  { inApp }: InAppMessagesView,
  traits: TraitsReads,
  person: PersonOrdinal,
  nowMs: Millis,
): readonly InAppRecord[] {
  return [...inApp.dueAt(nowMs)].filter(
    ({ filter }) => filter === undefined || matches(filter, traits, person, nowMs),
  );
}

function charactersOf({ title = '', body, data }: FeedMessage): number {
  return title.length + body.length + (data === undefined ? 0 : JSON.stringify(data).length);
}

type Place = Pick<InAppRecord, 'id' | 'startMs' | 'createdMs'>;

function byPriority(one: InAppRecord, other: InAppRecord): number {
  return other.priority - one.priority || newestFirst(one, other);
}

function newestFirst(one: Place, other: Place): number {
  return sinceMs(other) - sinceMs(one) || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

/** The place of an item, valid also after it is gone: instant and id. */
function cursorOf(record: InAppRecord): string {
  return `${sinceMs(record).toString(36)}.${record.id}`;
}

function placeOfCursor(cursor: string): Place | undefined {
  const [, since = '', id = ''] = /^(-?[0-9a-z]{1,11})\.(\w+)$/.exec(cursor) ?? [];
  if (parseId('iam', id) === undefined) return undefined;
  return { id, createdMs: Number.parseInt(since, 36) };
}
