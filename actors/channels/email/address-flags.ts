// What may be wrong with an email address that is in the right form. Told to whoever imports it;
// no address is refused for it unless the app says so.

import { isDisposableDomain } from './disposable-domains.ts';
import { misspelledDomain } from './misspelled-domain.ts';
import { isRoleName } from './role-names.ts';

/** In the order that summaries have. */
export const addressFlags = ['typo', 'disposable', 'role'] as const;
export type AddressFlag = (typeof addressFlags)[number];

interface DomainFlag {
  readonly isDisposable: boolean;
  /** Of a misspelled domain. */
  readonly meant?: string;
}

export interface FlaggedAddress {
  readonly flags: readonly AddressFlag[];
  readonly domain: string;
  readonly meant?: string;
}

/** Most imports have the same few hundred domains. */
const domainsKept = 4_096;
let domains = new Map<string, DomainFlag>();

/** `address` in normal form; `undefined` if nothing is to be told. */
export function flaggedAddress(address: string): FlaggedAddress | undefined {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  const { isDisposable, meant } = domainFlag(domain);
  const isRole = isRoleName(address.slice(0, at));
  if (!isDisposable && !isRole && meant === undefined) return undefined;
  const has = { typo: meant !== undefined, disposable: isDisposable, role: isRole };
  const flags = addressFlags.filter((flag) => has[flag]);
  return meant === undefined ? { flags, domain } : { flags, domain, meant };
}

/** `address` in normal form. */
export function isDisposableAddress(address: string): boolean {
  return domainFlag(address.slice(address.lastIndexOf('@') + 1)).isDisposable;
}

function domainFlag(domain: string): DomainFlag {
  let known = domains.get(domain);
  if (known === undefined) {
    const meant = misspelledDomain(domain);
    // Many misspelled domains receive mail for strangers, but whoever wrote one meant another.
    const isDisposable = meant === undefined && isDisposableDomain(domain);
    known = meant === undefined ? { isDisposable } : { isDisposable, meant };
    if (domains.size >= domainsKept) domains = new Map();
    domains.set(domain, known);
  }
  return known;
}
