// What Solapi's errors mean: four-digit message codes, in responses and later results, and error
// names of calls. Pure. An opt-out silences a number on every channel, so only an explicit refusal
// counts: Kakao uses one code for people who blocked the account and for those who closed KakaoTalk
// for three days. Source: Solapi, "Message status codes" of 2022; the grouping is ours.

import type { Millis } from '../../../engine/base/brand.ts';
import { httpMeaning, type Meaning } from '../port/answers.ts';
import type { Failure } from '../port/outcome.ts';

/** The delay applies if Solapi names none. */
interface KakaoMeaning {
  readonly outcome: 'accepted' | Failure['outcome'];
  readonly reason: string;
  readonly delayMs?: Millis;
  /** About the sending channel; about the account, unless the message names its own channel. */
  readonly isOfSender?: true;
}

const quarter: Millis = 15 * 60_000;
type Row = readonly [codes: readonly number[], KakaoMeaning['outcome'], reason: string];

const rows: readonly Row[] = [
  // Accepted, forwarded, delivered, or a repeat of the same message.
  [[2000, 3000, 4000, 1026], 'accepted', 'accepted'],

  // The person.
  [[3104], 'dead', 'not_a_kakaotalk_user'],
  [[3032], 'dead', 'not_a_subscriber'],
  [[3010], 'dead', 'invalid_number'],
  [[3107], 'permanent', 'inactive_or_blocked'],
  [[3102], 'permanent', 'not_a_friend'],
  [[1060, 2060], 'opted_out', 'blocked_number'],
  [[1061, 2061], 'opted_out', 'opted_out'],
  [[1064, 2064], 'opted_out', 'reported_number'],
  [[3047], 'permanent', 'refused_by_handset'],

  // The message.
  [[1031], 'permanent', 'text_too_long'],
  [[1042, 3105], 'permanent', 'template_not_registered'],
  [[1043, 3103], 'permanent', 'template_mismatch'],
  [[1044, 1045, 1046, 1047, 1048, 1049, 1050, 1052, 1053], 'permanent', 'button_invalid'],
  [[1023, 1034, 1051], 'permanent', 'image_invalid'],
  [[1032], 'permanent', 'custom_fields_invalid'],
  [[1010, 1011, 1013, 1014, 1025, 1027, 1028, 1029, 1033], 'permanent', 'invalid_request'],
  [[2011, 3011], 'permanent', 'invalid_request'],
  [[1058, 3058], 'permanent', 'no_route'],
  [[2254, 3054, 3055], 'permanent', 'filtered'],

  // The account.
  [[1020], 'config', 'unauthenticated'],
  [[1030, 2230], 'config', 'balance_used_up'],
  [[1062, 2062, 3013, 3059], 'config', 'sender_number_not_usable'],
  [[2063], 'config', 'account_blocked'],

  // For now.
  [[1024, 2024, 3024], 'retry', 'internal'],
  [[3012], 'retry', 'carrier_unavailable'],
  [[3040], 'retry', 'timed_out'],
  [[3041, 3042, 3043, 3044, 3045, 3046], 'retry', 'handset_unreachable'],
  [[3053], 'retry', 'queue_full'],
];

const kakaoCodes: Readonly<Record<number, KakaoMeaning>> = {
  ...Object.fromEntries(
    rows.flatMap(([codes, outcome, reason]) => codes.map((code) => [code, { outcome, reason }])),
  ),
  1041: { outcome: 'config', reason: 'channel_invalid', isOfSender: true },
  3101: { outcome: 'config', reason: 'channel_invalid', isOfSender: true },
  3106: { outcome: 'config', reason: 'channel_invalid', isOfSender: true },
  // Kakao's quiet hours, for everyone: waiting loses nothing, an attempt would be used up.
  3108: { outcome: 'rate', reason: 'outside_hours', delayMs: quarter },
};

/** What a message's code means. `hasOwnSender`: it names its own sending channel. */
export function meaningOfCode(code: number, hasOwnSender: boolean): KakaoMeaning {
  const known = Object.hasOwn(kakaoCodes, code) ? kakaoCodes[code] : undefined;
  if (known === undefined) return { outcome: 'permanent', reason: `code_${code}` };
  if (known.isOfSender === true && hasOwnSender)
    return { outcome: 'permanent', reason: known.reason };
  return known;
}

const callErrors: Readonly<Record<string, Meaning>> = {
  InvalidAPIKey: ['config', 'unauthenticated'],
  SignatureDoesNotMatch: ['config', 'unauthenticated'],
  Unauthorized: ['config', 'unauthenticated'],
  // Our clock is wrong by more than 15 minutes.
  RequestTimeTooSkewed: ['config', 'clock_skewed'],
  // Refused before it was read: the next try has a new signature.
  DuplicatedSignature: ['retry', 'signature_repeated'],
  NotEnoughBalance: ['config', 'balance_used_up'],
  TooManyRequests: ['rate', 'throttled'],
};

export function meaningOfCall(status: number, errorCode: string): Meaning {
  const named = Object.hasOwn(callErrors, errorCode) ? callErrors[errorCode] : undefined;
  if (named !== undefined) return named;
  switch (status) {
    case 400:
      return ['permanent', 'invalid_request'];
    case 401:
    case 403:
      return ['config', 'unauthenticated'];
    case 402:
      return ['config', 'balance_used_up'];
    case 404:
      return ['config', 'address_not_found'];
  }
  return httpMeaning(status);
}
