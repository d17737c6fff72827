// Zalo: an Official Account and the app that may send for it.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'refreshToken'> = {
  appId: {
    label: 'App ID',
    hint: 'Digits, on the first page of the app.',
    kind: 'text',
    placeholder: '1234567890123456789',
  },
  appSecret: {
    label: 'App secret key',
    hint: 'On the same page, below the App ID.',
    kind: 'secret',
  },
  refreshToken: {
    label: 'Refresh token',
    hint: 'From the API explorer, for your Official Account. It works only once, so do not use it elsewhere.',
    kind: 'secret',
  },
  oaSecretKey: {
    label: 'OA secret key',
    hint: 'Under Webhook. Without it, Engage rejects the callbacks of this account.',
    kind: 'secret',
    isOptional: true,
  },
};

export const zalo: CredentialForm = {
  name: 'zalo',
  site: 'Zalo for Developers',
  siteUrl: 'https://developers.zalo.me',
  steps: [
    'Open your app and link it with your Official Account.',
    'In the API explorer, choose “OA access token” and copy the refresh token.',
    'Under Webhook, enter the callback address below, and copy the OA secret key.',
  ],
  fields,
};
