// Domains whose mailboxes anybody gets for minutes and nobody keeps, by the list of the field
// (decision 0040). The package reads its list when it is first asked: 9,000 names, 1 MB a thread.

import { disposableEmailBlocklist } from 'disposable-email-domains-js';

let known: ReadonlySet<string> | undefined;

/** `domain` as `emailAddress` writes it. What is below a name of the list is disposable, too. */
export function isDisposableDomain(domain: string): boolean {
  known ??= new Set(disposableEmailBlocklist());
  if (known.has(domain)) return true;
  let dot = domain.indexOf('.');
  for (let next = domain.indexOf('.', dot + 1); next > 0; next = domain.indexOf('.', dot + 1)) {
    if (known.has(domain.slice(dot + 1))) return true;
    dot = next;
  }
  return false;
}
