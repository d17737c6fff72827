// A mail as JSON. With files it is held as bytes: as text it has two bytes a character as soon as a
// name or a subject is not Latin, and a call turns it into bytes anyway. Pure.

import type { Mail } from '../email/mime.ts';

export function hasFiles({ attachments = [] }: Pick<Mail, 'attachments'>): boolean {
  return attachments.length > 0;
}

export function jsonBody(mail: Pick<Mail, 'attachments'>, message: object): string | Uint8Array {
  const json = JSON.stringify(message);
  return hasFiles(mail) ? Buffer.from(json) : json;
}

/** The body of a call: one mail, or a list of those without files. */
export function bodyOfCall(
  items: readonly { readonly json: string | Uint8Array }[],
): string | Uint8Array {
  const [only] = items;
  if (items.length === 1 && only !== undefined) return only.json;
  return `[${items.map(({ json }) => json).join(',')}]`;
}
