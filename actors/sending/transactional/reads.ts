// What Live Activities, whose pushes have idempotency keys too, read of those in use.

import type { SendsMemory } from '../outbox/reads.ts';
import type { IdempotencyKeys } from './idempotency.ts';

export type KeyedSendsMemory = SendsMemory & {
  readonly idempotency: Pick<IdempotencyKeys, 'find' | 'isFull'>;
};
