// Tries a stored credential with its provider, without sending anything.

import { z } from 'zod';
import { catalog } from '../../../actors/channels/catalog.ts';
import { type ChannelId, channelIds } from '../../../actors/channels/channel-ids.ts';
import type { CredentialCheck } from '../../../actors/channels/port/outcome.ts';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { credentialNamed, credentialParam } from './credential-view.ts';

const checkSchema = z
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
