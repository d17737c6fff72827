// Emails of a sender domain that warms up: what an entry begins, and what a dry run has placed.

import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';

/** Emails that an entry begins, of a domain that is warming up. */
export interface WarmedMails {
  readonly domain: string;
  readonly mails: number;
  /** Only if a provider has a number of its own today. */
  readonly byProvider?: readonly (readonly [MailboxGroup, number])[];
}

/** What a dry run has placed on the days from today on; it travels from slice to slice. */
export interface WarmUpPlaced {
  readonly domain: string;
  readonly mails: readonly number[];
  readonly byProvider: readonly (readonly (readonly [MailboxGroup, number])[])[];
}
