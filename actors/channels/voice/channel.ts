// Calls through the tenant's carrier account.

import { carrierChannel } from '../carrier/account.ts';
import { carrierReasons } from '../carrier/reasons.ts';
import type { ChannelEntry } from '../port/channel-entry.ts';

export const voice = {
  ...carrierChannel,
  reasons: {
    ...carrierReasons,
    busy: 'busy_line',
    voice_invalid: 'bad_request',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;
