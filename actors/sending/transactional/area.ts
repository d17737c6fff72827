// Transactional sends: accepting them, reading them, dead letters.

import type { Entry, Message } from '../../../engine/actor/message.ts';
import type { Area } from '../../area.ts';
import type { NoteText } from '../../audit-note.ts';
import type { SendsOrgView, SendsView } from '../outbox/reads.ts';
import { transactionalApplies } from './apply.ts';
import { transactionalDecisions } from './decide.ts';
import { transactionalFacts } from './facts.ts';
import { idempotencyPart, type TransactionalMemory, transactionalOfPartition } from './memory.ts';
import type { TransactionalEntry } from './protocol.ts';

/** What the audit log notes of redrives: one note for any number of sends. */
function redriveNote(message: Message, entries: readonly Entry[]): NoteText | undefined {
  if (entries.length === 0) return undefined;
  const { reason, all } = message as Message & { reason?: string; all?: boolean };
  const sends = entries as readonly Extract<TransactionalEntry, { kind: 'send.redriven' }>[];
  const redriven = sends.reduce((sum, { targets }) => sum + targets.length, 0);
  const target = sends.length === 1 ? (sends[0]?.sendId ?? '') : 'dead_letters';
  return { action: 'dead_letters.redriven', target, after: { redriven, reason, all } };
}

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
