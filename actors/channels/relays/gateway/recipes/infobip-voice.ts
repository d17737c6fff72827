// Infobip's voice messages: a text that is read on the phone. Answers and account are those of its
// texts. `voice` can be added: {"name": "{{ voice }}", "gender": "female"}.

import { infobip } from './infobip.ts';
import { byToken, type GatewayRecipe } from './recipe.ts';

export const infobipVoice: GatewayRecipe = {
  label: 'Infobip, calls',
  channel: 'voice',
  source: 'https://www.infobip.com/docs/api/channels/voice/voice-message/send-advanced-voice-tts',
  credentials: infobip.credentials,
  setup: 'from is a voice number of the account.',
  config: {
    url: 'https://api.infobip.com/tts/3/advanced',
    headers: { authorization: 'App {{ credentials.apiKey }}', accept: 'application/json' },
    body: {
      messages: [
        {
          from: '{{ from }}',
          destinations: [{ to: '{{ to }}', messageId: '{{ uuid }}' }],
          text: '{{ text }}',
          language: '{{ language | downcase }}',
          notifyUrl: '{{ callback_url }}',
          notifyContentType: 'application/json',
          callbackData: '{{ id }}',
        },
      ],
    },
    numberForm: 'digits',
    answer: infobip.config.answer,
    ...(infobip.config.check === undefined ? {} : { check: infobip.config.check }),
    callbacks: {
      proof: byToken,
      reports: {
        items: 'results',
        mark: 'callbackData',
        uuid: 'messageId',
        to: 'to',
        status: 'status.groupName',
        error: 'error.name',
        statuses: [
          { status: ['DELIVERED'], means: 'arrived' },
          { status: ['PENDING', 'ACCEPTED'], means: 'taken' },
          { error: ['EC_VOICE_USER_BUSY'], means: 'failed', reason: 'busy_line' },
          { error: ['EC_VOICE_NO_ANSWER'], means: 'failed', reason: 'no_answer' },
          {
            error: ['EC_VOICE_ERROR_DESTINATION_NOT_FOUND'],
            means: 'failed',
            reason: 'invalid_number',
          },
          { status: ['UNDELIVERABLE', 'EXPIRED'], means: 'failed' },
          { status: ['REJECTED'], means: 'failed', reason: 'refused' },
        ],
      },
    },
  },
};
