// Which checks a send is known to have passed, and which one ended it. Nothing is stored of a check
// that passed, since that would cost a million-person campaign a record each; but checks are made
// in one order, so whoever was ended by one passed those before it, and whoever a provider was
// called for passed them all. What follows from nothing certain is left out, not called passed. The
// order is the gate's: `sending/gate/gate.ts`.

import type { CheckName } from './codes.ts';
import type { Check } from './protocol.ts';

/** In the order in which the pump asks. */
const ofTransactional: readonly CheckName[] = [
  'device',
  'expiry',
  'opt_out',
  'configured',
  'content',
  'email_allowance',
];

/** In the order in which policy asks; what is asked beside it has no place in this order. */
const ofMarketing: readonly CheckName[] = [
  'device',
  'opt_out',
  'preference',
  'quiet_hours',
  'frequency_cap',
];

/** The check that a reason says has failed. */
const failedBy: Readonly<Record<string, CheckName>> = {
  no_device: 'device',
  expired: 'expiry',
  opt_out: 'opt_out',
  not_configured: 'configured',
  content_removed: 'content',
  invalid_content: 'content',
  email_cap: 'email_allowance',
  channel_preference: 'preference',
  quiet_hours: 'quiet_hours',
  frequency_cap: 'frequency_cap',
};

/**
 * What is certain of a send. `attempts`: calls to its provider; `endedBy`: why it was suppressed or
 * deferred.
 */
export function checksOf(send: {
  readonly isMarketing: boolean;
  readonly channel: string | undefined;
  readonly attempts: number;
  readonly endedBy?: string | undefined;
}): readonly Check[] {
  const { isMarketing, channel, attempts, endedBy } = send;
  const order = (isMarketing ? ofMarketing : ofTransactional).filter(
    (check) => channel === 'email' || check !== 'email_allowance',
  );
  const failed = endedBy === undefined ? undefined : failedBy[endedBy];
  const all = isMarketing
    ? [
        ...order,
        'configured' as const,
        ...(channel === 'email' ? ['email_allowance' as const] : []),
      ]
    : order;
  if (attempts > 0)
    return passed(failed === undefined ? all : all.filter((one) => one !== failed), failed);
  if (failed === undefined) return [];
  const place = order.indexOf(failed);
  return passed(place < 0 ? [] : order.slice(0, place), failed);
}

function passed(checks: readonly CheckName[], failed: CheckName | undefined): readonly Check[] {
  const all = checks.map((check) => ({ check, passed: true }));
  return failed === undefined ? all : [...all, { check: failed, passed: false }];
}
