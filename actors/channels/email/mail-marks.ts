// What makes a mail traceable: the address for bounces, the address for opt-outs by mail, the open
// pixel, and tracked links. Pure. A preview has marks that lead nowhere, so that it shows what
// would be sent.

import type { Attempt } from '../attempt.ts';
import type { MailMac } from './mail-mac.ts';
import { returnAddresses } from './return-path.ts';
import { tokenWriter } from './tracked-token.ts';

/** Of one mail; absent marks are not in it. */
export interface MailMarks {
  /** The envelope sender. */
  readonly returnPath?: string;
  /** For `mailto:` in List-Unsubscribe. */
  readonly unsubscribeAddress?: string;
  /** The pixel's URL. */
  readonly openUrl?: string;
  /** The tracked form of a link to this URL. */
  clickUrl?(url: string): string;
}

interface MailSigning {
  /** The first of the keys. */
  readonly mac: MailMac;
  readonly bounceDomain: string | undefined;
  readonly publicUrl: string;
}

const none: MailMarks = {};

/** The marks of a send; none for an attempt without a person. */
export function marksOf(
  { sendId, deviceId, email }: Attempt,
  signing: MailSigning | undefined,
): MailMarks {
  const person = email?.person;
  if (signing === undefined || person === undefined) return none;
  const { mac, bounceDomain, publicUrl } = signing;
  const journeyId = email?.journeyId;
  const mail = { sendId, deviceId, person, ...(journeyId === undefined ? {} : { journeyId }) };
  const returns = bounceDomain === undefined ? undefined : returnAddresses(mail, bounceDomain, mac);
  const tokens = email?.isTracked === true ? tokenWriter(mail, mac) : undefined;
  return {
    ...(tokens === undefined
      ? {}
      : {
          openUrl: `${publicUrl}/o/${tokens.opened()}.gif`,
          clickUrl: (url) => `${publicUrl}/c/${tokens.clicked(url)}`,
        }),
    ...(returns === undefined
      ? {}
      : { returnPath: returns.bounce, unsubscribeAddress: returns.unsub }),
  };
}

/**
 * The marks of a preview: `.invalid` leads nowhere (RFC 2606), and the target of a link is
 * readable.
 */
export function marksOfPreview({ email }: Attempt): MailMarks {
  if (email?.isTracked !== true) return none;
  return {
    openUrl: 'https://tracked.invalid/o/preview.gif',
    clickUrl: (url) => `https://tracked.invalid/c/preview?to=${encodeURIComponent(url)}`,
  };
}
