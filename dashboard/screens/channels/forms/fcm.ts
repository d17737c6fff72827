// FCM: the key file of a Google service account, as it was downloaded.

import type { CredentialForm } from './form.ts';

export const fcm: CredentialForm = {
  name: 'fcm',
  site: 'Firebase console',
  siteUrl: 'https://console.firebase.google.com/project/_/settings/serviceaccounts/adminsdk',
  steps: [
    'Open the project of your Android app, then Project settings → Service accounts.',
    'Choose “Generate new private key”. The browser downloads a JSON file.',
    'Choose that file here. Engage stores only the project, the email address and the private key.',
  ],
  wholeBody: 'file',
  fields: {
    file: {
      label: 'Key file',
      hint: 'The JSON file of the service account. It begins with "type": "service_account".',
      kind: 'key-file',
    },
  },
};
