// Text messages, one call per number: through a gateway if the attempt has one, otherwise through
// the tenant's carrier account. See also `carrier/` and `relays/gateway/`.

import { createCarrier } from '../carrier/adapter.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import type { GatewayWords } from '../relays/gateway/account.ts';
import { withGateway } from '../relays/gateway/adapter.ts';
import { smsMessage, smsText } from './message.ts';

/** The sms adapter. A messaging service, which chooses its sender, takes precedence over `from`. */
export function createSms(context: AdapterContext): Adapter {
  const carrier = createCarrier(context, {
    channel: 'sms',
    resource: 'Messages',
    message: smsMessage,
    sender({ messagingServiceSid, from }) {
      if (messagingServiceSid !== undefined) return ['MessagingServiceSid', messagingServiceSid];
      return from === undefined ? undefined : ['From', from];
    },
    callbackForm: [],
  });
  return withGateway(carrier, { channel: 'sms', words: wordsOf }, context);
}

function wordsOf({ content }: Attempt): GatewayWords | Failure {
  const text = smsText(content);
  return typeof text === 'string' ? { text } : text;
}
