// SpeedSMS, Vietnam. Reports name a message by SpeedSMS's id alone.

import { byToken, type GatewayRecipe, reportSecret } from './recipe.ts';

export const speedsms: GatewayRecipe = {
  label: 'SpeedSMS',
  countries: ['VN'],
  source: 'https://speedsms.vn/sms-api/',
  credentials: { accessToken: 'API access token', ...reportSecret },
  setup:
    'from is the brand name of sms_type 3. Enter the address for reports at SpeedSMS as its webhook.',
  config: {
    url: 'https://api.speedsms.vn/index.php/sms/send',
    basic: { user: '{{ credentials.accessToken }}', password: 'x' },
    body: { to: ['{{ to }}'], content: '{{ text }}', sms_type: 3, sender: '{{ from }}' },
    numberForm: 'digits',
    country: 'VN',
    answer: {
      id: 'data.tranId',
      code: 'code',
      words: 'message',
      accepted: { code: ['00'] },
      meanings: [
        // It took the call and left the number out.
        { at: 'data.invalidPhone.0', outcome: 'permanent', reason: 'invalid_number' },
        { code: ['007', '008', '009'], outcome: 'config', reason: 'account_blocked' },
        { code: ['101'], outcome: 'permanent', reason: 'invalid_request' },
        { code: ['105'], outcome: 'permanent', reason: 'invalid_number' },
        { code: ['110'], outcome: 'permanent', reason: 'content_refused' },
        { code: ['113'], outcome: 'permanent', reason: 'text_too_long' },
        { code: ['300'], outcome: 'config', reason: 'balance_used_up' },
        { status: ['429'], outcome: 'rate', reason: 'throttled', waitSeconds: 60 },
        { code: ['500'], outcome: 'retry', reason: 'unavailable' },
      ],
    },
    check: {
      url: 'https://api.speedsms.vn/index.php/user/info',
      accepted: { code: ['00'] },
    },
    callbacks: {
      proof: byToken,
      reports: {
        id: 'tranId',
        to: 'phone',
        status: 'status',
        statuses: [
          { status: ['0'], means: 'arrived' },
          // Below 64 it goes on trying.
          { status: Array.from({ length: 63 }, (_, at) => String(at + 1)), means: 'taken' },
          { means: 'failed' },
        ],
      },
      inbound: { from: 'phone', text: 'content' },
    },
  },
};
