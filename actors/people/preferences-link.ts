// The link to a person's preferences: app, person, and the address that it was sent to, sealed, so
// that nobody else can read or make one. It works while the master key is configured.

import type { Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { Rng } from '../../engine/base/rng.ts';
import { preferencesPlace, type Sealer } from '../sealer.ts';

export interface PreferencesLink {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
  /** The email address that got it: whoever opens it has read that mail. */
  readonly address?: string;
}

/** `<public URL>/p/<token>`. */
export function preferencesUrl(
  publicUrl: string,
  sealer: Sealer,
  { app, person, address = '' }: PreferencesLink,
  rng: Rng,
): string {
  const sealed = sealer.seal(`${app}|${person}|${address}`, preferencesPlace(), rng);
  return `${publicUrl}/p/${Buffer.from(sealed).toString('base64url')}`;
}

/** The token's content; `undefined` if it is not ours. */
export function openPreferences(sealer: Sealer, token: string): PreferencesLink | undefined {
  try {
    const text = sealer.open(Buffer.from(token, 'base64url'), preferencesPlace());
    const [, app, person, address] = /^(\d+)\|(\d+)\|(.*)$/s.exec(text) ?? [];
    if (address === undefined) return undefined;
    const link = { app: Number(app), person: Number(person) };
    return address === '' ? link : { ...link, address };
  } catch {
    return undefined; // forged, damaged, or sealed under a key that was retired
  }
}
