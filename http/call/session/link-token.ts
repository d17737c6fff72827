// The token of a sign-in link: 43 characters, of which the first two name the org's slot. It stands
// in the fragment of a URL, which no log and no referrer has.

import { createHash, randomBytes } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const linkTokenForm = /^[A-Za-z0-9_-]{43}$/;

/** `hash` is what is stored. */
export function makeLinkToken(slot: number): { readonly text: string; readonly hash: string } {
  const place = `${alphabet[slot >> 6]}${alphabet[slot & 63]}`;
  const text = `${place}${randomBytes(32).toString('base64url').slice(2)}`;
  return { text, hash: hashOfLink(text) };
}

export function hashOfLink(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function slotOfLink(text: string): number {
  return alphabet.indexOf(text.charAt(0)) * 64 + alphabet.indexOf(text.charAt(1));
}

export function linkUrl(publicUrl: string, way: 'link' | 'once', token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/dashboard#${way}=${token}`;
}
