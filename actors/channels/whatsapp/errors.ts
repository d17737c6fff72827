// What WhatsApp's error codes mean for the message, its device and the account. Pure. Most come
// with status 400, so the code decides, and the status only if there is none. Source: Meta, Cloud
// API error codes; Graph API error codes.

import type { Millis } from '../../../engine/base/brand.ts';
import { httpMeaning, type Meaning } from '../port/answers.ts';

const quarterMs: Millis = 15 * 60_000;

/** By `error.code`. */
// biome-ignore format: a table reads better packed
const whatsappErrors: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [131026, ['dead', 'undeliverable']],

  [131021, ['permanent', 'recipient_is_sender']],
  [131030, ['permanent', 'recipient_not_allowed']],
  [100, ['permanent', 'invalid_parameter']],
  [131008, ['permanent', 'missing_parameter']],
  [131009, ['permanent', 'invalid_parameter']],
  [131051, ['permanent', 'unsupported_message_type']],
  [131052, ['permanent', 'media_unusable']],
  [131053, ['permanent', 'media_unusable']],
  [131047, ['permanent', 'window']],
  // The person gets no marketing for now, from anyone; asking within a day lowers our standing.
  [131049, ['permanent', 'ecosystem_limit']],
  [130472, ['permanent', 'experiment']],
  [131050, ['opted_out', 'marketing_stopped']],
  [132000, ['permanent', 'template_parameter_count']],
  [132001, ['permanent', 'template_missing']],
  [132005, ['permanent', 'template_text_too_long']],
  [132007, ['permanent', 'template_policy']],
  [132012, ['permanent', 'template_parameter_format']],
  [132015, ['permanent', 'template_paused']],
  [132016, ['permanent', 'template_disabled']],
  [132018, ['permanent', 'template_parameter_format']],
  [132068, ['permanent', 'flow_blocked']],
  [132069, ['permanent', 'flow_throttled']],

  [0, ['config', 'access_token_refused']],
  [104, ['config', 'access_token_refused']],
  [190, ['config', 'access_token_refused']],
  [3, ['config', 'permission_denied']],
  [10, ['config', 'permission_denied']],
  [131005, ['config', 'permission_denied']],
  [130403, ['config', 'permission_denied']],
  [368, ['config', 'account_blocked']],
  [131031, ['config', 'account_locked']],
  [130497, ['config', 'country_restricted']],
  [131037, ['config', 'display_name_not_approved']],
  [131042, ['config', 'payment_problem']],
  [131045, ['config', 'number_not_registered']],
  [133010, ['config', 'number_not_registered']],
  [2500, ['config', 'wrong_address']],

  [4, ['rate', 'app_limit', 60_000]],
  [80007, ['rate', 'account_limit', 60_000]],
  [130429, ['rate', 'throughput']],
  // Recipients reported spam: stop sending for a while.
  [131048, ['rate', 'spam_limit', quarterMs]],

  [1, ['retry', 'unknown']],
  [2, ['retry', 'unavailable']],
  [131000, ['retry', 'unknown']],
  [131016, ['retry', 'unavailable']],
  [131057, ['retry', 'upgrading', 60_000]],
  [133004, ['retry', 'unavailable']],
]);

/** Too many messages from this number to this person; others are not affected. */
export const pairLimit = 131056;

/** What a code means; `undefined` for an unknown one. */
export function whatsappMeaning(code: number, subcode: number | undefined): Meaning | undefined {
  // `Object with ID … does not exist`: the number id is wrong, or not this token's.
  if (code === 100 && subcode === 33) return ['config', 'phone_number_id_unknown'];
  if (code >= 200 && code <= 299) return ['config', 'permission_denied'];
  return whatsappErrors.get(code);
}

export function meaningOfStatus(status: number): Meaning {
  if (status === 401) return ['config', 'access_token_refused'];
  if (status === 403) return ['config', 'permission_denied'];
  if (status === 404) return ['config', 'wrong_address'];
  if (status === 429) return ['rate', 'throttled', 60_000];
  return httpMeaning(status);
}
