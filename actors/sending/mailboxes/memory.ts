// Figures of mails in memory, and what this area sees of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { MailDays, type MailDaysSnapshot } from './mail-days.ts';

export interface MailboxesApp {
  readonly mailboxes: MailDays;
}

/** Absent in checkpoints of earlier builds. */
type Snapshot = { readonly mailboxes?: MailDaysSnapshot };

export const mailboxesOfApp: Slice<MailboxesApp, Snapshot, NewApp> = {
  make: () => ({ mailboxes: new MailDays() }),
  snapshot: ({ mailboxes }) => ({ mailboxes: mailboxes.snapshot() }),
  restore: ({ mailboxes }) => ({
    mailboxes: mailboxes === undefined ? new MailDays() : MailDays.restore(mailboxes),
  }),
};

export type MailboxesView = MailboxesApp & AccountsReads;

export type MailboxesMemory = AppsOf<MailboxesView>;
