// Why the gate keeps a send back, as receipts and journeys name it.

export const suppressReasons = [
  'canceled',
  'activity_closed',
  'superseded',
  'no_device',
  'expired',
  'opt_out',
  'not_configured',
  'topic_opt_out',
  'channel_preference',
  'frequency_cap',
  'content_removed',
  'invalid_content',
  'email_cap',
  'journey_off',
] as const;

export type SuppressReason = (typeof suppressReasons)[number];
export type HoldReason = 'quiet_hours' | 'daily_cap' | 'clock_unconfirmed' | 'warm_up';
