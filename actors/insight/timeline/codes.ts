// The stable codes of a story. Each needs a sentence in `sentences.ts` to compile.

export const storyKinds = [
  'event',
  'send',
  'attempt',
  'receipt',
  'journey',
  'opt_out',
  'state',
] as const;
export type StoryKind = (typeof storyKinds)[number];

export const storyCodes = [
  // Tracked events.
  'tracked',
  'session',
  'opened',
  'clicked',
  'dismissed',
  'inapp_viewed',
  'inapp_clicked',
  'inapp_dismissed',
  'inbox_read',
  'inbox_archived',
  'unsubscribed',
  'preferences_changed',
  'opt_in_confirmed',
  // Sends.
  'accepted',
  'attempt_paused',
  'attempt_unanswered',
  'attempt_not_taken',
  'sent',
  'delivered',
  'bounced',
  'bounced_later',
  'delivered_later',
  'deferred_later',
  'failed',
  'redriven',
  'suppressed',
  'deferred',
  'read',
  // Journeys.
  'journey_enrolled',
  'journey_converted',
  'journey_completed',
  // The current status of a send.
  'in_line',
  'under_way',
  'waiting_for_retry',
  'waiting_for_hours',
  'channel_paused',
  'channel_refused',
  'channel_unreached',
  'campaign_is_paused',
  'held_by_restore',
  'campaign_send',
  'unknown_send',
  // The current status of a person.
  'no_device',
  'device_disabled',
  'opted_out',
  'opted_out_of_marketing',
  'prefers_channels',
  'channel_not_configured',
  'email_allowance_used',
  'daily_cap_used',
  'quiet_hours_now',
  'frequency_cap_reached',
  'journey_waits',
  'journey_waits_for_goal',
  'journey_leaves',
  'journey_awaited',
  'campaign_in_line',
  'campaign_held',
  'campaign_paused',
] as const;
export type StoryCode = (typeof storyCodes)[number];

export const checkNames = [
  'device',
  'expiry',
  'opt_out',
  'configured',
  'content',
  'email_allowance',
  'topic',
  'preference',
  'quiet_hours',
  'frequency_cap',
] as const;
export type CheckName = (typeof checkNames)[number];

export const nextCodes = [
  'retry',
  'recheck',
  'resume',
  'probe',
  'start',
  'wake',
  'exit',
  'renew',
  'by_author',
  'by_operator',
] as const;
export type NextCode = (typeof nextCodes)[number];
