// What makes a mail traceable: bounce address, opt-out address, open pixel and tracked links. Pure.
// A preview shows the same marks, but they lead nowhere.

import type { HmacSha256 } from '../../../engine/base/hmac.ts';
import type { Attempt } from '../port/attempt.ts';
import { previewPixelUrl } from './open-pixel.ts';
import { returnAddresses } from './return-path.ts';
import { tokenWriter } from './tracked-token.ts';
import { isMarketingMail } from './unsubscribe-ways.ts';

/** The marks of one mail; each may be absent. */
export interface MailMarks {
  readonly returnPath?: string;
  /** For `mailto:` in List-Unsubscribe. */
  readonly unsubscribeAddress?: string;
  readonly openUrl?: string;
  clickUrl?(url: string): string;
}

interface MailSigning {
  readonly mac: HmacSha256;
  readonly bounceDomain: string | undefined;
  readonly publicUrl: string;
}

const none: MailMarks = {};

/** The marks of a send; none without a person. */
export function marksOf(attempt: Attempt, signing: MailSigning | undefined): MailMarks {
  const { sendId, deviceId, email } = attempt;
  const person = email?.person;
  if (signing === undefined || person === undefined) return none;
  const { mac, bounceDomain, publicUrl } = signing;
  const journeyId = email?.journeyId;
  const mail = { sendId, deviceId, person, ...(journeyId === undefined ? {} : { journeyId }) };
  const purpose = isMarketingMail(attempt) ? 'marketing' : 'unsub';
  const returns =
    bounceDomain === undefined ? undefined : returnAddresses(mail, bounceDomain, mac, purpose);
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

/** Preview marks: `.invalid` leads nowhere (RFC 2606), and link targets stay readable. */
export function marksOfPreview({ email }: Attempt): MailMarks {
  if (email?.isTracked !== true) return none;
  return {
    openUrl: previewPixelUrl,
    clickUrl: (url) => `https://tracked.invalid/c/preview?to=${encodeURIComponent(url)}`,
  };
}
