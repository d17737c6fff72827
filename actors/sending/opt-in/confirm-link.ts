// The link that confirms a sign-up: app, who asked, the mail's number and the address, sealed, so
// that nobody else can read or make one. It works while the master key is configured.

import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { confirmPlace, type Sealer } from '../../sealer.ts';

export interface ConfirmLink {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
  /** Of the mail that it is in (`OptInRow`). */
  readonly number: number;
  readonly identity: string;
}

/** `<public URL>/confirm/<token>`. */
export function confirmUrl(
  publicUrl: string,
  sealer: Sealer,
  { app, person, number, identity }: ConfirmLink,
  rng: Rng,
  language?: string,
): string {
  const sealed = sealer.seal(`${app}|${person}|${number}|${identity}`, confirmPlace(), rng);
  const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`;
  return `${publicUrl}/confirm/${Buffer.from(sealed).toString('base64url')}${query}`;
}

/** The token's content; `undefined` if it is not ours. */
export function openConfirm(sealer: Sealer, token: string): ConfirmLink | undefined {
  try {
    const text = sealer.open(Buffer.from(token, 'base64url'), confirmPlace());
    const [, app, person, number, identity] = /^(\d+)\|(\d+)\|(\d+)\|(.+)$/s.exec(text) ?? [];
    if (identity === undefined) return undefined;
    return { app: Number(app), person: Number(person), number: Number(number), identity };
  } catch {
    return undefined; // forged, damaged, or sealed under a key that was retired
  }
}
