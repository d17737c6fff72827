// MessageBird, now Bird: the SMS API at rest.messagebird.com.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

export const messagebird: GatewayRecipe = {
  label: 'MessageBird',
  source: 'https://developers.messagebird.com/api/sms-messaging/',
  credentials: { accessKey: 'Access key', ...reportSecret },
  config: {
    url: 'https://rest.messagebird.com/messages',
    headers: { authorization: 'AccessKey {{ credentials.accessKey }}' },
    body: {
      originator: '{{ from }}',
      recipients: ['{{ to }}'],
      body: '{{ text }}',
      datacoding: 'auto',
      reference: '{{ id }}',
      reportUrl: '{{ callback_url }}',
      validity: '{{ ttl_seconds }}',
    },
    numberForm: 'digits',
    answer: {
      id: 'id',
      code: 'errors.0.code',
      words: 'errors.0.description',
      accepted: { status: ['2*'], at: 'id' },
      meanings: [
        { code: ['2'], outcome: 'config', reason: 'unauthenticated' },
        { code: ['9', '10', '21'], outcome: 'permanent', reason: 'invalid_request' },
        { code: ['25'], outcome: 'config', reason: 'balance_used_up' },
        { code: ['99'], outcome: 'retry', reason: 'unavailable' },
      ],
    },
    check: {
      url: 'https://rest.messagebird.com/balance',
      accepted: { status: ['200'] },
    },
    callbacks: {
      proof: byToken,
      reports: {
        mark: 'reference',
        id: 'id',
        to: 'recipient',
        status: 'status',
        error: 'statusErrorCode',
        statuses: [
          { status: ['delivered'], means: 'arrived' },
          { status: ['scheduled', 'buffered', 'sent'], means: 'taken' },
          { error: ['1'], means: 'dead', reason: 'invalid_number' },
          { error: ['6', '27', '31'], means: 'failed', reason: 'handset_unreachable' },
          { status: ['delivery_failed', 'expired'], means: 'failed' },
        ],
      },
      inbound: { id: 'id', from: 'originator', text: 'body' },
    },
  },
};
