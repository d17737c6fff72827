// What mailbox providers do with an app's mails, in numbers. Counts alone: no person and no address
// is in them, so an erasure changes nothing.

import type { Area } from '../../area.ts';
import { mailboxesApplies } from './apply.ts';
import { mailboxesDecisions } from './decide.ts';
import { type MailboxesMemory, type MailboxesView, mailboxesOfApp } from './memory.ts';

export const mailboxesArea = {
  name: 'mailboxes',
  app: mailboxesOfApp,
  decide: () => mailboxesDecisions,
  apply: mailboxesApplies,
  silent: ['mail.counted'],
  whenDiskIsFull: ['mailboxes.read'],
  on: {
    clockRebased: ({ apps }, to) => {
      for (const { mailboxes } of apps.values()) mailboxes.rebase(to);
    },
  },
} as const satisfies Area<never, MailboxesMemory, MailboxesView, object>;
