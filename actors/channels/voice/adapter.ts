// Calls through the tenant's carrier account: a voice reads the message. SMS shares most of it
// (`carrier/`).

import type { Adapter, AdapterContext } from '../adapter.ts';
import { createCarrier } from '../carrier/adapter.ts';
import { voiceMessage } from './message.ts';

/** The voice adapter. It calls from `voiceFrom`, or from `from` where that is a phone number. */
export function createVoice(context: AdapterContext): Adapter {
  return createCarrier(context, {
    channel: 'voice',
    resource: 'Calls',
    message: voiceMessage,
    sender({ voiceFrom, from }) {
      if (voiceFrom !== undefined) return ['From', voiceFrom];
      return from?.startsWith('+') ? ['From', from] : undefined;
    },
    // `ringing` shows early that the call was made, `completed` how it ended. Without these fields
    // the carrier sends only the last.
    callbackForm: [
      ['StatusCallbackMethod', 'POST'],
      ['StatusCallbackEvent', 'ringing'],
      ['StatusCallbackEvent', 'completed'],
    ],
  });
}
