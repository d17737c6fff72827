// What a mail carries so that we hear of it again: the address that bounces go to, the address that opts out by mail, the
// pixel that says it was opened, and links that pass through us. Pure. A preview has marks, too, that lead nowhere, so that
// it shows what would be sent.

import type { Attempt } from '../adapter.ts';
import { returnAddress } from './return-path.ts';

/** Of one mail; what is absent is not in it. */
export interface MailMarks {
  /** The envelope sender. */
  readonly returnPath?: string;
  /** For `mailto:` in List-Unsubscribe. */
  readonly unsubscribeAddress?: string;
}

/** What marks are made with. */
export interface MailSigning {
  /** The first of those that verify. */
  readonly key: Uint8Array;
  readonly bounceDomain: string | undefined;
}

const none: MailMarks = {};

/** The marks of a send; none for an attempt that is nobody's. */
export function marksOf(
  { sendId, deviceId, email }: Attempt,
  signing: MailSigning | undefined,
): MailMarks {
  const person = email?.person;
  if (signing === undefined || person === undefined) return none;
  const { key, bounceDomain } = signing;
  const addressFor = (purpose: 'bounce' | 'unsub') =>
    bounceDomain === undefined
      ? undefined
      : returnAddress(purpose, { sendId, deviceId, person }, bounceDomain, key);
  const returnPath = addressFor('bounce');
  const unsubscribeAddress = addressFor('unsub');
  return {
    ...(returnPath === undefined ? {} : { returnPath }),
    ...(unsubscribeAddress === undefined ? {} : { unsubscribeAddress }),
  };
}
