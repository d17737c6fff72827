// An app's write keys for its customer-data platform.

import type { AppBorn, Slice } from '../../area.ts';
import type { WriteKeys } from './protocol.ts';

export interface CdpApp {
  writeKeys: WriteKeys | null;
}

export const cdpOfApp: Slice<CdpApp, CdpApp, AppBorn> = {
  make: () => ({ writeKeys: null }),
  snapshot: ({ writeKeys }) => ({ writeKeys }),
  restore: ({ writeKeys }) => ({ writeKeys }),
};
