// An app's identity keys in memory.

import type { AppBorn, Slice } from '../../area.ts';
import { type IdentityKeys, noIdentityKeys } from '../identity-keys.ts';

export interface IdentityApp {
  identity: IdentityKeys;
}

export const identityOfApp: Slice<IdentityApp, IdentityApp, AppBorn> = {
  make: () => ({ identity: noIdentityKeys }),
  snapshot: ({ identity }) => ({ identity }),
  restore: ({ identity }) => ({ identity }),
};
