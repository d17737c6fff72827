// Makes an app's identity secret, with which the tenant's server proves who a client is.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { makeIdentitySecret, makeTokenKey } from '../../call/keys/identity-keys.ts';
import { key, route } from '../../call/route.ts';

const secretSchema = z
  .object({
    secret: z
      .string()
      .describe('Shown only once. Keep it on your server; never put it in an app or a web page.'),
  })
  .meta({ examples: [{ secret: 'is_kP3xQ9vT2mZ7wY4nB6cH8jL1rF5sD0gA-eUiOoXyVtE' }] });

export const createIdentitySecret = route({
  method: 'POST',
  path: '/v1/apps/:appId/identity-secret',
  summary: 'Create an identity secret',
  description:
    'Your server uses the secret to prove who a client is: `identityHash` is the hex HMAC-SHA256 of the `externalUserId` with the secret as the key. The previous secret stays valid for 24 hours, and so do client tokens that only it proved. With its first secret, an app whose `identityVerification` is not set requires an `identityHash` at every login with an `externalUserId`; clients that are logged in have 24 hours to send one. `endClientTokens=true` revokes all client tokens at once. The request has no body.',
  tag: 'Apps',
  access: key('admin'),
  changes: ['settings'],
  query: z.object({
    endClientTokens: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        '`true` revokes every client token of the app, for example after a leak. Each client must log in again.',
      ),
  }),
  responses: { 201: { description: 'The new secret.', schema: secretSchema } },
  async handle(call) {
    const secret = makeIdentitySecret();
    const ends = call.query.endClientTokens === 'true';
    await call.to<IdentityProtocol>(call.app()).ask('identity.put_secret', {
      secret,
      ...(ends ? { tokenKey: makeTokenKey() } : {}),
    });
    return { status: 201, body: { secret } };
  },
});
