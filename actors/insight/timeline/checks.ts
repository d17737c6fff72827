// Derives which checks a send passed and which one ended it. Passed checks are not stored: a
// campaign to a million people would need a record each. But checks run in the fixed order of
// `sending/gate/gate.ts`, so those before the failed one passed, and a call to a provider means
// that all passed. Uncertain checks are omitted.

import type { CheckName } from './codes.ts';
import type { Check } from './protocol.ts';

/** In the pump's order. */
const ofTransactional: readonly CheckName[] = [
  'device',
  'expiry',
  'opt_out',
  'configured',
  'content',
  'email_allowance',
];

/** In the gate's order, without checks outside of it. */
const ofMarketing: readonly CheckName[] = [
  'device',
  'opt_out',
  'preference',
  'quiet_hours',
  'frequency_cap',
];

/** The check that fails with a reason. */
const failedBy: Readonly<Record<string, CheckName>> = {
  no_device: 'device',
  expired: 'expiry',
  opt_out: 'opt_out',
  not_configured: 'configured',
  content_removed: 'content',
  invalid_content: 'content',
  email_cap: 'email_allowance',
  topic_opt_out: 'topic',
  channel_preference: 'preference',
  quiet_hours: 'quiet_hours',
  frequency_cap: 'frequency_cap',
};

/** `attempts`: calls to the provider; `endedBy`: the reason of a suppression or deferral. */
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
  // Most messages have no topic, so nobody can tell that they passed it.
  const place = order.indexOf(failed === 'topic' ? 'preference' : failed);
  return passed(place < 0 ? [] : order.slice(0, place), failed);
}

function passed(checks: readonly CheckName[], failed: CheckName | undefined): readonly Check[] {
  const all = checks.map((check) => ({ check, passed: true }));
  return failed === undefined ? all : [...all, { check: failed, passed: false }];
}
