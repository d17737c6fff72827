// Describes an opt-out in words: what it ends, and who asked for it.

import type { Suppression } from '../api/generated.ts';
import { reasonText } from './send-reasons.ts';

type Asked = { readonly [Member in 'source' | 'reason']: Suppression[Member] | null };

export const optOutChoices = [
  { value: 'all', label: 'All messages', hint: 'Marketing, and also login codes and receipts.' },
  {
    value: 'marketing',
    label: 'Marketing only',
    hint: 'No campaigns or journeys. Login codes and receipts are still sent.',
  },
] as const;

export const optedOutOf = {
  all: 'Opted out of everything',
  marketing: 'Opted out of marketing',
} as const;

const sources: Readonly<Record<Suppression['source'], string>> = {
  api: 'through the API or dashboard',
  callback: 'at the provider',
  unsubscribe: 'by an unsubscribe link',
  bounce: 'by a spam complaint',
};

/** Reasons that Engage gives itself. */
const reasons: Readonly<Record<string, string>> = {
  stop: 'by STOP',
  stop_marketing: 'by stopping promotions',
  preference: 'by a preference in WhatsApp',
  marketing_stopped: 'by a preference in WhatsApp',
  unfollowed: 'by unfollowing',
  complaint: sources.bounce,
};

/** "by STOP". */
export function optOutBy({ source, reason }: Asked): string {
  if (source === null) return '';
  return knownReason({ source, reason }) ?? sources[source];
}

/** What else was said: the tenant's own words, or the provider's code. */
export function optOutNote({ source, reason }: Asked): string {
  if (reason === null || reason === source) return '';
  if (source === 'api') return reason;
  return knownReason({ source, reason }) === undefined ? reasonText(reason) : '';
}

function knownReason({ source, reason }: Asked): string | undefined {
  return reason === null || source === 'api' ? undefined : reasons[reason];
}
