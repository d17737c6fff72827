// Text messages through the tenant's carrier account.

import { carrierChannel } from '../carrier/account.ts';
import { carrierReasons } from '../carrier/reasons.ts';
import type { ChannelEntry } from '../port/channel-entry.ts';

export const sms = {
  ...carrierChannel,
  urls: { ...carrierChannel.urls, GATEWAY: null },
  // The carrier's reason for a phone that is off or unreachable.
  failureThatAddsUp: 'handset_unreachable',
  reasons: carrierReasons,
} as const satisfies ChannelEntry;
