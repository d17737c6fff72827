// 8x8 (formerly Wavecell), Indonesia and all of South-East Asia.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

export const eightByEight: GatewayRecipe = {
  label: '8x8',
  source: 'https://developer.8x8.com/connect/reference/send-sms',
  credentials: { apiKey: 'API key', subAccountId: 'Subaccount id', ...reportSecret },
  config: {
    url: 'https://sms.8x8.com/api/v1/subaccounts/{{ credentials.subAccountId }}/messages',
    headers: { authorization: 'Bearer {{ credentials.apiKey }}' },
    body: {
      source: '{{ from }}',
      destination: '{{ to }}',
      text: '{{ text }}',
      encoding: 'AUTO',
      clientMessageId: '{{ id }}',
      dlrCallbackUrl: '{{ callback_url }}',
    },
    answer: {
      id: 'umid',
      code: ['status.state', 'status.code', 'code'],
      words: ['status.errorMessage', 'message'],
      accepted: { status: ['2*'], code: ['queued', 'QUEUED', 'sent', 'delivered'] },
      meanings: [
        {
          code: ['rejected', 'failed', 'error', 'REJECTED'],
          outcome: 'permanent',
          reason: 'refused',
        },
        { status: ['429'], outcome: 'rate', reason: 'throttled' },
      ],
    },
    callbacks: {
      proof: byToken,
      reports: {
        mark: 'payload.clientMessageId',
        id: 'payload.umid',
        to: 'payload.destination',
        status: ['payload.status.state', 'payload.status.code'],
        error: 'payload.status.errorCode',
        statuses: [
          { status: ['read', 'READ'], means: 'read' },
          { status: ['delivered', 'DELIVERED*'], means: 'arrived' },
          { status: ['queued', 'sent', 'unknown', 'QUEUED', 'SENT*'], means: 'taken' },
          { error: ['1', '46', '47'], means: 'failed', reason: 'handset_unreachable' },
          { error: ['15'], means: 'failed', reason: 'invalid_number' },
          { error: ['33'], means: 'failed', reason: 'no_route' },
          { error: ['34', '43'], means: 'failed', reason: 'filtered' },
          { status: ['rejected', 'failed', 'REJECTED*'], means: 'failed', reason: 'refused' },
          { status: ['undelivered', 'UNDELIVERED*'], means: 'failed' },
        ],
      },
      inbound: {
        id: 'payload.umid',
        from: 'payload.source',
        text: ['payload.body', 'payload.text'],
      },
    },
  },
};
