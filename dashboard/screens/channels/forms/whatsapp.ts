// WhatsApp: a phone number of Meta's Cloud API.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'phoneNumberId'> = {
  phoneNumberId: {
    label: 'Phone number ID',
    hint: 'Under WhatsApp → API setup. Digits only; not the phone number itself.',
    kind: 'text',
    placeholder: '105954558954427',
  },
  accessToken: {
    label: 'Access token',
    hint: 'A permanent token of a system user: Business settings → System users → Generate token.',
    kind: 'secret',
  },
  appSecret: {
    label: 'App secret',
    hint: 'App settings → Basic. Without it, Engage rejects the callbacks of this number.',
    kind: 'secret',
    isOptional: true,
  },
  verifyToken: {
    label: 'Verify token',
    hint: 'A text that you choose. Enter the same text at Meta, next to the callback address.',
    kind: 'text',
  },
};

export const whatsapp: CredentialForm = {
  name: 'whatsapp',
  site: 'Meta for Developers',
  siteUrl: 'https://developers.facebook.com/apps',
  steps: [
    'Open your app, then WhatsApp → API setup, and copy the phone number ID.',
    'Create a permanent access token for a system user with whatsapp_business_messaging.',
    'Save here first. Then open WhatsApp → Configuration at Meta, enter the callback address below and the verify token, and subscribe to “messages”.',
  ],
  fields,
};
