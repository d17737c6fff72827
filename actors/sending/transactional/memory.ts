// The idempotency keys of a partition; and what transactional sends see of its memory.

import type { Part, Slice } from '../../area.ts';
import type { SendsMemory } from '../outbox/reads.ts';
import { IdempotencyKeys } from './idempotency.ts';

export interface TransactionalPartition {
  idempotency: IdempotencyKeys;
}

export const transactionalOfPartition: Slice<TransactionalPartition, object, object> = {
  make: () => ({ idempotency: new IdempotencyKeys() }),
  snapshot: () => ({}),
  restore: () => ({ idempotency: new IdempotencyKeys() }),
};

export const idempotencyPart: Part<TransactionalPartition> = {
  name: 'idempotency',
  snapshot: ({ idempotency }) => idempotency.snapshot(),
  restore: (state, value) => {
    state.idempotency = IdempotencyKeys.restore(value);
  },
};

export type TransactionalMemory = SendsMemory & TransactionalPartition;
