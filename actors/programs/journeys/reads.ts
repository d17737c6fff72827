// What other areas read of journeys.

import type { JourneysApp } from './memory.ts';

export interface JourneysReads {
  readonly journeys: Pick<JourneysApp['journeys'], 'all' | 'get' | 'stepOfSend'>;
}
