// The unsubscribe link in every email: app and address, sealed, so that nobody else can read or
// make one. It works while the master key is configured.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { type Sealer, unsubscribePlace } from '../../sealer.ts';

interface Unsubscribe {
  readonly app: Ordinal;
  readonly address: string;
}

/** `<public URL>/u/<token>`. */
export function unsubscribeUrl(
  publicUrl: string,
  sealer: Sealer,
  app: Ordinal,
  address: string,
  rng: Rng,
): string {
  const sealed = sealer.seal(`${app}|${address}`, unsubscribePlace(), rng);
  return `${publicUrl}/u/${Buffer.from(sealed).toString('base64url')}`;
}

/** The token's content; `undefined` if it is not ours. */
export function openUnsubscribe(sealer: Sealer, token: string): Unsubscribe | undefined {
  try {
    const text = sealer.open(Buffer.from(token, 'base64url'), unsubscribePlace());
    const bar = text.indexOf('|');
    return { app: Number(text.slice(0, bar)), address: text.slice(bar + 1) };
  } catch {
    return undefined; // forged, damaged, or sealed under a key that was retired
  }
}
