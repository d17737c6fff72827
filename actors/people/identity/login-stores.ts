// What a login stores: it adds a person unless it names one.

import type { Message } from '../../../engine/actor/message.ts';
import type { IdentityView } from './memory.ts';
import type { Login } from './protocol.ts';

export function loginStores(
  { login }: Message & { readonly login?: Login },
  app: IdentityView,
): 'adds_unproven' | undefined {
  const { clientToken, externalUserId } = login ?? {};
  if (clientToken !== undefined) return undefined;
  const isKnown = externalUserId !== undefined && app.people.find(externalUserId) !== undefined;
  return isKnown ? undefined : 'adds_unproven';
}
