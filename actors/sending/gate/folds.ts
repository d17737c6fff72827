// What folds of campaigns and journeys do to the counts of frequency caps.

import type { GateApp } from './state.ts';

export interface CapsFolds {
  readonly caps: Pick<GateApp['caps'], 'counter'>;
}
