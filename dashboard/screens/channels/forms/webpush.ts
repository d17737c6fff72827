// Web push: a VAPID key pair. The server makes one itself; uploading keeps existing subscriptions.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'publicKey'> = {
  publicKey: {
    label: 'Public key',
    hint: '65 bytes in base64url. Your site uses this key to subscribe browsers.',
    kind: 'text',
    placeholder: 'BNc…',
  },
  privateKey: {
    label: 'Private key',
    hint: '32 bytes in base64url, from the same pair.',
    kind: 'secret',
  },
  subject: {
    label: 'Contact',
    hint: 'A mailto: or https: URL where push services can reach you.',
    kind: 'text',
    placeholder: 'mailto:ops@example.com',
    isOptional: true,
  },
};

export const webpush: CredentialForm = {
  name: 'webpush',
  site: 'Your previous push service',
  siteUrl: 'https://developer.mozilla.org/docs/Web/API/PushManager/subscribe',
  steps: [
    'A new app needs nothing here. Engage generates a key pair on first use.',
    'Moving from another service? Upload its VAPID key pair, so that people who subscribed stay subscribed.',
  ],
  fields,
};
