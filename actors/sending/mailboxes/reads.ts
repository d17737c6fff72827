// What other areas read of figures of mails: whose mailbox an address has, as far as it is known.

import { hash32 } from '../../../engine/base/hash.ts';
import { domainOf } from '../../channels/email/address.ts';
import { type MailboxGroup, mailboxGroupOf } from '../../channels/email/mailbox-groups.ts';
import type { MailDays } from './mail-days.ts';

export interface MailboxesReads {
  readonly mailboxes: Pick<MailDays, 'groupOfHosted' | 'senderOf'>;
}

/** The domain of an app's sender; empty for the server's own. */
export function senderDomain({ fromAddress = '' }: { readonly fromAddress?: string }): string {
  return domainOf(fromAddress).toLowerCase();
}

/** By an address in its stored form. */
export function groupOfAddress({ mailboxes }: MailboxesReads, address: string): MailboxGroup {
  const domain = domainOf(address).toLowerCase();
  const group = mailboxGroupOf(domain);
  if (group !== 'others') return group;
  return mailboxes.groupOfHosted(hash32(domain)) ?? 'others';
}
