// Text messages through the tenant's carrier account, one call per number. See also `carrier/`.

import { createCarrier } from '../carrier/adapter.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import { smsMessage } from './message.ts';

/** The sms adapter. A messaging service, which chooses its sender, takes precedence over `from`. */
export function createSms(context: AdapterContext): Adapter {
  return createCarrier(context, {
    channel: 'sms',
    resource: 'Messages',
    message: smsMessage,
    sender({ messagingServiceSid, from }) {
      if (messagingServiceSid !== undefined) return ['MessagingServiceSid', messagingServiceSid];
      return from === undefined ? undefined : ['From', from];
    },
    callbackForm: [],
  });
}
