// Where an email offers to unsubscribe: as its message says, else its app, else by the lane. Mail
// programs show the header as a button above the mail, so a receipt has none by default: one click
// would end password resets. Marketing always has it, as Gmail and Yahoo require of bulk senders.

import type { Attempt } from '../port/attempt.ts';

interface Offers {
  readonly header: boolean;
  readonly footer: boolean;
}

export function unsubscribeOffers(attempt: Attempt): Offers {
  const { content, email } = attempt;
  const isMarketing = isMarketingMail(attempt);
  const ways = content.unsubscribe ?? email?.unsubscribe ?? (isMarketing ? 'both' : 'none');
  return {
    header: isMarketing || ways === 'header' || ways === 'both',
    footer: ways === 'footer' || ways === 'both',
  };
}

/** A test of a saved message looks like the campaign that it tests. */
export function isMarketingMail({ lane, email }: Attempt): boolean {
  return lane === 'bulk' || email?.isTest === true;
}
