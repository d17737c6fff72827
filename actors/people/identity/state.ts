// What memory holds of the keys that prove who a person is.

import type { NewApp, Slice } from '../../area.ts';
import { type IdentityKeys, noIdentityKeys } from '../identity-keys.ts';

export interface IdentityApp {
  identity: IdentityKeys;
}

export const identityOfApp: Slice<IdentityApp, IdentityApp, NewApp> = {
  make: () => ({ identity: noIdentityKeys }),
  snapshot: ({ identity }) => ({ identity }),
  restore: ({ identity }) => ({ identity }),
};
