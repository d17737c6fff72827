// Addresses as services with JSON take them in one text. Pure. They encode names themselves.

/** `"Shop, Inc." <a@example.com>`, or the address alone. */
export function namedAddress(name: string | undefined, address: string): string {
  if (name === undefined || name === '') return address;
  return `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;
}

/** Copies that do not repeat the recipient or each other, whatever their case. */
export function copiesOf(mail: {
  readonly to: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
}): { readonly cc: readonly string[]; readonly bcc: readonly string[] } {
  const seen = new Set([mail.to.toLowerCase()]);
  const others = (addresses: readonly string[] = []) =>
    addresses.filter((address) => {
      const lower = address.toLowerCase();
      if (seen.has(lower)) return false;
      seen.add(lower);
      return true;
    });
  return { cc: others(mail.cc), bcc: others(mail.bcc) };
}
