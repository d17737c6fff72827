// What the calls of keyless clients have in common: the app in the body, the client token, and what
// they may be refused for.

import { z } from 'zod';
import { clientTokenOf } from '../../../actors/people/identity/client-token.ts';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import type { ProtocolShape, ReplyOf } from '../../../engine/actor/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { bearer } from '../../authenticate.ts';
import type { Actor, Call } from '../../call.ts';
import { namedBy } from '../../errors.ts';
import { exampleIds } from '../../example-ids.ts';
import { anybody } from '../../route.ts';

/** Every call of a client: without a key, under the ceiling of its address. */
export const sdkCall = { tag: 'SDK', access: anybody, lane: 'address' } as const;

/** A token of the right form, of no app's key. */
export const exampleClientToken = clientTokenOf(new Uint8Array(32), exampleIds.subscriber);

/** The app that a body names. */
export const appIdSchema = z.string().max(64).describe('App id.');

/** Whatever its form: a text that is no token is refused like a forged one. */
export const clientTokenSchema = z
  .string()
  .max(256)
  .describe('The client token from `POST /v1/sdk/subscriber`; identifies the person.');

/**
 * What every call may be refused with, beside what follows from its body: an unknown app, a fault
 * inside, no room.
 */
export const sdkRefusals = [404, 500, 503] as const;

/**
 * Asks the app that a body or query names. Public calls wait behind what tenants send, so that a
 * crowd of clients does not hold that up. An unknown app is refused by the name of the member.
 */
export function appNamed<P extends ProtocolShape<P> = never>(
  call: Call<unknown, unknown>,
  appId: string,
): Actor<P> {
  return {
    async ask(kind, body) {
      try {
        return await call.to<P>(call.app(appId)).ask(kind, body, { lane: 'bulk' });
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        throw new FaultError(namedBy('appId', 'app', error.fault));
      }
    },
  };
}

/** The person whom the call's `Authorization: Bearer <clientToken>` names. Throws a fault. */
export async function personOfToken(
  call: Call<unknown, unknown>,
  appId: string,
): Promise<ReplyOf<IdentityProtocol, 'sdk.person'>> {
  const clientToken = bearer(call.header('authorization') ?? '');
  return appNamed<IdentityProtocol>(call, appId).ask('sdk.person', { clientToken });
}
