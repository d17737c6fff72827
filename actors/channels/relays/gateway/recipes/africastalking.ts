// Africa's Talking. Reports name a message by its own id alone.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

export const africastalking: GatewayRecipe = {
  label: "Africa's Talking",
  source: 'https://developers.africastalking.com/docs/sms/sending/bulk',
  credentials: { apiKey: 'API key', username: 'Username', ...reportSecret },
  setup:
    'Enter the address for reports in its dashboard: SMS, callback URLs, for delivery reports and incoming messages.',
  config: {
    url: 'https://api.africastalking.com/version1/messaging',
    contentType: 'form',
    headers: { apikey: '{{ credentials.apiKey }}', accept: 'application/json' },
    body: {
      username: '{{ credentials.username }}',
      to: '{{ to }}',
      message: '{{ text }}',
      from: '{{ from }}',
    },
    answer: {
      id: 'SMSMessageData.Recipients.0.messageId',
      code: ['SMSMessageData.Recipients.0.statusCode', 'SMSMessageData.Message'],
      words: ['SMSMessageData.Recipients.0.status', 'SMSMessageData.Message'],
      accepted: { code: ['100', '101', '102'] },
      meanings: [
        // Held for its risk: one message, not the account.
        { code: ['401'], outcome: 'permanent', reason: 'filtered' },
        { code: ['402', 'InvalidSenderId'], outcome: 'config', reason: 'sender_not_registered' },
        { code: ['403', '404'], outcome: 'permanent', reason: 'invalid_number' },
        { code: ['405', 'InsufficientBalance'], outcome: 'config', reason: 'balance_used_up' },
        { code: ['406'], outcome: 'opted_out', reason: 'opted_out' },
        // A register of the country, not a wish that this sender was told.
        { code: ['409'], outcome: 'permanent', reason: 'blocked_number' },
        { code: ['407'], outcome: 'permanent', reason: 'no_route' },
        { code: ['500', '501'], outcome: 'retry', reason: 'unavailable' },
        { code: ['502'], outcome: 'permanent', reason: 'refused' },
      ],
    },
    check: {
      url: 'https://api.africastalking.com/version1/user',
      query: { username: '{{ credentials.username }}' },
      accepted: { status: ['200'] },
    },
    callbacks: {
      proof: byToken,
      reports: {
        id: 'id',
        to: 'phoneNumber',
        status: 'status',
        error: 'failureReason',
        statuses: [
          { status: ['Success'], means: 'arrived' },
          { status: ['Sent', 'Submitted', 'Buffered'], means: 'taken' },
          { error: ['UserInBlackList'], means: 'opted_out' },
          {
            error: ['AbsentSubscriber', 'UserIsInactive'],
            means: 'failed',
            reason: 'handset_unreachable',
          },
          { error: ['DoNotDisturbRejection'], means: 'failed', reason: 'blocked_number' },
          {
            error: ['UserDoesNotExist'],
            means: 'dead',
            reason: 'invalid_number',
          },
          { status: ['Rejected', 'Failed'], means: 'failed' },
        ],
      },
      inbound: { id: 'id', from: 'from', text: 'text' },
    },
  },
};
