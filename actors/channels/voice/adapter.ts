// Calls: a voice reads the message. Through a gateway if the attempt has one, otherwise through the
// tenant's carrier account. See also `carrier/` and `relays/gateway/`.

import { createCarrier } from '../carrier/adapter.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import { openGatewayAccount, sendThroughGateway } from '../relays/gateway/account.ts';
import { askGateway } from '../relays/gateway/polling.ts';
import { tryGateway } from '../relays/gateway/try-out.ts';
import { voiceMessage } from './message.ts';
import { spokenText } from './spoken.ts';

/** Calls from `voiceFrom`, or from `from` if that is a phone number. */
export function createVoice(context: AdapterContext): Adapter {
  const carrier = createCarrier(context, {
    channel: 'voice',
    resource: 'Calls',
    message: voiceMessage,
    sender({ voiceFrom, from }) {
      if (voiceFrom !== undefined) return ['From', voiceFrom];
      return from?.startsWith('+') ? ['From', from] : undefined;
    },
    // `ringing` shows early that the call was made, `completed` how it ended. By default the
    // carrier sends only the latter.
    callbackForm: [
      ['StatusCallbackMethod', 'POST'],
      ['StatusCallbackEvent', 'ringing'],
      ['StatusCallbackEvent', 'completed'],
    ],
  });
  return {
    ...carrier,
    send(attempt, credentials, mayBegin, relay) {
      if (relay?.kind !== 'http') return carrier.send(attempt, credentials, mayBegin);
      const words = spokenText(attempt);
      if ('outcome' in words) return Promise.resolve(words);
      return sendThroughGateway(attempt, words, relay, context, mayBegin);
    },
    tryOut: (trial, relay) => tryGateway('voice', trial, relay, context),
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
