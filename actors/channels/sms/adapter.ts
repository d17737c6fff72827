// Text messages, one call per number: through a gateway if the attempt has one, otherwise through
// the tenant's carrier account. See also `carrier/` and `relays/gateway/`.

import { createCarrier } from '../carrier/adapter.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import { openGatewayAccount, sendThroughGateway } from '../relays/gateway/account.ts';
import { askGateway } from '../relays/gateway/polling.ts';
import { tryGateway } from '../relays/gateway/try-out.ts';
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
  return {
    ...carrier,
    send(attempt, credentials, mayBegin, relay) {
      if (relay?.kind !== 'http') return carrier.send(attempt, credentials, mayBegin);
      const text = smsText(attempt.content);
      if (typeof text !== 'string') return Promise.resolve(text);
      return sendThroughGateway(attempt, { text }, relay, context, mayBegin);
    },
    tryOut: (trial, relay) => tryGateway('sms', trial, relay, context),
    async results({ asked }) {
      if (asked !== undefined) return askGateway(asked, context);
      return { state: 'failed', failure: { outcome: 'permanent', reason: 'not_supported' } };
    },
    async check(credentials, relay) {
      if (relay?.kind === 'http') return openGatewayAccount(relay, context).check();
      return (await carrier.check?.(credentials)) ?? { checked: false, why: 'it has no such call' };
    },
  };
}
