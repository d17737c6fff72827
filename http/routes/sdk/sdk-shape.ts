// What the calls of keyless clients have in common: the app in the body, the client token, and what
// they may be refused for.

import { z } from 'zod';
import { clientTokenOf } from '../../../actors/people/identity/client-token.ts';
import type { ReplyOf } from '../../../engine/actor/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { bearer } from '../../authenticate.ts';
import type { Call, Protocol } from '../../call.ts';
import { namedBy } from '../../errors.ts';
import { exampleIds } from '../../example-ids.ts';

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
export async function askApp<K extends keyof Protocol & string>(
  call: Call<unknown, unknown>,
  appId: string,
  kind: K,
  body: Omit<Protocol[K]['body'], 'by'>,
): Promise<ReplyOf<Protocol, K>> {
  try {
    return await call.ask(call.app(appId), kind, body, { lane: 'bulk' });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    throw new FaultError(namedBy('appId', 'app', error.fault));
  }
}

/** The person whom the call's `Authorization: Bearer <clientToken>` names. Throws a fault. */
export async function personOfToken(
  call: Call<unknown, unknown>,
  appId: string,
): Promise<ReplyOf<Protocol, 'sdk.person'>> {
  const clientToken = bearer(call.header('authorization') ?? '');
  return askApp(call, appId, 'sdk.person', { clientToken });
}
