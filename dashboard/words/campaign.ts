// The words that screens about campaigns share: states, and what can become of a message.

import type { Campaign } from '../api/generated.ts';

export const stateWords: Readonly<Record<Campaign['state'], string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  paused: 'Paused',
  completed: 'Completed',
  canceled: 'Canceled',
  failed: 'Failed',
};

export const funnelWords = {
  audience: 'Audience',
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  converted: 'Converted',
  bounced: 'Bounced',
  failed: 'Failed',
  suppressed: 'Not sent',
} as const;
