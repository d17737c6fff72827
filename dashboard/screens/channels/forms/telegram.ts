// Telegram: a bot.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'botToken'> = {
  botToken: {
    label: 'Bot token',
    hint: 'BotFather shows it when you create the bot, and again with /token.',
    kind: 'secret',
    placeholder: '123456:ABC-DEF…',
  },
  secretToken: {
    label: 'Secret token',
    hint: 'Proves that callbacks come from Telegram. If empty, Engage generates one.',
    kind: 'secret',
    isOptional: true,
  },
};

export const telegram: CredentialForm = {
  name: 'telegram',
  site: 'BotFather in Telegram',
  siteUrl: 'https://t.me/BotFather',
  steps: [
    'Send /newbot to @BotFather and choose a name.',
    'Copy the token from its reply.',
    'When you save, Engage registers its callback address with Telegram.',
  ],
  fields,
};
