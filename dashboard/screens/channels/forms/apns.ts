// APNs: a signing key of an Apple developer team.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'p8'> = {
  teamId: {
    label: 'Team ID',
    hint: 'Ten letters and digits, under Membership details.',
    kind: 'text',
    placeholder: 'A1B2C3D4E5',
  },
  keyId: {
    label: 'Key ID',
    hint: 'Ten letters and digits, next to the key. It is also in the file name: AuthKey_….p8.',
    kind: 'text',
    placeholder: 'F6G7H8J9K0',
  },
  p8: {
    label: 'Key file',
    hint: 'The .p8 file. Apple lets you download it once.',
    kind: 'pem',
  },
  bundleId: {
    label: 'Bundle ID',
    hint: 'The identifier of your app in Xcode.',
    kind: 'text',
    placeholder: 'com.example.shop',
  },
  environment: {
    label: 'Environment',
    hint: 'Apps installed by Xcode use the sandbox. Apps from TestFlight and the App Store use production.',
    kind: 'choice',
    isOptional: true,
    choices: [
      { value: 'production', label: 'Production' },
      { value: 'sandbox', label: 'Sandbox' },
    ],
  },
};

export const apns: CredentialForm = {
  name: 'apns',
  site: 'Apple developer account',
  siteUrl: 'https://developer.apple.com/account/resources/authkeys/list',
  steps: [
    'Open Certificates, Identifiers & Profiles → Keys, and create a key.',
    'Tick “Apple Push Notifications service (APNs)”.',
    'Download the .p8 file and note the Key ID. The Team ID is under Membership details.',
  ],
  fields,
};
