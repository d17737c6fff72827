// What reports of providers mean to others: that the reader of a send reported it as spam. No event
// of the stream; the opt-out that follows is one.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import type { EventDraft } from '../../events/log/drafts.ts';
import { EntryFacts, noFacts } from '../../events/log/entry-facts.ts';
import type { PeopleReads } from '../../people/audience/reads.ts';
import type { CallbacksEntry } from './protocol.ts';

type ReceiptTold = Extract<CallbacksEntry, { kind: 'receipt.told' }>;

export class ComplaintFacts extends EntryFacts {
  readonly sendId: string;
  /** For destinations; absent in entries of earlier builds, which name nobody. */
  draft: EventDraft | undefined;

  constructor(entry: ReceiptTold) {
    super();
    this.sendId = entry.sendId;
    this.draft = draftOf(entry);
  }

  override resolve(people: PeopleReads): void {
    if (this.draft === undefined) return;
    const person: PersonOrdinal = people.canonical(this.draft.person);
    this.draft = { ...this.draft, person };
  }
}

function draftOf({ sendId, deviceId, channel, atMs, by }: ReceiptTold): EventDraft | undefined {
  if (by === undefined) return undefined;
  const { person, test, ...references } = by;
  return {
    ...{ name: 'message.complained', person, atMs, sendId, deviceId },
    channel: channelIds.indexOf(channel) + 1,
    ...references,
    ...(test === undefined ? {} : { metaJson: JSON.stringify({ test }) }),
  };
}

/** Told once for each send and device. */
export function isComplaint({ news }: ReceiptTold): boolean {
  return news.kind === 'complained';
}

export const callbacksFacts = {
  'receipt.told': (entry: ReceiptTold) =>
    isComplaint(entry) ? new ComplaintFacts(entry) : noFacts,
};
