// Why the policy keeps a send back, in the words that receipts and journeys carry.

/** Why nothing is sent. `expired`: it would leave after its `ttlSeconds`. */
export type SuppressReason =
  | 'no_device'
  | 'opt_out'
  | 'channel_preference'
  | 'frequency_cap'
  | 'expired'
  | 'email_cap'
  | 'not_configured';

export type HoldReason = 'quiet_hours' | 'daily_cap';
