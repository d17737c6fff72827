// The question about mailbox providers, and the entry that counts mails.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import type { Stream } from '../../channels/port/open-relay.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { MailFact, MailReason, Sender, WayCounts } from './figures.ts';

/** Days of figures that are kept. */
export const mailDaysMax = 90;

/** A number for each day of the answer. */
export type DailyCounts = Readonly<Record<MailFact, readonly number[]>>;

export interface MailboxProviders {
  /** Days since the epoch in the app's time zone, one after the other; the last is today. */
  readonly days: readonly number[];
  readonly providers: readonly {
    readonly group: MailboxGroup;
    readonly counts: DailyCounts;
    /** The most frequent first. */
    readonly reasons: readonly (Omit<MailReason, 'group'> & { readonly lastAtMs: Millis })[];
  }[];
  /** The 20 with the most mails; the others together, without a domain. */
  readonly domains: readonly { readonly domain: string | null; readonly counts: DailyCounts }[];
  readonly relays: readonly { readonly relay: string | null; readonly counts: DailyCounts }[];
}

export interface MailboxesProtocol {
  /** `days`: including today, at most 90; `domain` and `relay`: only mails of these. */
  'mailboxes.read': {
    body: Caller & { days: number; domain?: string; relay?: string };
    reply: MailboxProviders;
  };
}

export type MailboxesEntry = Entry & {
  readonly kind: 'mail.counted';
  readonly atMs: Millis;
  /** Days since the epoch, in the app's time zone of then. */
  readonly day: number;
  readonly ways: readonly WayCounts[];
  readonly reasons?: readonly MailReason[];
  /** Domains of recipients by a hash, whose provider their mail exchangers told. */
  readonly hosted?: readonly (readonly [hash: number, group: MailboxGroup])[];
  /** Where another sender or relay than before has the newest mail. */
  readonly senders?: readonly (readonly [Stream, Sender])[];
};
