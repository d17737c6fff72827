// Vonage, formerly Nexmo: the SMS API. Its `callback` takes 100 characters, too few for an address
// that names the message, so the address is set once, and `client-ref` names the message.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

export const vonage: GatewayRecipe = {
  label: 'Vonage',
  source: 'https://developer.vonage.com/en/api/sms',
  credentials: { apiKey: 'API key', apiSecret: 'API secret', ...reportSecret },
  setup:
    'Enter the address for reports in its dashboard: API settings, for delivery receipts and inbound SMS.',
  config: {
    url: 'https://rest.nexmo.com/sms/json',
    contentType: 'form',
    body: {
      api_key: '{{ credentials.apiKey }}',
      api_secret: '{{ credentials.apiSecret }}',
      from: '{{ from }}',
      to: '{{ to }}',
      text: '{{ text }}',
      type: '{{ encoding }}',
      ttl: '{{ ttl_ms }}',
      'client-ref': '{{ id }}',
    },
    numberForm: 'digits',
    encoding: { gsm7: 'text', ucs2: 'unicode' },
    answer: {
      id: 'messages.0.message-id',
      code: 'messages.0.status',
      words: 'messages.0.error-text',
      accepted: { code: ['0'] },
      meanings: [
        { code: ['1', '10'], outcome: 'rate', reason: 'throttled' },
        { code: ['2', '3'], outcome: 'permanent', reason: 'invalid_request' },
        { code: ['4', '14', '32'], outcome: 'config', reason: 'unauthenticated' },
        { code: ['5'], outcome: 'retry', reason: 'unavailable' },
        { code: ['6'], outcome: 'permanent', reason: 'invalid_number' },
        { code: ['7'], outcome: 'permanent', reason: 'blocked_number' },
        { code: ['8'], outcome: 'config', reason: 'account_suspended' },
        { code: ['9'], outcome: 'config', reason: 'balance_used_up' },
        { code: ['11'], outcome: 'config', reason: 'account_blocked' },
        { code: ['12'], outcome: 'permanent', reason: 'text_too_long' },
        { code: ['15'], outcome: 'config', reason: 'sender_not_registered' },
        { code: ['22'], outcome: 'permanent', reason: 'no_route' },
        { code: ['23'], outcome: 'config', reason: 'callback_address_refused' },
        { code: ['29'], outcome: 'permanent', reason: 'recipient_not_allowed' },
        { code: ['33'], outcome: 'dead', reason: 'invalid_number' },
      ],
    },
    check: {
      url: 'https://rest.nexmo.com/account/get-balance',
      query: {
        api_key: '{{ credentials.apiKey }}',
        api_secret: '{{ credentials.apiSecret }}',
      },
      accepted: { status: ['200'] },
    },
    callbacks: {
      proof: byToken,
      reports: {
        mark: 'client-ref',
        id: 'messageId',
        to: 'msisdn',
        status: 'status',
        error: 'err-code',
        statuses: [
          { status: ['delivered'], means: 'arrived' },
          { status: ['accepted', 'buffered', 'unknown'], means: 'taken' },
          { error: ['3'], means: 'dead', reason: 'invalid_number' },
          { error: ['9'], means: 'opted_out' },
          { error: ['2', '7'], means: 'failed', reason: 'handset_unreachable' },
          { error: ['6'], means: 'failed', reason: 'filtered' },
          { error: ['4', '14'], means: 'failed', reason: 'blocked_number' },
          { error: ['5', '11', '12'], means: 'failed', reason: 'no_route' },
          { error: ['10'], means: 'failed', reason: 'content_refused' },
          { status: ['failed', 'rejected', 'expired'], means: 'failed' },
        ],
      },
      inbound: { id: 'messageId', from: 'msisdn', text: 'text' },
    },
  },
};
