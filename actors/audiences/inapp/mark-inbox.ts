// Marks messages of a person's inbox as read or archived. Each is an event, so that segments,
// journeys and the person's story hear of it; what is marked already makes none.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { type EventDraft, encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { workOfCondition } from '../segments/evaluate.ts';
import type { TraitsReads } from '../segments/reads.ts';
import { recordsFor } from './feed.ts';
import type { Beacon } from './in-app-messages.ts';
import type { InAppMessagesView } from './memory.ts';
import type { InboxMarked, InboxMarks } from './protocol.ts';
import { renderer } from './rendering.ts';

/** The edge bounds the lists. */
export function markInbox(
  app: InAppMessagesView,
  row: SubscriberRow,
  traits: TraitsReads,
  { read, archive, isProven }: InboxMarks,
  context: Context,
): Decision<InboxMarked> {
  const { inApp } = app;
  const { person } = row;
  const { nowMs } = context;
  const unknown = new Set<string>();
  const known = (ids: readonly string[]) =>
    ids.filter((id) => {
      // Whoever they are for now: the person may have been shown them before.
      const isKept = inApp.get(id)?.inbox === true;
      if (!isKept) unknown.add(id);
      return isKept;
    });
  const has = (id: string, beacon: Beacon) => inApp.has(id, beacon, person);
  const archiving = new Set(known(archive).filter((id) => !has(id, 'archived')));
  const reading = new Set(known(read === 'all' ? [] : read).filter((id) => !has(id, 'read')));

  const { show, work } = renderer(app, row, context);
  let unread = 0;
  for (const record of recordsFor(app, traits, person, nowMs)) {
    const { id, inbox } = record;
    const isDone = reading.has(id) || archiving.has(id) || has(id, 'read') || has(id, 'archived');
    // What they cannot be shown is not read either: it may be shown to them another day.
    if (!inbox || isDone || show(record) === undefined) continue;
    if (read === 'all') reading.add(id);
    else unread++;
  }
  const of = { person, atMs: nowMs };
  const drafts: readonly EventDraft[] = [
    ...[...reading].map((messageId) => ({ ...of, name: 'inbox_read', messageId })),
    ...[...archiving].map((messageId) => ({ ...of, name: 'inbox_archived', messageId })),
  ];
  const entry = (): EventsEntry => ({
    kind: 'events.tracked',
    owner: context.owner,
    atMs: nowMs,
    keyless: true,
    ...(isProven ? { proven: person } : {}),
    batch: encodeDrafts(drafts, nowMs),
  });
  return accepted(
    { unread, unknown: [...unknown] },
    {
      entries: drafts.length === 0 ? [] : [entry()],
      work: work() + inApp.conditionsAt(nowMs) * workOfCondition,
    },
  );
}
