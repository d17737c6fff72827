// What the calls of keyless clients share: the app in the body, the client token, and the refusals.

import { z } from 'zod';
import { fault } from '../../../actors/faults.ts';
import { clientTokenOf } from '../../../actors/people/identity/client-token.ts';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import type { ProtocolShape, ReplyOf } from '../../../engine/actor/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { bearer } from '../../call/admission/authenticate.ts';
import { namedBy } from '../../call/answer/errors.ts';
import type { Actor, Call } from '../../call/call.ts';
import { anybody } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';

/** Without a key, under the limit per address. */
export const sdkCall = { tag: 'SDK', access: anybody, lane: 'address' } as const;

/** A token of the right form that no app's key signed. */
export const exampleClientToken = clientTokenOf(new Uint8Array(32), {
  subscriberId: exampleIds.subscriber,
  session: { generation: 0, number: 0, proof: 0 },
});

export const appIdSchema = z.string().max(64).describe('App id.');

/** Any form is accepted: an invalid token gets the same refusal as a forged one. */
export const clientTokenSchema = z
  .string()
  .max(256)
  .describe('The client token from `POST /v1/sdk/subscriber`; identifies the person.');

/** Beside those that follow from the body: unknown app, internal fault, no room. */
export const sdkRefusals = [404, 500, 503] as const;

/**
 * Charges the body to the address. An unknown app is refused by its field. Runs after tenants'
 * sends, so as not to delay them.
 */
export function appNamed<P extends ProtocolShape<P> = never>(
  call: Call<unknown, unknown>,
  appId: string,
): Actor<P> {
  const { admission } = call.edge;
  return {
    async ask(kind, body) {
      try {
        const app = call.app(appId);
        const refusal = admission.keylessBytes(call.who ?? '', app, call.bytes.byteLength);
        if (refusal !== undefined) throw new FaultError(refusal);
        return await call.to<P>(app).ask(kind, body, { lane: 'bulk' });
      } catch (error) {
        if (!(error instanceof FaultError)) throw error;
        throw new FaultError(namedBy('appId', 'app', error.fault));
      }
    },
  };
}

export const noClientToken = fault(
  'invalid_client_token',
  'clientToken: is missing; send it as `Authorization: Bearer <client token>`',
  { field: 'clientToken' },
);

/** From `Authorization: Bearer <clientToken>`. Throws a fault. */
export async function personOfToken(
  call: Call<unknown, unknown>,
  appId: string,
): Promise<ReplyOf<IdentityProtocol, 'sdk.person'>> {
  const clientToken = bearer(call.header('authorization') ?? '');
  if (clientToken === '') throw new FaultError(noClientToken);
  return appNamed<IdentityProtocol>(call, appId).ask('sdk.person', { clientToken });
}
