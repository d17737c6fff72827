// An app's write keys for its customer-data platform; and what customer-data platforms see of a
// partition's memory.

import type { Aged, AppsOf, NewApp, Slice } from '../../area.ts';
import type { EventsView } from '../memory.ts';
import type { SeenEventIds, SeenEventIdsFolds } from '../reads.ts';
import type { WriteKeys } from './protocol.ts';

export interface CdpApp {
  writeKeys: WriteKeys | null;
}

export const cdpOfApp: Slice<CdpApp, CdpApp, NewApp> = {
  make: () => ({ writeKeys: null }),
  snapshot: ({ writeKeys }) => ({ writeKeys }),
  restore: ({ writeKeys }) => ({ writeKeys }),
};

export type CdpView = CdpApp & EventsView;

export type CdpMemory = AppsOf<CdpView> & SeenEventIds & SeenEventIdsFolds & Aged;
