// Viber: a bot.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'senderName'> = {
  authToken: {
    label: 'Bot token',
    hint: 'In the Viber admin panel, under Edit info. Three groups of hexadecimal digits.',
    kind: 'secret',
    placeholder: '445da6az1s345z78-…',
  },
  senderName: {
    label: 'Sender’s name',
    hint: 'Shown above each message. Up to 28 characters.',
    kind: 'text',
  },
};

export const viber: CredentialForm = {
  name: 'viber',
  site: 'Viber admin panel',
  siteUrl: 'https://partners.viber.com',
  steps: [
    'Sign in with the account that owns the bot, and open Edit info.',
    'Copy the token.',
    'When you save, Engage registers its callback address with Viber.',
  ],
  fields,
};
