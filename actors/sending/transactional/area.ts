// Transactional sends: accepting them, reading them, dead letters.

import type { Area } from '../../area.ts';
import type { SendsOrgView, SendsView } from '../outbox/reads.ts';
import { transactionalApplies } from './apply.ts';
import { transactionalDecisions } from './decide.ts';
import { transactionalFacts } from './facts.ts';
import { idempotencyPart, type TransactionalMemory, transactionalOfPartition } from './memory.ts';
import { redriveNote } from './notes.ts';

export const transactionalArea = {
  name: 'transactional',
  partition: transactionalOfPartition,
  parts: [idempotencyPart],
  // Another tenant's send answers as an unknown one.
  unknown: { 'transactional.read': (_message, blind, decide) => decide(blind) },
  decide: () => transactionalDecisions,
  apply: transactionalApplies,
  facts: transactionalFacts,
  silent: ['creation.claimed', 'batch.queued'],
  notesOfCalls: { 'dead_letter.redrive': redriveNote },
  whenDiskIsFull: ['transactional.read', 'send.list', 'dead_letter.list'],
  on: { clockRebased: ({ idempotency }, to) => idempotency.rebase(to) },
} as const satisfies Area<never, TransactionalMemory, SendsView, SendsOrgView>;
