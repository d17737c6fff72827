// Folds what happened in other areas into campaigns: tracked events and receipts of their sends.

import { PreferencesFacts, TrackedFacts, UnsubscribedFacts } from '../../events/facts.ts';
import type { EntryFacts } from '../../events/log/entry-facts.ts';
import { ComplaintFacts } from '../../sending/callbacks/facts.ts';
import { namedSend } from '../../sending/campaign-send-id.ts';
import type { Sender } from '../../sending/mailboxes/figures.ts';
import { SettledFacts, senderIn } from '../../sending/outbox/facts.ts';
import type { Origin } from '../../sending/outbox/records.ts';
import { RedrivenFacts } from '../../sending/transactional/facts.ts';
import {
  foldComplaint,
  foldEngagement,
  foldLateBounce,
  foldLeftTopic,
  foldReceipt,
  foldReported,
  foldUnsubscribed,
} from './attribution.ts';
import type { CampaignsView } from './memory.ts';

export function foldCampaignFacts(app: CampaignsView, facts: EntryFacts): void {
  if (facts instanceof TrackedFacts) foldEngagement(app, facts.rows(), facts);
  else if (facts instanceof SettledFacts) foldSettled(app, facts);
  else if (facts instanceof UnsubscribedFacts) foldUnsubscribed(app, facts.unsubscribed);
  else if (facts instanceof PreferencesFacts) foldLeftTopic(app, facts);
  else if (facts instanceof ComplaintFacts) foldComplaint(app, facts.sendId);
  else if (facts instanceof RedrivenFacts) app.sending.reopen(facts.origin);
}

function foldSettled(app: CampaignsView, { entry, ended }: SettledFacts): void {
  if (app.sending.isEmpty) return;
  const { channel } = entry;
  const over = new Set<string>();
  for (const { sendId, settlement, origin, isRedriven = false, isLate, wasAccepted } of ended) {
    if (origin?.campaignId === undefined) continue;
    const { person, status, reason } = settlement.receipt;
    if (isLate === true) {
      if (wasAccepted === true && (status === 'delivered' || status === 'bounced'))
        foldReported(app, origin, channel, {
          person,
          status,
          ...(reason === undefined ? {} : { reason }),
        });
      else if (isRedriven)
        foldReceipt(app, origin, channel, { person, status, isRedriven, isLast: false });
      else
        foldLateBounce(app, origin, channel, {
          person,
          ...(reason === undefined ? {} : { reason }),
        });
      continue;
    }
    noteSender(app, sendId, origin, senderIn(entry, settlement.receipt));
    // A send ends once, with the last of its devices.
    const isLast = !over.has(sendId) && !app.outbox.jobs.has(sendId);
    if (isLast) over.add(sendId);
    const why = reason === undefined ? {} : { reason };
    foldReceipt(app, origin, channel, { person, status, isRedriven, isLast, ...why });
  }
}

function noteSender(
  { sending }: CampaignsView,
  sendId: string,
  { campaignId = '', occurrence = 0 }: Pick<Origin, 'campaignId' | 'occurrence'>,
  sender: Sender | undefined,
): void {
  const person = namedSend(sendId)?.person;
  if (sender !== undefined && person !== undefined)
    sending.find(campaignId, occurrence)?.senders.note([person], sender);
}
