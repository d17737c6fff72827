// The idempotency keys of a partition.

import type { Part, Slice } from '../../area.ts';
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
