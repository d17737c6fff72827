// The words that screens about campaigns share: states, and the outcomes of a message.

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
  unsubscribed: 'Unsubscribed',
  complained: 'Spam reports',
} as const;

/** Why a campaign is in its state, by the code of `stateReason`. */
export const stateReasons: Readonly<Record<string, string>> = {
  late: 'Its scheduled time was missed by more than two hours.',
  skipped_late: 'Its scheduled time was missed by more than two hours, so it was skipped.',
  guard_bounces: 'It paused automatically because too many of its emails bounced.',
  guard_complaints: 'It paused automatically because too many people reported it as spam.',
  guard_sender_refused: 'It paused automatically because mail servers refused its sender.',
  restored: 'It was in progress when a backup was restored.',
  segment_gone: 'Its segment was deleted.',
  message_gone: 'Its message was deleted.',
  storage_quota: 'The storage quota is too full for a copy of its content.',
  not_configured: 'None of its channels has a credential.',
};
