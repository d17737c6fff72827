// What reports of providers mean to others: that the reader of a send reported it as spam. No event
// of the stream; the opt-out that follows is one.

import { EntryFacts, noFacts } from '../../events/log/entry-facts.ts';
import type { CallbacksEntry } from './protocol.ts';

type ReceiptTold = Extract<CallbacksEntry, { kind: 'receipt.told' }>;

export class ComplaintFacts extends EntryFacts {
  readonly sendId: string;

  constructor(sendId: string) {
    super();
    this.sendId = sendId;
  }
}

/** Told once for each send and device. */
export function isComplaint({ news }: ReceiptTold): boolean {
  return news.kind === 'complained';
}

export const callbacksFacts = {
  'receipt.told': (entry: ReceiptTold) =>
    isComplaint(entry) ? new ComplaintFacts(entry.sendId) : noFacts,
};
