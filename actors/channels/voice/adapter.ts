// Calls: a voice reads the message. Through a gateway if the attempt has one, otherwise through the
// tenant's carrier account. See also `carrier/` and `relays/gateway/`.

import { createCarrier } from '../carrier/adapter.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import { withGateway } from '../relays/gateway/adapter.ts';
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
  return withGateway(carrier, { channel: 'voice', words: spokenText }, context);
}
