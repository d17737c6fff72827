// Which address an app's emails come from, and whose key signs them. A tenant may use an address of
// a domain that it proved or the operator vouches for, exactly that domain: a zone below may belong
// to someone else. Without an address of its own it writes from the platform's domain, under a name
// made of its app's ordinal, which no other app can have.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { domainOf, emailAddress } from '../../channels/email/address.ts';
import type { AppSettings, EmailDomainRecord } from './records.ts';

/** The operator's settings about senders. */
export interface SenderRules {
  /** Whether an address needs a proven domain: in live mode, unless the operator turned it off. */
  readonly proofRequired: boolean;
  /** Domains that every app of this server may use; `*` is any. */
  readonly vouched: readonly string[];
  /** Every app has one address of this domain. */
  readonly platformDomain?: string;
  /** The sender of the platform's own mails: no tenant can choose it. */
  readonly platformSender?: string;
}

/** Those of the sandbox, whose mail stays on the machine. */
export const sandboxSenders: SenderRules = {
  proofRequired: false,
  vouched: [],
  platformDomain: 'sandbox.example',
};

type Sender =
  /** `key`: the domain's own, or the platform's; absent: unsigned. */
  | {
      readonly state: 'allowed';
      readonly address: string;
      readonly key?: 'platform' | EmailDomainRecord;
    }
  /** Nobody proved the domain. */
  | { readonly state: 'unproven'; readonly domain: string }
  /** The app has no address, and the server no platform domain. */
  | { readonly state: 'none' };

/** What decides about an app's sender. */
export interface AppWithSender {
  readonly record: { readonly ordinal: Ordinal };
  readonly settings: Pick<AppSettings, 'email'>;
  readonly emailDomains: ReadonlyMap<string, EmailDomainRecord>;
  /** Domains that the operator vouches for in the app's org. */
  readonly vouchedDomains: readonly string[];
}

/** The sender of an app's emails now. */
export function senderOf(app: AppWithSender, rules: SenderRules): Sender {
  const { fromAddress } = app.settings.email;
  if (fromAddress !== undefined) return senderWith(app, fromAddress, rules);
  const address = platformAddress(app.record.ordinal, rules.platformDomain);
  return address === undefined ? { state: 'none' } : { state: 'allowed', address, key: 'platform' };
}

/** The same if `fromAddress`, a valid address, were its setting. */
export function senderWith(app: AppWithSender, fromAddress: string, rules: SenderRules): Sender {
  const checked = emailAddress(fromAddress);
  if ('problem' in checked) return { state: 'none' };
  const address = checked.value;
  const { platformDomain } = rules;
  if (address.toLowerCase() === platformAddress(app.record.ordinal, platformDomain))
    return { state: 'allowed', address, key: 'platform' };
  const domain = domainOf(address);
  const own = app.emailDomains.get(domain);
  if (own?.state === 'verified') return { state: 'allowed', address, key: own };
  if (isVouched(app, domain, rules))
    return domain === platformDomain
      ? { state: 'allowed', address, key: 'platform' }
      : { state: 'allowed', address };
  return rules.proofRequired ? { state: 'unproven', domain } : { state: 'allowed', address };
}

/** Whether the operator allows a domain without proof. */
export function isVouched(
  { vouchedDomains }: Pick<AppWithSender, 'vouchedDomains'>,
  domain: string,
  { vouched }: SenderRules,
): boolean {
  return vouched.includes(domain) || vouched.includes('*') || vouchedDomains.includes(domain);
}

/** An app's address in the platform's domain: its ordinal, which no other app ever has. */
export function platformAddress(app: Ordinal, domain: string | undefined): string | undefined {
  return domain === undefined ? undefined : `app-${(app >>> 0).toString(36)}@${domain}`;
}
