// SMS and voice: one account at Twilio.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'accountSid'> = {
  accountSid: {
    label: 'Account SID',
    hint: 'On the first page of the console. It begins with AC.',
    kind: 'text',
    placeholder: 'AC…',
  },
  authToken: {
    label: 'Auth token',
    hint: 'Next to the Account SID. Engage also uses it to verify the signature of callbacks.',
    kind: 'secret',
  },
  from: {
    label: 'SMS sender',
    hint: 'A number you own, a short code, or a name of up to eleven letters where the country allows it.',
    kind: 'text',
    placeholder: '+14155550123',
    isOptional: true,
  },
  messagingServiceSid: {
    label: 'Messaging Service SID',
    hint: 'Use it instead of a single sender: Twilio chooses one of the service’s senders. It begins with MG.',
    kind: 'text',
    placeholder: 'MG…',
    isOptional: true,
  },
  voiceFrom: {
    label: 'Caller’s number',
    hint: 'The number that calls come from. It must support voice.',
    kind: 'text',
    placeholder: '+14155550123',
    isOptional: true,
  },
  apiKeySid: {
    label: 'API key SID',
    hint: 'Authenticates with an API key instead of the auth token. It begins with SK.',
    kind: 'text',
    placeholder: 'SK…',
    isOptional: true,
  },
  apiKeySecret: {
    label: 'API key secret',
    hint: 'Twilio shows it once, when the API key is created.',
    kind: 'secret',
    isOptional: true,
  },
};

export const carrier: CredentialForm = {
  name: 'carrier',
  site: 'Twilio console',
  siteUrl: 'https://console.twilio.com',
  steps: [
    'Copy Account SID and auth token from the first page.',
    'Buy a number, or set up a Messaging Service. SMS needs one of the two; calls need a number.',
    'For replies such as STOP, set the address below for incoming messages.',
  ],
  fields,
};
