// The host of links in an app's emails: a name below its sender's verified domain that leads to
// this server. Whoever set the domain's DKIM record set this one, too, so it needs no other proof.
// A proof that is lost leaves links at the public address of the server.

import { createHash } from 'node:crypto';
import { domainOf, emailAddress } from '../../channels/email/address.ts';
import { type CredentialMark, credentialMark } from './credential-mark.ts';
import type { TxtAnswer } from './protocol.ts';
import type { EmailDomainRecord, RecordCheck } from './records.ts';

type Checked = Pick<EmailDomainRecord, 'domain' | 'state' | 'check'>;

export function linkHostName(domain: string): string {
  return `links.${domain}`;
}

/** The link host of mails from an address; `undefined`: that of the server. */
export function linkHostOf(
  { emailDomains }: { readonly emailDomains: ReadonlyMap<string, Checked> },
  fromAddress: string | undefined,
): string | undefined {
  if (emailDomains.size === 0 || fromAddress === undefined) return undefined;
  const checked = emailAddress(fromAddress);
  const own = 'value' in checked ? emailDomains.get(domainOf(checked.value)) : undefined;
  return own !== undefined && hasLinkHost(own) ? linkHostName(own.domain) : undefined;
}

export function hasLinkHost({ state, check }: Checked): boolean {
  return state === 'verified' && check?.links?.status === 'found';
}

/** Whether the name leads to this server's `host`. Names are compared without a final dot. */
export function judgeLinkRecord(host: string, answer: TxtAnswer): RecordCheck {
  if (answer.answer === 'failed') {
    const problem = `the DNS gave no answer (${answer.reason}); try again in a minute`;
    return { status: 'unanswered', found: [], problem };
  }
  const found = answer.answer === 'records' ? answer.texts.slice(0, 4) : [];
  if (found.length === 0)
    return { status: 'missing', found, problem: 'there is no CNAME record at this name' };
  return found.some((name) => name.replace(/\.$/, '').toLowerCase() === host)
    ? { status: 'found', found }
    : { status: 'wrong', found, problem: `the CNAME record leads elsewhere; expected ${host}` };
}

/** A DNS outage must not change where links lead. */
export function linkCheckAfter(
  before: RecordCheck | undefined,
  now: RecordCheck,
): RecordCheck | undefined {
  return now.status === 'unanswered' && before?.status === 'found' ? before : now;
}

/** By it a front knows at once that a host is nobody's link host. */
export function linkHostMark(host: string): CredentialMark {
  return credentialMark(linkHostMarkName, linkHostHash(host));
}

export const linkHostMarkName = 'link host';

export function linkHostHash(host: string): Uint8Array {
  return createHash('sha256').update(host).digest();
}
