// What transactional sends see of a partition's memory.

import type { SendsMemory } from '../outbox/view.ts';
import type { TransactionalPartition } from './state.ts';

export type TransactionalMemory = SendsMemory & TransactionalPartition;
