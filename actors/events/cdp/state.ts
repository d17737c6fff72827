// An app's write keys for its customer-data platform.

import type { NewApp, Slice } from '../../area.ts';
import type { WriteKeys } from './protocol.ts';

export interface CdpApp {
  writeKeys: WriteKeys | null;
}

export const cdpOfApp: Slice<CdpApp, CdpApp, NewApp> = {
  make: () => ({ writeKeys: null }),
  snapshot: ({ writeKeys }) => ({ writeKeys }),
  restore: ({ writeKeys }) => ({ writeKeys }),
};
