// What became of mails, in numbers: by the provider of the mailbox, the domain of the sender and
// the relay. Each number only grows, so sums of any parts add up.

import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';

export const mailFacts = [
  /** Handed over, or refused for good: the whole of which the others are parts. */
  'sent',
  /** By its server's or its service's word. A bounce that comes later does not take it back. */
  'delivered',
  /** Tries that the other side asked to repeat later; one mail may have several. */
  'deferred',
  /** There is no such mailbox. */
  'bouncedHard',
  /** Given up or refused for another reason. */
  'bouncedSoft',
  'complained',
  /** By people, once an hour and mail. */
  'opened',
  'openedByMachines',
  /** By people, once an hour and link. */
  'clicked',
  'clickedByMachines',
] as const;
export type MailFact = (typeof mailFacts)[number];

type MailCounts = Readonly<Partial<Record<MailFact, number>>>;

/** The provider that a mail went to, the domain that sent it, and the relay that carried it. */
export interface MailWay {
  readonly group: MailboxGroup;
  /** The sender's domain; empty for the server's own sender. */
  readonly domain: string;
  /** `rel_…` or `server`. */
  readonly relay: string;
}

/** Who sends an app's mails, and by which way. */
export type Sender = Pick<MailWay, 'domain' | 'relay'>;

export type WayCounts = readonly [...way: readonly [MailboxGroup, string, string], MailCounts];

export const reasonFacts = ['deferred', 'bouncedHard', 'bouncedSoft'] as const;

/** Why a provider did not take mails, with its newest words. */
export interface MailReason {
  readonly group: MailboxGroup;
  readonly fact: (typeof reasonFacts)[number];
  readonly reason: string;
  readonly detail?: string;
  readonly count: number;
}
