// Whether an address is of a domain that its app has proved to be its own, or below one. The lists
// of the field err, and whoever proved a domain knows better.

/** Domains of an app by name, as `emailAddress` writes them. */
export type OwnDomains = ReadonlyMap<string, { readonly state: string }>;

export function isOwnDomain(own: OwnDomains, domain: string): boolean {
  if (own.size === 0) return false;
  for (let at = 0; at >= 0; at = domain.indexOf('.', at + 1))
    if (own.get(domain.slice(at === 0 ? 0 : at + 1))?.state === 'verified') return true;
  return false;
}
