// Logs a client in: as a new anonymous person, a known anonymous one, or by the tenant's user id.
// Every response has a client token.

import { z } from 'zod';
import type {
  IdentityProtocol,
  Login,
  LoginClaim,
} from '../../../actors/people/identity/protocol.ts';
import type { ReplyOf } from '../../../engine/actor/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { withRoom } from '../../call/admission/held-room.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { chooseKey } from '../../call/idempotency.ts';
import { makeTokenKey } from '../../call/keys/identity-keys.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { externalUserIdSchema, zoneSchema } from '../../call/schemas/schemas.ts';
import { claimOfCall, replayHeaders, sentObject } from '../notifications/accepted.ts';
import { languageSchema } from '../preferences-shape.ts';
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
    language: languageSchema
      .nullish()
      .describe(
        'Stored as the tag `language`, as sent. Any usual spelling will do, such as `zh-Hant-TW`, `in_ID` or `zh_TW_#Hant` of Java.',
      ),
    idempotencyKey: z
      .string()
      .nullish()
      .describe('Same as the Idempotency-Key header: a secret of 32 to 255 random characters.'),
  })
  .meta({
    examples: [
      { appId: exampleIds.app, timezone: 'Asia/Bangkok', language: 'th' },
      {
        appId: exampleIds.app,
        externalUserId: 'customer-42',
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
  summary: 'Identify a subscriber',
  description:
    "Without `externalUserId`: returns the person of the `clientToken`, or a new anonymous person. With it: returns the person with that id. What the client must prove depends on the app's setting `identityVerification`. `required`: always an `identityHash`. `first-use`: nothing for an id that nobody has claimed and no call with a key has created or changed; otherwise an `identityHash` or the person's `clientToken`. `open`: nothing, so anyone who knows an id gets what is sent to that person, transactional messages included. Missing proof or a wrong hash is a 403 `identity_required`. With the `clientToken` of an anonymous person, that person is merged into the known one: devices, events and tags that the known person lacks move over, and the old id keeps working. Such a login returns a new token and ends the old one, because it may have been planted. The first login with an `identityHash` also ends the tokens of anyone who claimed the id without one. The token of a person with another id is a 409. An invalid token is a 401: discard it and log in without it. Keep the token: all other client calls need it. Each login is a `session` event. To survive a lost answer, send an `Idempotency-Key` with each login: for 24 hours the same key and body get the same answer, another body is a 409. Anyone who knows the key and the body gets the token, so the key is a secret: make it for this login from at least 120 random bits, such as `crypto.randomUUID()`, never from an id or a counter; store it with the body before you send, repeat both until an answer comes, then delete them. A 401 on `idempotencyKey` says that the session has ended since: log in with another key. New people without an `identityHash` are limited per minute, by address and by app; above the limit a login that would create one is a 429.",
  ...sdkCall,
  changes: ['subscriber', 'device', 'tag-name'],
  body: loginBody,
  requestHeaders: {
    'Idempotency-Key':
      'Makes a retry safe for 24 hours. A secret of 32 to 255 random characters, such as a random UUID. Same as `idempotencyKey` in the body.',
  },
  responses: {
    200: {
      description: 'The person the client is logged in as.',
      schema: loginSchema,
      headers: replayHeaders,
    },
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
    const { replayed, ...body } = await logIn(call, appId, login, claimOfLogin(call, appId));
    const headers = replayed ? ([['x-idempotent-replay', 'true']] as const) : [];
    return { status: 200, body, headers };
  },
});

/** Fewer different ones are no random characters. */
const charactersMin = 6;

/** The call's claim; `null` without a key. Throws a fault for a key that could be guessed. */
function claimOfLogin(call: Call<unknown, unknown>, appId: string): LoginClaim | null {
  const key = chooseKey(call.header('idempotency-key'), sentObject(call)['idempotencyKey']);
  if (key === undefined) return null;
  if (key.length < 32 || new Set(key).size < charactersMin)
    throw new FaultError(
      fieldFault(
        'idempotencyKey',
        'expected 32 to 255 random characters: the key of a login is a secret, because it gets the token again',
      ),
    );
  return claimOfCall(call, parseId('app', appId)?.ordinal ?? 0, 'sdk/subscriber');
}

/** Holds room for one new person under the caller's address; used only if one was created. */
async function logIn(
  call: Call<unknown, unknown>,
  appId: string,
  login: Login,
  claim: LoginClaim | null,
): Promise<Omit<ReplyOf<IdentityProtocol, 'sdk.login'>, 'keylessCreated'>> {
  const app = parseId('app', appId)?.ordinal ?? 0; // an invalid id is refused by name below
  const identity = appNamed<IdentityProtocol>(call, appId);
  const asked = { login, claim };
  const { keylessCreated: _made, ...body } = await withRoom(call, app, { people: 1 }, ({ room }) =>
    identity.ask('sdk.login', { ...asked, ...present({ room }) }),
  );
  return body;
}
