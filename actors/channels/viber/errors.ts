// What Viber's errors mean: the `status` number in the body of a 200. Pure. Only a number about the
// person may disable a device: left the bot (6), unknown (5). Source: Viber's REST API, "Error
// codes".

import { httpMeaning, type Meaning } from '../port/answers.ts';

/** Every status except 0, "ok". */
export const viberErrors: Readonly<Record<number, Meaning>> = {
  1: ['permanent', 'invalid_url'],
  2: ['config', 'auth_token_refused'],
  3: ['permanent', 'invalid_request'],
  4: ['permanent', 'member_missing'],
  5: ['dead', 'not_registered'],
  6: ['opted_out', 'not_subscribed'],
  7: ['config', 'account_blocked'],
  8: ['config', 'account_not_found'],
  9: ['config', 'account_suspended'],
  10: ['config', 'webhook_not_set'],
  11: ['dead', 'no_suitable_device'],
  12: ['rate', 'too_many_requests'],
  13: ['permanent', 'api_version_unsupported'],
  14: ['permanent', 'api_version_incompatible'],
  15: ['config', 'not_authorized'],
  16: ['permanent', 'inline_not_allowed'],
  17: ['permanent', 'account_not_inline'],
  18: ['permanent', 'no_public_chat'],
  19: ['config', 'broadcast_refused'],
  20: ['config', 'broadcast_not_allowed'],
  21: ['permanent', 'unsupported_country'],
  22: ['permanent', 'payment_unsupported'],
  23: ['config', 'free_messages_used_up'],
  24: ['config', 'balance_used_up'],
};

/**
 * `othersSucceed`: the account has sent successfully in the last minutes. Ids belong to an account:
 * with another account's token everyone is unknown, and `dead` would disable every device.
 */
export function viberMeaning(status: number, othersSucceed: boolean): Meaning {
  const known = Object.hasOwn(viberErrors, status) ? viberErrors[status] : undefined;
  if (known === undefined) return ['retry', `status_${status}`];
  return status === 5 && !othersSucceed ? ['permanent', known[1]] : known;
}

/** A status other than 200 is from Viber's front end and says nothing about a person. */
export function viberHttpMeaning(status: number): Meaning {
  switch (status) {
    case 401:
      return ['config', 'auth_token_refused'];
    case 403:
      return ['config', 'not_authorized'];
    case 404:
      return ['config', 'address_not_found'];
  }
  return httpMeaning(status);
}
