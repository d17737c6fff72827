// The unsubscribe link of an email: app, address and whether the mail is marketing, sealed, so that
// nobody else can read or make one. It works while the master key is configured.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import { type Sealer, unsubscribePlace } from '../../sealer.ts';

interface Unsubscribe {
  readonly app: Ordinal;
  readonly address: string;
  /** False for links of builds that did not note it. */
  readonly isMarketing: boolean;
}

/** `<public URL>/u/<token>`. */
export function unsubscribeUrl(
  publicUrl: string,
  sealer: Sealer,
  app: Ordinal,
  address: string,
  isMarketing: boolean,
  rng: Rng,
): string {
  const sealed = sealer.seal(`${app}${isMarketing ? 'm' : ''}|${address}`, unsubscribePlace(), rng);
  return `${publicUrl}/u/${Buffer.from(sealed).toString('base64url')}`;
}

/** The token's content; `undefined` if it is not ours. */
export function openUnsubscribe(sealer: Sealer, token: string): Unsubscribe | undefined {
  try {
    const text = sealer.open(Buffer.from(token, 'base64url'), unsubscribePlace());
    const bar = text.indexOf('|');
    const isMarketing = text[bar - 1] === 'm';
    const app = Number(text.slice(0, isMarketing ? bar - 1 : bar));
    return { app, address: text.slice(bar + 1), isMarketing };
  } catch {
    return undefined; // forged, damaged, or sealed under a key that was retired
  }
}
