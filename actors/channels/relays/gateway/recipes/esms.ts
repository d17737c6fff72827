// eSMS.vn, Vietnam: customer-care messages under a registered brand name.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

const oneOrMore = Array.from({ length: 9 }, (_, at) => `${at + 1}*`);

export const esms: GatewayRecipe = {
  label: 'eSMS.vn',
  countries: ['VN'],
  source: 'https://developers.esms.vn/en/esms-api/send-sms-api/send-otp-customer-care-message',
  credentials: { apiKey: 'ApiKey', secretKey: 'SecretKey', ...reportSecret },
  setup: 'from is the registered brand name. SmsType 2 is customer care; promotions need another.',
  config: {
    url: 'https://rest.esms.vn/MainService.svc/json/SendMultipleMessage_V4_post_json/',
    body: {
      ApiKey: '{{ credentials.apiKey }}',
      SecretKey: '{{ credentials.secretKey }}',
      Brandname: '{{ from }}',
      SmsType: '2',
      Phone: '{{ to }}',
      Content: '{{ text }}',
      IsUnicode: '{{ encoding }}',
      RequestId: '{{ uuid }}',
      CallbackUrl: '{{ callback_url }}',
    },
    numberForm: 'national',
    country: 'VN',
    encoding: { gsm7: '0', ucs2: '1' },
    answer: {
      id: 'SMSID',
      code: 'CodeResult',
      words: 'ErrorMessage',
      // 124 is a RequestId that it has already: an earlier try got through.
      accepted: { code: ['100', '124'] },
      meanings: [
        { code: ['99'], outcome: 'permanent', reason: 'blocked_number' },
        { code: ['101'], outcome: 'config', reason: 'unauthenticated' },
        { code: ['102', '140'], outcome: 'config', reason: 'account_blocked' },
        { code: ['103'], outcome: 'config', reason: 'balance_used_up' },
        { code: ['104'], outcome: 'config', reason: 'sender_not_registered' },
        { code: ['108'], outcome: 'permanent', reason: 'invalid_number' },
        { code: ['118', '300'], outcome: 'config', reason: 'invalid_request' },
        { code: ['146'], outcome: 'permanent', reason: 'template_invalid' },
        // The brand name is not registered with this number's network; others get their texts.
        { code: ['177'], outcome: 'permanent', reason: 'no_route' },
      ],
    },
    callbacks: {
      proof: byToken,
      reports: {
        uuid: 'RequestId',
        id: 'SMSID',
        to: 'phonenumber',
        status: 'SendStatus',
        statuses: [
          { status: ['4'], means: 'failed', reason: 'content_refused' },
          // 5 is the end: how many parts failed and arrived are fields of their own.
          { status: ['5'], at: 'SendFailed', is: oneOrMore, means: 'failed' },
          { status: ['5'], at: 'SendSuccess', is: oneOrMore, means: 'arrived' },
          { status: ['1', '2', '5', '7'], means: 'taken' },
        ],
      },
    },
  },
};
