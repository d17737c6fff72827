// Why an address gets no mails of the platform, such as sign-in links, and until when.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';

/** `person`: by the link in a mail. `bounce`: there is no such mailbox, or it complained. */
export type MailStopReason = 'person' | 'bounce';

export interface MailStop {
  readonly reason: MailStopReason;
  readonly atMs: Millis;
}

/** A mailbox may come to be: whoever left a typo in a form is not shut out forever. */
const bounceStopMs: Millis = 7 * dayMs;

export function isStopped(stop: MailStop | undefined, nowMs: Millis): boolean {
  if (stop === undefined) return false;
  return stop.reason === 'person' || nowMs - stop.atMs < bounceStopMs;
}
