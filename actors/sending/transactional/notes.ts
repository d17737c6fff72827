// What the audit log notes of redrives: one note for any number of sends.

import type { Entry, Message } from '../../../engine/actor/message.ts';
import type { NoteText } from '../../audit-note.ts';
import type { TransactionalEntry } from './protocol.ts';

export function redriveNote(message: Message, entries: readonly Entry[]): NoteText | undefined {
  if (entries.length === 0) return undefined;
  const { reason, all } = message as Message & { reason?: string; all?: boolean };
  const sends = entries as readonly Extract<TransactionalEntry, { kind: 'send.redriven' }>[];
  const redriven = sends.reduce((sum, { targets }) => sum + targets.length, 0);
  const target = sends.length === 1 ? (sends[0]?.sendId ?? '') : 'dead_letters';
  return { action: 'dead_letters.redriven', target, after: { redriven, reason, all } };
}
