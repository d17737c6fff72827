// KakaoTalk: a channel linked at Solapi.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'pfId'> = {
  apiKey: {
    label: 'API key',
    hint: 'In the Solapi console, under API Key.',
    kind: 'text',
    placeholder: 'NCS…',
  },
  apiSecret: {
    label: 'API secret',
    hint: 'Shown with the API key.',
    kind: 'secret',
  },
  pfId: {
    label: 'Channel ID (pfId)',
    hint: 'The ID of the KakaoTalk channel that you linked in Solapi. It begins with KA01PF.',
    kind: 'text',
    placeholder: 'KA01PF…',
  },
  from: {
    label: 'Sender’s number',
    hint: 'A number registered in Solapi, in Korean format.',
    kind: 'text',
    placeholder: '0212345678',
  },
};

export const kakao: CredentialForm = {
  name: 'kakao',
  site: 'Solapi console',
  siteUrl: 'https://console.solapi.com/credentials',
  steps: [
    'Link your KakaoTalk channel, and have the message templates approved there.',
    'Create an API key and copy the key and its secret.',
    'Register a sender’s number. Engage asks Solapi for the result of each message, so no callback is needed.',
  ],
  fields,
};
