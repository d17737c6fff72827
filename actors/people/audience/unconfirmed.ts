// Addresses whose owner has not confirmed yet that they want messages. Nothing is sent to one but
// the mail that asks (`sending/opt-in/`).

import type { DeviceRow } from '../../../storage/tables/subscriber.ts';

/** Why such a device is disabled. */
export const unconfirmedReason = 'unconfirmed';

export function isUnconfirmed({
  enabled,
  disabledReason,
}: Pick<DeviceRow, 'enabled' | 'disabledReason'>): boolean {
  return !enabled && disabledReason === unconfirmedReason;
}
