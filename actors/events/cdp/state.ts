// What memory holds of an app's customer-data platform: its write keys.

import type { AppBorn, Slice } from '../../area.ts';
import type { WriteKeys } from './protocol.ts';

export interface CdpApp {
  /** `null` without that integration. */
  writeKeys: WriteKeys | null;
}

export const cdpOfApp: Slice<CdpApp, CdpApp, AppBorn> = {
  make: () => ({ writeKeys: null }),
  snapshot: ({ writeKeys }) => ({ writeKeys }),
  restore: ({ writeKeys }) => ({ writeKeys }),
};
