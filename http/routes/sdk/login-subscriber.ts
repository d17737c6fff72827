// Logs a client in: as a new anonymous person, a known anonymous one, or by the tenant's user id.
// Every response has a client token.

import { z } from 'zod';
import type { IdentityProtocol, Login } from '../../../actors/people/identity/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { roomOf } from '../../admit.ts';
import type { Call } from '../../call.ts';
import type { Hold } from '../../call-edge.ts';
import { exampleIds } from '../../example-ids.ts';
import { makeTokenKey } from '../../identity-keys.ts';
import { present } from '../../present.ts';
import { route } from '../../route.ts';
import { externalUserIdSchema, zoneSchema } from '../../schemas.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

const loginBody = z
  .object({
    appId: appIdSchema,
    externalUserId: externalUserIdSchema.nullish(),
    identityHash: z
      .string()
      .max(256)
      .nullish()
      .describe(
        "Hex HMAC-SHA256 of `externalUserId`, with the app's identity secret as the key; computed on your server.",
      ),
    clientToken: clientTokenSchema.nullish(),
    timezone: zoneSchema.nullish(),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/, 'expected a language, such as en or pt-BR')
      .max(35)
      .nullish()
      .describe('Stored as the tag `language`.'),
  })
  .meta({
    examples: [
      { appId: exampleIds.app, timezone: 'Asia/Bangkok', language: 'th' },
      {
        appId: exampleIds.app,
        externalUserId: 'user-42',
        identityHash: '5f0c3a1e9b7d2c4f6a8e0b1d3c5f7a9e2b4d6c8f0a1e3b5d7c9f2a4e6b8d0c1f',
        clientToken: exampleClientToken,
      },
    ],
  });

const loginSchema = z
  .object({ subscriberId: z.string(), clientToken: z.string() })
  .meta({ examples: [{ subscriberId: exampleIds.subscriber, clientToken: exampleClientToken }] });

export const loginSubscriber = route({
  method: 'POST',
  path: '/v1/sdk/subscriber',
  summary: 'Log in a client',
  description:
    "Without `externalUserId`: returns the person of the `clientToken`, or a new anonymous person. With it: returns the person with that id. What the client must prove depends on the app's setting `identityVerification`. `required`: always an `identityHash`. `first-use`: nothing for an id that nobody has claimed and no call with a key has created or changed; otherwise an `identityHash` or the person's `clientToken`. `open`: nothing, so anyone who knows an id gets what is sent to that person, transactional messages included. Missing proof or a wrong hash is a 403 `identity_required`. With the `clientToken` of an anonymous person, that person is merged into the known one: devices, events and tags that the known person lacks move over, and the old id keeps working. Such a login answers a new token, and the old one ends: it may have been planted. The first login with an `identityHash` also ends the tokens of anyone who claimed the id without one. The token of a person with another id is a 409. An invalid token is a 401: discard it and log in without it. Keep the token: all other client calls need it. Each login is a `session` event. New people without an `identityHash` are limited per minute, by address and by app; above the limit a login that would create one is a 429.",
  ...sdkCall,
  body: loginBody,
  responses: {
    200: { description: 'The person the client is logged in as.', schema: loginSchema },
  },
  refusals: [...sdkRefusals, 401, 403, 409, 507],
  async handle(call) {
    const { appId, externalUserId, identityHash, clientToken, timezone, language } = call.body;
    const login = present({
      externalUserId: externalUserId ?? undefined,
      identityHash: identityHash ?? undefined,
      clientToken: clientToken ?? undefined,
      timezone: timezone ?? undefined,
      language: language ?? undefined,
      tokenKey: makeTokenKey(),
    });
    return { status: 200, body: await logIn(call, appId, login) };
  },
});

/** Holds room for one new person under the caller's address; used only if one was created. */
async function logIn(
  call: Call<unknown, unknown>,
  appId: string,
  login: Login,
): Promise<z.output<typeof loginSchema>> {
  const { admission } = call.edge;
  const app = parseId('app', appId)?.ordinal ?? 0; // an invalid id is refused by name below
  const hold = await new Promise<Hold | undefined>((resolve) =>
    admission.holdPeople(call.who ?? '', app, 1, resolve),
  );
  let made = 0;
  try {
    const room = roomOf(hold);
    const reply = await appNamed<IdentityProtocol>(call, appId).ask('sdk.login', {
      login,
      ...present({ room }),
    });
    const { keylessCreated, ...body } = reply;
    made = keylessCreated;
    return body;
  } finally {
    admission.releasePeople(hold, made);
  }
}
