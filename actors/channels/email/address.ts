// Email addresses. The local part keeps its case for sending, but addresses that differ only by
// case are the same (`ignoresCase` in the catalog).

import { domainToASCII } from 'node:url';
import { type Checked, hasControlCharacter } from '../addresses/address.ts';

/** The longest email address (RFC 5321 4.5.3.1.3 less the angle brackets), in bytes. */
export const emailBytesMax = 254;

/**
 * An email address: a dot-atom, `@`, and a name of at least two labels. The name becomes lower case
 * and punycode; the local part stays. Refuses quoted local parts, address literals and SMTPUTF8:
 * hardly any mailbox has one, and every injection uses one. RFC 5321 4.1.2, 4.5.3.1.
 */
export function emailAddress(raw: string): Checked {
  const problem = 'must be an email address, such as person@example.com';
  if (raw.length > 1024) return { problem };
  const text = plainAddress(raw.trim());
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64) return { problem };
  const local = text.slice(0, at);
  if (!/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/.test(local)) return { problem };
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return { problem };
  const domain = hostName(text.slice(at + 1));
  if (domain === undefined) return { problem };
  const value = `${local}@${domain}`;
  return value.length > emailBytesMax ? { problem } : { value };
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Without what a page or a chat copies with an address, and full-width letters as ASCII. */
function plainAddress(text: string): string {
  // As most are.
  if (/^[\w.+-]+@[\w.-]+$/.test(text)) return text;
  const visible = text
    .replace(invisible, '')
    .replace(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0));
  return visible
    .trim()

    .replace(/^mailto:/i, '');
}

/** A domain of email addresses, as `emailAddress` writes it; a final dot is dropped. */
export function emailDomain(raw: string): Checked {
  const name = hostName(raw.trim().replace(/[.\u3002\uff0e\uff61]$/, ''));
  return name === undefined
    ? { problem: 'must be a domain name, such as example.com' }
    : { value: name };
}

/** The domain of an address that `emailAddress` wrote. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Most domains: `domainToASCII` would return them unchanged. */
const plain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A DNS name of two or more labels in lower case and punycode, or `undefined`. */
function hostName(raw: string): string | undefined {
  if (raw.length <= 253 && plain.test(raw) && !raw.includes('xn--')) return raw;
  if (raw.length > 253 || hasControlCharacter(raw) || /[\s[\]:/\\@%#?]/.test(raw)) return undefined;
  const name = domainToASCII(raw);
  const labels = name.split('.');
  if (name.length > 253 || labels.length < 2) return undefined;
  for (const label of labels) {
    if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) return undefined;
  }
  // A last label of only digits is an IPv4 address in disguise.
  return /^\d+$/.test(labels[labels.length - 1] as string) ? undefined : name;
}
