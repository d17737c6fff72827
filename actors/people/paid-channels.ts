// Whether calls without proof register addresses of channels that bill per message: a stranger
// could run up the bill with numbers of their own.

import type { AppSettings } from '../tenants/accounts/records.ts';

export function allowsPaid(
  { keylessEvents }: Pick<AppSettings, 'keylessEvents'>,
  isLive: boolean,
): boolean {
  return keylessEvents?.registerPaidChannels ?? !isLive;
}
