// What memory holds of an app's customer-data platform: its write keys.

import type { NewApp, Slice } from '../../area.ts';
import type { WriteKeys } from './protocol.ts';

export interface CdpApp {
  /** `null` without that integration. */
  writeKeys: WriteKeys | null;
}

export const cdpOfApp: Slice<CdpApp, CdpApp, NewApp> = {
  make: () => ({ writeKeys: null }),
  snapshot: ({ writeKeys }) => ({ writeKeys }),
  restore: ({ writeKeys }) => ({ writeKeys }),
};
