// What Zalo's responses mean: an error is a negative number in the body of a 200. Pure. A follower
// who left, a week of silence and an account without credit look similar; only the first is an
// opt-out. An unknown number says nothing about the device.

import { dayMs, hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { failure, meantFailure, type ProviderResponse, retryAfterMs } from '../port/answers.ts';
import { parseObject } from '../port/json.ts';
import type { Failure, Outcome } from '../port/outcome.ts';

/** A delay: a time, or until the end of the night or the next day in Vietnam. */
type Wait = Millis | 'morning' | 'tomorrow';

type Row = readonly [outcome: Failure['outcome'], reason: string, wait?: Wait];

/** By number. Those above -200 are of template messages. */
const zaloErrors: Readonly<Record<number, Row>> = {
  [-32]: ['rate', 'api_rate', minuteMs],
  [-100]: ['permanent', 'unknown_error'],
  [-108]: ['dead', 'invalid_phone'],
  [-114]: ['dead', 'inactive_or_rejected'],
  [-115]: ['config', 'out_of_balance'],
  [-118]: ['dead', 'no_zalo_account'],
  [-119]: ['dead', 'cannot_receive'],
  [-124]: ['config', 'access_token_invalid'],
  [-131]: ['permanent', 'template_refused'],
  [-132]: ['permanent', 'template_parameters'],
  [-139]: ['opted_out', 'opted_out'],
  [-200]: ['retry', 'send_failed'],
  [-201]: ['permanent', 'invalid_parameter'],
  [-204]: ['config', 'account_deleted'],
  [-205]: ['config', 'account_not_found'],
  [-209]: ['config', 'app_not_active'],
  [-210]: ['permanent', 'parameter_too_long'],
  [-211]: ['rate', 'account_quota', 15 * minuteMs],
  [-212]: ['config', 'api_not_registered'],
  [-213]: ['opted_out', 'not_a_follower'],
  [-214]: ['retry', 'busy'],
  [-216]: ['config', 'access_token_invalid'],
  [-217]: ['opted_out', 'invitations_blocked'],
  [-218]: ['retry', 'recipient_quota', 'tomorrow'],
  [-219]: ['config', 'app_removed'],
  [-220]: ['config', 'access_token_expired'],
  [-221]: ['config', 'account_not_verified'],
  [-223]: ['config', 'app_not_granted'],
  [-224]: ['config', 'package_missing'],
  [-227]: ['dead', 'user_inactive'],
  [-230]: ['permanent', 'window'],
  [-232]: ['permanent', 'window'],
  [-233]: ['permanent', 'message_type_unsupported'],
  [-234]: ['retry', 'night_time', 'morning'],
  [-235]: ['config', 'account_type_unsupported'],
  [-240]: ['permanent', 'api_version_closed'],
  [-242]: ['config', 'app_id_invalid'],
  [-244]: ['opted_out', 'restricted_by_user'],
  [-248]: ['permanent', 'content_refused'],
  [-320]: ['config', 'billing_not_linked'],
  [-321]: ['config', 'out_of_balance'],
};

const tokenErrors: ReadonlySet<unknown> = new Set([-124, -216, -220]);
const throttledWaitMs: Millis = minuteMs;
/** If it is night for Zalo but not by our clock. */
const nightWaitMs: Millis = 15 * minuteMs;

export function refusesToken({ status, body }: ProviderResponse): boolean {
  return status === 200 && tokenErrors.has(parseObject(body)['error']);
}

export function zaloOutcome(
  answer: ProviderResponse,
  nowMs: Millis,
  secrets: readonly string[],
): Outcome {
  const { status, body } = answer;
  const { error, message } = parseObject(body);
  const words = error === undefined ? `HTTP ${status}` : `error ${error}: ${message}`;
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  const say = (outcome: Failure['outcome'], reason: string, waitMs?: Millis) =>
    failure(outcome, reason, words, secrets, waitMs);
  if (status === 200) {
    if (error === 0) return { outcome: 'accepted', ...messageIdOf(body) };
    // A truncated 200, or not Zalo's: the message may have been sent.
    if (typeof error !== 'number') return say('ambiguous', 'answer_unreadable');
    const [outcome, reason, wait] = zaloErrors[error] ?? ['permanent', `error_${Math.abs(error)}`];
    const delayMs = wait === undefined ? undefined : waitMs(wait, nowMs);
    return meantFailure([outcome, reason, delayMs], words, secrets, asked);
  }
  if (status === 401 || status === 403 || status === 404) return say('config', `http_${status}`);
  if (status === 429)
    return meantFailure(['rate', 'api_rate', throttledWaitMs], words, secrets, asked);
  if (status >= 500 || status === 408) return say('retry', `http_${status}`, asked);
  if (status === 413) return say('permanent', 'payload_too_large');
  return say(status < 400 ? 'config' : 'permanent', `http_${status}`);
}

/** How long Zalo still refuses promotions: 22:00 to 06:00 in Vietnam; 0 by day. */
export function nightLeftMs(nowMs: Millis): Millis {
  const time = timeOfDay(nowMs);
  if (time >= nightEndsMs && time < nightBeginsMs) return 0;
  return (nightEndsMs - time + dayMs) % dayMs;
}

const nightBeginsMs: Millis = 22 * hourMs;
const nightEndsMs: Millis = 6 * hourMs;

function waitMs(wait: Wait, nowMs: Millis): Millis {
  if (wait === 'morning') return nightLeftMs(nowMs) || nightWaitMs;
  return wait === 'tomorrow' ? dayMs - timeOfDay(nowMs) : wait;
}

/** Vietnam is UTC+7 all year, since 1975. */
function timeOfDay(nowMs: Millis): Millis {
  return (nowMs + 7 * hourMs) % dayMs;
}

/** Read from the text: the id has more digits than a double holds. */
function messageIdOf(body: string): { readonly providerMessageId?: string } {
  const id = /"(?:message_id|msg_id)"\s*:\s*"?([\w.-]{1,512})/.exec(body)?.[1];
  return id === undefined ? {} : { providerMessageId: id };
}
