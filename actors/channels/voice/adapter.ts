// Calls through the tenant's own carrier account: a voice that says the message. All but what makes
// a call of it is shared with sms (carrier.ts).

import type { Adapter, AdapterContext } from '../adapter.ts';
import { createCarrier } from '../carrier/adapter.ts';
import { voiceMessage } from './message.ts';

/**
 * The voice adapter. It calls from `voiceFrom`, or from `from` where that is a number and not a
 * name or short code.
 */
export function createVoice(context: AdapterContext): Adapter {
  return createCarrier(context, {
    channel: 'voice',
    resource: 'Calls',
    message: voiceMessage,
    sender({ voiceFrom, from }) {
      if (voiceFrom !== undefined) return ['From', voiceFrom];
      return from?.startsWith('+') ? ['From', from] : undefined;
    },
    // That it rings says early that the call was made; that it is over says how. Only the last is
    // sent unless asked for.
    callbackForm: [
      ['StatusCallbackMethod', 'POST'],
      ['StatusCallbackEvent', 'ringing'],
      ['StatusCallbackEvent', 'completed'],
    ],
  });
}
