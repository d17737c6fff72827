// What the carrier's error codes mean, in responses and callbacks. Only a code about the number may
// disable a device, and some only for text: a number without SMS may still be called. Source: the
// carrier's error dictionary, which changes over time; the grouping is ours.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Failure } from '../port/outcome.ts';
import type { CarrierChannel } from './status-url.ts';

interface CarrierError {
  readonly outcome: Failure['outcome'];
  readonly reason: string;
  /** `dead` only on this channel; on the other it is `permanent`. */
  readonly deadOn?: CarrierChannel;
  /** May be about the number's region or kind: `permanent` if the account's other sends succeed. */
  readonly mayBeTheNumber?: true;
  /** `retry` after the first attempt, `permanent` after a later one. */
  readonly isRetriedOnce?: true;
  /** Used if the carrier names no delay. */
  readonly delayMs?: Millis;
}

const minute: Millis = 60_000;

const carrierErrors: Readonly<Record<number, CarrierError>> = {
  // The number.
  13224: { outcome: 'dead', reason: 'invalid_number' },
  21211: { outcome: 'dead', reason: 'invalid_number' },
  21217: { outcome: 'dead', reason: 'invalid_number' },
  21614: { outcome: 'dead', reason: 'not_a_mobile_number', deadOn: 'sms' },
  21635: { outcome: 'dead', reason: 'landline', deadOn: 'sms' },
  30005: { outcome: 'dead', reason: 'unknown_handset' },
  30006: { outcome: 'dead', reason: 'landline_or_unreachable_carrier', deadOn: 'sms' },
  30003: { outcome: 'permanent', reason: 'handset_unreachable' },
  21214: { outcome: 'permanent', reason: 'number_not_reachable' },
  21216: { outcome: 'permanent', reason: 'blocked_number' },
  30004: { outcome: 'permanent', reason: 'blocked' },
  21610: { outcome: 'opted_out', reason: 'opted_out' },

  // The message.
  21201: { outcome: 'permanent', reason: 'recipient_missing' },
  21602: { outcome: 'permanent', reason: 'text_missing' },
  21604: { outcome: 'permanent', reason: 'recipient_missing' },
  21617: { outcome: 'permanent', reason: 'text_too_long' },
  21620: { outcome: 'permanent', reason: 'media_refused' },
  30007: { outcome: 'permanent', reason: 'filtered' },
  30019: { outcome: 'permanent', reason: 'content_too_large' },
  30036: { outcome: 'permanent', reason: 'expired' },
  30008: { outcome: 'retry', reason: 'unknown_error', isRetriedOnce: true },
  30410: { outcome: 'retry', reason: 'provider_timeout', isRetriedOnce: true },

  // The account, its senders and its permissions.
  10001: { outcome: 'config', reason: 'account_not_active' },
  13225: { outcome: 'config', reason: 'region_not_permitted', mayBeTheNumber: true },
  13227: { outcome: 'config', reason: 'region_not_permitted', mayBeTheNumber: true },
  20003: { outcome: 'config', reason: 'unauthenticated' },
  20005: { outcome: 'config', reason: 'account_not_active' },
  20404: { outcome: 'config', reason: 'account_not_found' },
  21210: { outcome: 'config', reason: 'sender_not_usable' },
  21212: { outcome: 'config', reason: 'sender_not_usable' },
  21213: { outcome: 'config', reason: 'sender_missing' },
  21215: { outcome: 'config', reason: 'region_not_permitted', mayBeTheNumber: true },
  21219: { outcome: 'config', reason: 'trial_account', mayBeTheNumber: true },
  21408: { outcome: 'config', reason: 'region_not_permitted', mayBeTheNumber: true },
  21603: { outcome: 'config', reason: 'sender_missing' },
  21606: { outcome: 'config', reason: 'sender_not_usable' },
  21608: { outcome: 'config', reason: 'trial_account', mayBeTheNumber: true },
  21609: { outcome: 'config', reason: 'callback_address_refused' },
  21612: { outcome: 'config', reason: 'no_route', mayBeTheNumber: true },
  21659: { outcome: 'config', reason: 'sender_not_yours' },
  21660: { outcome: 'config', reason: 'sender_not_yours' },
  21703: { outcome: 'config', reason: 'sender_not_usable' },
  30002: { outcome: 'config', reason: 'account_suspended' },
  30024: { outcome: 'config', reason: 'sender_not_registered' },
  30032: { outcome: 'config', reason: 'sender_not_registered' },
  30034: { outcome: 'config', reason: 'sender_not_registered' },

  // How much at once.
  14107: { outcome: 'rate', reason: 'too_many_requests' },
  20429: { outcome: 'rate', reason: 'too_many_requests' },
  21611: { outcome: 'rate', reason: 'sender_queue_full', delayMs: 5 * minute },
  30001: { outcome: 'rate', reason: 'queue_overflow' },
  30022: { outcome: 'rate', reason: 'sender_rate_exceeded' },
  30023: { outcome: 'rate', reason: 'daily_limit', delayMs: 15 * minute },
  63018: { outcome: 'rate', reason: 'sender_rate_exceeded' },
};

/**
 * What a code means on this channel and attempt (from 1); `undefined` if unknown. `othersSucceed`:
 * the account has sent successfully in the last minutes.
 */
export function carrierMeaning(
  code: number,
  channel: CarrierChannel,
  attempt: number,
  othersSucceed: boolean,
): Pick<CarrierError, 'outcome' | 'reason' | 'delayMs'> | undefined {
  const known = Object.hasOwn(carrierErrors, code) ? carrierErrors[code] : undefined;
  if (known === undefined) return undefined;
  const isOver =
    (known.deadOn !== undefined && known.deadOn !== channel) ||
    (known.mayBeTheNumber === true && othersSucceed) ||
    (known.isRetriedOnce === true && attempt > 1);
  return isOver ? { ...known, outcome: 'permanent' } : known;
}
