// RCS: an agent of Google's RCS Business Messaging.

import type { CredentialForm, FieldsWith } from './form.ts';

const fields: FieldsWith<'agentId'> = {
  serviceAccount: {
    label: 'Key file',
    hint: 'The JSON key file of the agent’s service account.',
    kind: 'key-file',
  },
  agentId: {
    label: 'Agent ID',
    hint: 'On the agent’s page, under Agent information.',
    kind: 'text',
  },
  region: {
    label: 'Region',
    hint: 'The region in which the agent was created. It cannot be changed later.',
    kind: 'choice',
    choices: [
      { value: 'us', label: 'North America' },
      { value: 'europe', label: 'Europe' },
      { value: 'asia', label: 'Asia Pacific' },
    ],
  },
  clientToken: {
    label: 'Client token',
    hint: 'Under Integrations → Webhook. It proves that callbacks are Google’s.',
    kind: 'secret',
    isOptional: true,
  },
};

export const rcs: CredentialForm = {
  name: 'rcs',
  site: 'Business Communications console',
  siteUrl: 'https://business-communications.cloud.google.com',
  steps: [
    'Open your agent, and copy its ID from Agent information.',
    'Under Service account, create a key and download the JSON file.',
    'Under Integrations, enter the callback address below, and copy the client token.',
  ],
  fields,
};
