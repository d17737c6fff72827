// What other areas read of the counts of frequency caps.

import type { GateApp } from './state.ts';

export interface GateReads {
  readonly caps: Pick<GateApp['caps'], 'isReached'>;
}
