// What forms of the guard say. It pauses a campaign when its emails bounce or get
// spam reports.

import type { AppSettings } from '../api/generated.ts';

export const guardWords = {
  bounces: 'Pause when too many emails bounce',
  bounceShare: 'Maximum bounce rate, in %',
  bouncesAfter: 'Minimum number of emails',
  complaints: 'Pause when too many people report spam',
  complaintShare: 'Maximum spam report rate, in %',
  complaintsAfter: 'Minimum number of deliveries',
  refusals: 'Pause when mail servers refuse the sender',
  refusalsInARow: 'Number of refusals in a row',
  choice: 'If emails bounce, are reported as spam or are refused',
  choices: {
    app: 'Pause at the limits in App settings',
    own: 'Pause at custom limits',
    off: 'Never pause automatically',
  },
} as const;

export type GuardBounds = AppSettings['campaignGuardDefaults'];
