// A mail as JSON, encoded once: as text it would have two bytes a character as soon as a name or a
// subject is not Latin, and a call turns it into bytes anyway. Pure.

import type { Mail } from '../email/mime.ts';

export function hasFiles({ attachments = [] }: Pick<Mail, 'attachments'>): boolean {
  return attachments.length > 0;
}

export function jsonBody(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}

const [opened, comma, closed] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** The body of a call: one mail, or a list of those without files. */
export function bodyOfCall(items: readonly { readonly json: Buffer }[]): Buffer {
  const [only] = items;
  if (items.length === 1 && only !== undefined) return only.json;
  const pieces = items.flatMap(({ json }) => [comma, json]);
  return Buffer.concat([opened, ...pieces.slice(1), closed]);
}
