// Infobip: the SMS API, version 3.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

export const infobip: GatewayRecipe = {
  label: 'Infobip',
  source: 'https://www.infobip.com/docs/api/channels/sms/outbound-sms/send-sms-messages',
  credentials: { apiKey: 'API key', ...reportSecret },
  setup: 'Replace api.infobip.com in url and check.url by the base URL of your account.',
  config: {
    url: 'https://api.infobip.com/sms/3/messages',
    headers: { authorization: 'App {{ credentials.apiKey }}', accept: 'application/json' },
    body: {
      messages: [
        {
          sender: '{{ from }}',
          destinations: [{ to: '{{ to }}', messageId: '{{ uuid }}' }],
          content: { text: '{{ text }}' },
          webhooks: {
            delivery: { url: '{{ callback_url }}' },
            contentType: 'application/json',
            callbackData: '{{ id }}',
          },
        },
      ],
    },
    numberForm: 'digits',
    answer: {
      id: 'messages.0.messageId',
      code: ['messages.0.status.name', 'requestError.serviceException.messageId', 'errorCode'],
      words: ['messages.0.status.description', 'requestError.serviceException.text', 'description'],
      accepted: {
        status: ['2*'],
        // It has the message id already: an earlier try got through.
        code: ['PENDING*', 'MESSAGE_ACCEPTED', 'DELIVERED*', 'REJECTED_DUPLICATE_MESSAGE_ID'],
      },
      meanings: [
        {
          code: ['REJECTED_NOT_ENOUGH_CREDITS', 'REJECTED_PREPAID_PACKAGE_EXPIRED'],
          outcome: 'config',
          reason: 'balance_used_up',
        },
        {
          code: ['REJECTED_SENDER', 'REJECTED_SOURCE'],
          outcome: 'config',
          reason: 'sender_not_registered',
        },
        {
          code: ['REJECTED_DESTINATION', 'REJECTED_PREFIX_MISSING', 'MISSING_TO'],
          outcome: 'permanent',
          reason: 'invalid_number',
        },
        {
          code: ['REJECTED_NETWORK', 'REJECTED_ROUTE_NOT_AVAILABLE'],
          outcome: 'permanent',
          reason: 'no_route',
        },
        {
          code: ['REJECTED_DND', 'REJECTED_DESTINATION_BLOCKLISTED'],
          outcome: 'permanent',
          reason: 'blocked_number',
        },
        {
          code: ['REJECTED_DESTINATION_NOT_REGISTERED'],
          outcome: 'permanent',
          reason: 'recipient_not_allowed',
        },
        {
          code: ['REJECTED_FLOODING_FILTER', 'SIGNALS_BLOCKED'],
          outcome: 'permanent',
          reason: 'filtered',
        },
        { code: ['REJECTED_MESSAGE_TOO_LONG'], outcome: 'permanent', reason: 'text_too_long' },
        { code: ['REJECTED_SYSTEM_ERROR'], outcome: 'retry', reason: 'unavailable' },
        { code: ['UNAUTHORIZED', 'E401'], outcome: 'config', reason: 'unauthenticated' },
        { code: ['TOO_MANY_REQUESTS', 'E429'], outcome: 'rate', reason: 'throttled' },
        { code: ['BAD_REQUEST', 'E400'], outcome: 'permanent', reason: 'invalid_request' },
        {
          code: ['REJECTED', 'REJECTED_INVALID*', 'UNDELIVERABLE*'],
          outcome: 'permanent',
          reason: 'refused',
        },
      ],
    },
    check: {
      url: 'https://api.infobip.com/account/1/balance',
      accepted: { status: ['200'] },
    },
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
          {
            error: ['EC_UNKNOWN_SUBSCRIBER*'],
            means: 'dead',
            reason: 'invalid_number',
          },
          {
            error: ['EC_ABSENT_SUBSCRIBER*'],
            means: 'failed',
            reason: 'handset_unreachable',
          },
          { status: ['UNDELIVERABLE', 'EXPIRED'], means: 'failed' },
          { status: ['REJECTED'], means: 'failed', reason: 'refused' },
        ],
      },
      inbound: { items: 'results', id: 'messageId', from: 'from', text: ['text', 'cleanText'] },
    },
  },
};
