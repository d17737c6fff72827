// What other areas read of sends.

import type { Outbox } from './outbox.ts';

export interface SendsReads {
  readonly outbox: Pick<Outbox, 'begunOf' | 'channels' | 'health' | 'jobs' | 'of' | 'openOn'>;
}
