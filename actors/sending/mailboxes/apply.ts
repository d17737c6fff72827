// Folds figures of mails.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { MailboxesMemory } from './memory.ts';
import type { MailboxesEntry } from './protocol.ts';

export const mailboxesApplies: Applies<MailboxesEntry, MailboxesMemory> = {
  'mail.counted': (state, entry) => state.apps.get(entry.owner)?.mailboxes.fold(entry),
};
