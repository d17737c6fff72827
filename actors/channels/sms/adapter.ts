// Text messages through the tenant's own carrier account, one call a number. All but what makes a
// text message of it is shared with voice (carrier.ts).

import type { Adapter, AdapterContext } from '../adapter.ts';
import { createCarrier } from '../carrier/adapter.ts';
import { smsMessage } from './message.ts';

/**
 * The sms adapter. A messaging service, which picks its sender itself, comes before a single
 * sender.
 */
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
