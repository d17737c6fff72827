// What routes of another service's form share: the app that a call means, and the person.

import { z } from 'zod';
import type { CdpProtocol } from '../../actors/events/cdp/protocol.ts';
import type {
  AudienceProtocol,
  Consent,
  SubscriberView,
} from '../../actors/people/audience/protocol.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';
import { basicOf } from '../call/admission/authenticate.ts';
import type { Call } from '../call/call.ts';
import { appIdInput } from '../routes/named-app.ts';

/** With a Bearer key of an org, the app stands in the query. */
export const appQuery = z.object({ appId: appIdInput });

/** The username of Basic, the query, or the key's own app. Throws a fault on `appId`. */
export function appIdOf(call: Call<z.output<typeof appQuery>>): string {
  const { name, password } = basicOf(call.header('authorization') ?? '');
  const shown = password === '' ? '' : name;
  const id = call.query.appId ?? (shown || call.grant?.appId);
  if (id === undefined || id === null || id === '')
    throw new FaultError(
      fieldFault('appId', 'expected the app id as the site id (the username of Basic)'),
    );
  return id;
}

/** `undefined` for nobody. */
export async function subscriberNamed(
  call: Call,
  appId: string,
  externalUserId: string,
): Promise<SubscriberView | undefined> {
  try {
    return await call
      .to<AudienceProtocol>(call.app(appId))
      .ask('subscriber.read', { ref: { externalUserId } });
  } catch (error) {
    const isUnknown = error instanceof FaultError && error.fault.code === 'not_found';
    // The app itself may be the one that is not found.
    if (isUnknown && !/\bapp\b/.test(error.fault.message)) return undefined;
    throw error;
  }
}

/** What people of other services' calls have agreed to, as the app's platform says. */
export async function consentOf(call: Call, appId: string): Promise<Consent> {
  const [cdp] = await call.to<CdpProtocol>(call.app(appId)).ask('integration.list', {});
  return cdp?.consent ?? 'confirmed';
}
