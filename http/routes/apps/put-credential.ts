// Uploads a channel's credential for an app. The channel's own check words the body's problems; the
// description lists all forms.

import { z } from 'zod';
import { catalog, credentialNames } from '../../../actors/channels/catalog.ts';
import {
  type ChannelId,
  type CredentialName,
  channelIds,
} from '../../../actors/channels/channel-ids.ts';
import { checkCredential, credentialSchemas } from '../../../actors/channels/credentials.ts';
import type { WebPushKeys } from '../../../actors/channels/webpush/channel.ts';
import { vapidFault } from '../../../actors/channels/webpush/vapid-keys.ts';
import type { OutboxProtocol } from '../../../actors/sending/outbox/protocol.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import {
  credentialNamed,
  credentialParam,
  credentialSchema,
  credentialView,
} from './credential-view.ts';

const credentialBody = z.record(z.string(), z.unknown()).meta({
  id: 'CredentialUpload',
  description: 'The fields each channel needs.',
  anyOf: credentialNames.map((name) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(credentialSchemas[name], {
      io: 'input',
      unrepresentable: 'any',
    });
    return { ...schema, title: name };
  }),
  examples: [
    {
      accountSid: 'AC00000000000000000000000000000000',
      authToken: '00000000000000000000000000000000',
      from: '+14155550123',
    },
  ],
});

const webhookSchema = z
  .object({
    url: z.string().describe('The callback URL the provider was given.'),
    registered: z.boolean(),
    reason: z.string().optional().describe('Why registration failed, or why it was not attempted.'),
    detail: z.string().optional().describe("The provider's own error message."),
  })
  .meta({
    id: 'WebhookRegistration',
    examples: [
      { url: `https://engage.example/v1/webhooks/viber/${exampleIds.app}`, registered: true },
    ],
  });

const storedSchema = credentialSchema
  .extend({ webhook: webhookSchema.optional().describe('Only for Telegram and Viber.') })
  .meta({ id: 'StoredCredential', examples: [exampleOf(credentialSchema)] });

export const putCredential = route({
  method: 'POST',
  edits: 'credential.put',
  path: '/v1/apps/:appId/credentials/:channel',
  summary: 'Upload a channel credential',
  description:
    'The upload is validated: keys must parse and tokens must have the right format. A new upload replaces the previous one, and sends that wait because the provider refused it or asked for fewer messages are retried immediately. Credentials are stored encrypted and never returned. For Telegram and Viber, Engage then registers its webhook with the provider; `webhook` shows whether that worked. If not, the credential is still stored, and uploading it again retries. If a Telegram credential has no `secretToken`, Engage generates one.',
  tag: 'Credentials',
  access: key('admin'),
  changes: ['credential'],
  params: { channel: credentialParam },
  body: credentialBody,
  membersOf: ({ channel = '' }) => credentialSchemas[channel as CredentialName],
  responses: {
    201: { description: 'The stored credential, without its secrets.', schema: storedSchema },
  },
  async handle(call) {
    const app = call.app();
    const channel = credentialNamed(call.param('channel'));
    const checked = checkCredential(channel, call.body);
    if ('code' in checked) throw new FaultError(checked);
    const { credential, fingerprint } = checked;
    if (channel === 'webpush') await requireVapid(credential as WebPushKeys);
    const stored = await call
      .to<AccountsProtocol>(app)
      .ask('credential.put', { channel, credential, fingerprint });
    await probed(call, channel);
    const webhook = await registered(call, channel, credential);
    return { status: 201, body: { ...credentialView(stored), ...(webhook && { webhook }) } };
  },
});

async function requireVapid(keys: WebPushKeys): Promise<void> {
  const fault = await vapidFault(keys);
  if (fault !== undefined) throw new FaultError(fault);
}

/** Sends that wait because the old one was refused try at once. */
async function probed(call: Call<unknown, unknown>, name: CredentialName): Promise<void> {
  const sends = call.to<OutboxProtocol>(call.app());
  for (const channel of channelIds)
    if (catalog[channel].credential === name)
      await sends.ask('dispatch.resume', { channel, now: true });
}

/** After the upload is durable: Viber calls the address before it answers. */
async function registered(
  call: Call<unknown, unknown>,
  channel: CredentialName,
  credentials: unknown,
): Promise<z.output<typeof webhookSchema> | undefined> {
  if (!registersWebhook(channel)) return undefined;
  const url = `${call.edge.config.publicUrl}/v1/webhooks/${channel}/${call.param('appId')}`;
  const kind = 'webhook.register';
  const done = await call.edge.registerWebhook?.({ kind, channel, url, credentials });
  return done && { url, ...done };
}

function registersWebhook(name: CredentialName): name is CredentialName & ChannelId {
  return channelIds.some((id) => catalog[id].credential === name && catalog[id].registersWebhook);
}
