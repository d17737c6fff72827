// Makes an app's identity secret, with which the tenant's own server proves to Engage who a client
// is.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { makeIdentitySecret, makeTokenKey } from '../../identity-keys.ts';
import { key, route } from '../../route.ts';

const secretSchema = z
  .object({
    secret: z
      .string()
      .describe('Shown once; it belongs on your server, never into an app or a page.'),
  })
  .meta({ examples: [{ secret: 'is_kP3xQ9vT2mZ7wY4nB6cH8jL1rF5sD0gA-eUiOoXyVtE' }] });

export const createIdentitySecret = route({
  method: 'POST',
  path: '/v1/apps/:id/identity-secret',
  summary: 'Make an identity secret',
  description:
    "Your server proves who a client is by `identityHash`: the hex HMAC-SHA256 of the `externalUserId`, with the secret's text as the key. The secret before stays good for 24 hours. Client tokens stay good too, unless `endClientTokens=true` ends all of them at once. Takes no body.",
  tag: 'Apps',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  query: z.object({
    endClientTokens: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        '`true` ends every client token of the app, as after a leak: each client logs in anew.',
      ),
  }),
  responses: { 201: { description: 'The secret.', schema: secretSchema } },
  refusals: [404],
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
