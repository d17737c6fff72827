// An app's identity keys in memory.

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
