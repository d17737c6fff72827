// The entry that keeps the columns in step with any decision's documents, by who makes the change.

import type { Context, Entry, Message } from '../../../engine/actor/message.ts';
import type { Accepted } from '../../area.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import type { SegmentsView } from './memory.ts';
import type { SegmentsEntry } from './protocol.ts';
import { traitsChanged } from './trait-changes.ts';

export function traitsOf(
  app: SegmentsView,
  { kind }: Message,
  { documents, entries = [] }: Accepted,
  context: Context,
): SegmentsEntry | undefined {
  // Events make only people without tags and devices.
  if (documents === undefined || kind === 'events.ingest') return undefined;
  const unproven = kind.startsWith('sdk.') && !entries.some(isProof);
  return traitsChanged(app, documents, context, { keyless: kind === 'sdk.tag', unproven });
}

/** Whether an entry of a client's call says that an `identityHash` proved who it is. */
function isProof(entry: Entry): boolean {
  const one = entry as AudienceEntry | EventsEntry;
  if (one.kind === 'subscriber.changed') return one.vouched === true;
  return one.kind === 'events.tracked' && one.proven !== undefined;
}
