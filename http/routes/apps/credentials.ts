// The credentials of an app's channels.

import { z } from 'zod';
import { catalog, credentialNames } from '../../../actors/channels/catalog.ts';
import {
  type ChannelId,
  type CredentialName,
  channelIds,
} from '../../../actors/channels/channel-ids.ts';
import { checkCredential, credentialSchemas } from '../../../actors/channels/credentials.ts';
import type { CredentialCheck } from '../../../actors/channels/port/outcome.ts';
import type { WebPushKeys } from '../../../actors/channels/webpush/channel.ts';
import { vapidFault } from '../../../actors/channels/webpush/vapid-keys.ts';
import type { OutboxProtocol } from '../../../actors/sending/outbox/protocol.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { pageOf } from '../../call/answer/page.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { countedPage, exampleOf, pageQuery } from '../../call/schemas/schemas.ts';
import {
  credentialNamed,
  credentialParam,
  credentialSchema,
  credentialView,
} from './credential-view.ts';

export const listCredentials = route({
  method: 'GET',
  path: '/v1/apps/:appId/credentials',
  summary: 'List credentials',
  description: 'Web push keys are generated with the app, so `webpush` is always listed.',
  tag: 'Credentials',
  access: key('admin'),
  reads: ['credential'],
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Credentials by channel.', schema: countedPage(credentialSchema) },
  },
  async handle(call) {
    const credentials = await call.to<AccountsProtocol>(call.app()).ask('credential.list', {});
    const items = credentials.map(credentialView);
    const isName = (cursor: string) => credentialNames.some((name) => name === cursor);
    return { status: 200, body: pageOf(items, call.query, ({ channel }) => channel, isName) };
  },
});

export const deleteCredential = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/credentials/:channel',
  summary: 'Delete a credential',
  description: 'Web push keys cannot be deleted; upload new keys to replace them.',
  tag: 'Credentials',
  access: key('admin'),
  changes: ['credential'],
  edits: 'credential.delete',
  params: { channel: credentialParam },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [409],
  async handle(call) {
    const app = call.app();
    const channel = credentialNamed(call.param('channel'));
    await call.to<AccountsProtocol>(app).ask('credential.delete', { channel });
    return { status: 204 };
  },
});

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

/**
 * Uploads a channel's credential for an app. The channel's own check words the body's problems;
 * the description lists all forms.
 */
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

export const checkSchema = z
  .object({
    checked: z.boolean().describe('`false`: the provider has no call for this; `why` says more.'),
    ok: z
      .boolean()
      .nullable()
      .describe('Whether the provider accepted the credential; `null` if not checked.'),
    reason: z.string().optional().describe('Why not, as a code.'),
    detail: z.string().optional().describe("The provider's own error message."),
    why: z.string().optional().describe('Why it cannot be checked.'),
    tookMs: z.int().min(0),
  })
  .meta({
    id: 'CredentialCheck',
    examples: [
      { checked: true, ok: true, tookMs: 182 },
      { checked: true, ok: false, reason: 'unauthenticated', tookMs: 97 },
    ],
  });

export const checkStoredCredential = route({
  method: 'POST',
  path: '/v1/apps/:appId/credentials/:channel/check',
  summary: 'Check a credential',
  description:
    "Makes one real call to the provider with the stored credential; nothing is sent to anyone. `email` checks the connection to the server's mail relay. A provider that cannot be reached is `ok: false`, too.",
  tag: 'Credentials',
  access: key('admin'),
  reads: ['credential'],
  params: { channel: `${credentialParam} Or \`email\`.` },
  responses: { 200: { description: 'The result of the check.', schema: checkSchema } },
  async handle(call) {
    const { clock } = call.edge;
    const startedMs = clock.monotonic();
    const result = await check(call);
    const tookMs = Math.round(clock.monotonic() - startedMs);
    return { status: 200, body: { ok: null, ...result, tookMs } };
  },
});

async function check(call: Call<unknown, unknown>): Promise<CredentialCheck> {
  const accounts = call.to<AccountsProtocol>(call.app());
  const { channel, opened } =
    call.param('channel') === 'email'
      ? { channel: 'email' as const, opened: await withoutCredential(accounts) }
      : await openedOf(call);
  if (opened.state === 'unreadable')
    return { checked: true, ok: false, reason: 'credential_unreadable' };
  const kind = 'credential.check';
  const done = await call.edge.checkCredential?.({ kind, channel, credentials: opened.value });
  return done ?? { checked: false, why: 'this server sends nothing' };
}

type Opened = AccountsProtocol['credential.open']['reply'];

/** Fails for an app that does not exist. */
async function withoutCredential(
  accounts: ReturnType<typeof Call.prototype.to<AccountsProtocol>>,
): Promise<Opened> {
  await accounts.ask('credential.list', {});
  return { state: 'ready', value: undefined };
}

async function openedOf(call: Call<unknown, unknown>) {
  const app = call.app();
  const name = credentialNamed(call.param('channel'));
  const opened = await call.to<AccountsProtocol>(app).ask('credential.open', { channel: name });
  const channel = channelIds.find((id) => catalog[id].credential === name) as ChannelId;
  return { channel, opened };
}
