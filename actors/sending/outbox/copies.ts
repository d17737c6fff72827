// The copies of an email (cc and bcc): who gets one, and how many emails a send is with them. Each
// is an email of its own to whoever receives, carries or pays for it.

import { emailAddress } from '../../channels/email/address.ts';
import type { MailParts } from '../../channels/port/attempt.ts';
import { storedIdentity } from '../../people/audience/identity.ts';
import type { Job, Target } from './job.ts';
import type { SendsView } from './reads.ts';
import type { SendContent } from './records.ts';

export type MailCopies = Pick<MailParts, 'cc' | 'bcc'>;

export const noCopies: MailCopies = {};

/**
 * The copies that go with a mail: without who opted out of everything, and without `reached`, which
 * get a mail of their own of the send.
 */
export function copiesFor(
  app: Pick<SendsView, 'suppressions'>,
  { plain, email = plain }: Partial<SendContent>,
  reached: readonly string[],
): MailCopies {
  const { cc, bcc } = email?.mail ?? {};
  if (cc === undefined && bcc === undefined) return noCopies;
  const others = reached.map(isSameAddress);
  const wants = (address: string) => {
    const identity = storedIdentity('email', address);
    if (others.some((isIt) => isIt(address))) return false;
    return identity === undefined || !app.suppressions.has(identity);
  };
  return { ...(cc && { cc: cc.filter(wants) }), ...(bcc && { bcc: bcc.filter(wants) }) };
}

export function copyCount({ cc = [], bcc = [] }: MailCopies): number {
  return cc.length + bcc.length;
}

/** All that a send was given, whoever of them gets it. */
export function copiesGiven({ plain, email = plain }: Partial<SendContent>): number {
  return copyCount(email?.mail ?? noCopies);
}

/** Whether what names `address` is about a copy, and not about the send's own recipient. */
export function isOfCopy(
  { plain, email = plain }: Partial<SendContent>,
  to: string | undefined,
  address: string,
): boolean {
  const isIt = isSameAddress(address);
  if (to !== undefined && isIt(to)) return false;
  const { cc = [], bcc = [] } = email?.mail ?? {};
  return cc.some(isIt) || bcc.some(isIt);
}

/** Of a person with several email addresses one mail takes the copies along. */
export function isCopiedBy({ targets }: Job, mail: Target): boolean {
  return targets.some((one) => one !== mail && one.copies !== undefined);
}

/** Mailboxes that differ only by case are the same. */
function isSameAddress(address: string): (other: string) => boolean {
  const normal = (text: string) => {
    const read = emailAddress(text);
    return ('value' in read ? read.value : text).toLowerCase();
  };
  const wanted = normal(address);
  return (other) => normal(other) === wanted;
}
