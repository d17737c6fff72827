// LINE: a channel of the Messaging API.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'channelAccessToken'> = {
  channelAccessToken: {
    label: 'Channel access token',
    hint: 'At the end of the Messaging API tab. Issue a long-lived one.',
    kind: 'secret',
  },
  channelSecret: {
    label: 'Channel secret',
    hint: 'On the Basic settings tab. Without it, Engage rejects the callbacks of this channel.',
    kind: 'secret',
    isOptional: true,
  },
};

export const line: CredentialForm = {
  name: 'line',
  site: 'LINE Developers console',
  siteUrl: 'https://developers.line.biz/console/',
  steps: [
    'Open your provider and its Messaging API channel.',
    'Copy the channel secret from Basic settings, and issue a token on the Messaging API tab.',
    'On the same tab, enter the callback address below as webhook URL and switch “Use webhook” on.',
  ],
  fields,
};
