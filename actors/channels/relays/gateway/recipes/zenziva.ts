// Zenziva, Indonesia: regular messages. It documents no codes, so its words say why it refused, and
// what became of a message, for which it must be asked.

import type { GatewayRecipe } from './recipe.ts';

export const zenziva: GatewayRecipe = {
  label: 'Zenziva',
  countries: ['ID'],
  source: 'https://www.zenziva.id/dokumentasi/',
  credentials: { userKey: 'userkey', passKey: 'passkey' },
  setup: 'For a masked sender replace reguler by masking in url.',
  config: {
    url: 'https://console.zenziva.net/reguler/api/sendsms/',
    contentType: 'form',
    body: {
      userkey: '{{ credentials.userKey }}',
      passkey: '{{ credentials.passKey }}',
      to: '{{ to }}',
      message: '{{ text }}',
    },
    numberForm: 'national',
    country: 'ID',
    answer: {
      id: 'messageId',
      code: 'status',
      words: 'text',
      accepted: { code: ['1'] },
      meanings: [
        {
          at: 'text',
          is: ['*userkey*', '*passkey*', '*Userkey*', '*Passkey*', '*nvalid credential*'],
          outcome: 'config',
          reason: 'unauthenticated',
        },
        {
          at: 'text',
          is: ['*redit*', '*aldo*', '*alance*'],
          outcome: 'config',
          reason: 'balance_used_up',
        },
        {
          at: 'text',
          is: ['*omor tujuan*', '*nvalid number*', '*nvalid destination*'],
          outcome: 'permanent',
          reason: 'invalid_number',
        },
      ],
    },
    check: {
      url: 'https://console.zenziva.net/api/balance/',
      query: { userkey: '{{ credentials.userKey }}', passkey: '{{ credentials.passKey }}' },
      accepted: { status: ['200'], at: 'balance' },
    },
    polling: {
      url: 'https://console.zenziva.net/reguler/api/report/',
      query: {
        userkey: '{{ credentials.userKey }}',
        passkey: '{{ credentials.passKey }}',
        messageId: '{{ message_id }}',
      },
      answer: {
        status: ['text', 'status'],
        statuses: [
          { status: ['*ndeliver*', '*ailed*', '*agal*', '*xpired*', '*ejected*'], means: 'failed' },
          { status: ['Delivered*', 'delivered*', 'DELIVRD*'], means: 'arrived' },
          { status: ['*ending*', '*ueue*', 'Sent*', 'sent*', 'Terkirim*'], means: 'taken' },
        ],
      },
    },
  },
};
