// Outcomes of a message, as a word and a tone.

import type { Tone } from './tone.ts';

export const outcomeWords = {
  pending: 'Sending',
  /** By a relay that reports later what becomes of it. */
  accepted: 'Accepted',
  delivered: 'Delivered',
  bounced: 'Bounced',
  failed: 'Failed',
  suppressed: 'Not sent',
  holdout: 'Held out',
} as const;

export type Outcome = keyof typeof outcomeWords;

export const outcomeTones: Readonly<Record<Outcome, Tone>> = {
  pending: 'notice',
  accepted: 'notice',
  delivered: 'good',
  bounced: 'bad',
  failed: 'bad',
  suppressed: 'off',
  holdout: 'off',
};
