// Why, in words: a sentence for every reason that a receipt, a refusal, a hold or a disabled device
// can have. Reasons that ask the same of a reader share a sentence; what only one channel's
// provider says, or means in another way, is in the channel's entry. A new reason of a provider is
// shown as it is. The sentences say what is wrong and who can change it; the provider's own words
// are `detail`.

import { catalog, channelIds } from '../../channels/catalog.ts';
import type { HoldReason, SuppressReason } from '../../sending/policy/judge.ts';

/** What Engage decides itself. */
const own: Readonly<Record<SuppressReason | HoldReason, string>> = {
  no_device: 'There was no enabled device on its channels.',
  opt_out: 'The address has opted out.',
  channel_preference: 'The person chose other channels than this.',
  frequency_cap: 'The person had as many messages as the frequency cap of the app allows.',
  expired: 'Its time to live was over.',
  email_cap: 'The email allowance of the month is used up.',
  not_configured: 'The channel is not set up: the app has no credential for it.',
  quiet_hours: 'It is within quiet hours.',
  daily_cap: 'The daily send cap of the org is reached.',
};

const shared: readonly (readonly [sentence: string, ...reasons: readonly string[]])[] = [
  // Engage itself.
  ['The campaign was canceled.', 'canceled'],
  ['The person was erased while it was under way.', 'erased'],
  ['A fault inside Engage kept it from being sent.', 'adapter_unavailable'],
  [
    'Nobody knows whether the provider sent it: the call was cut off, and sending again could have been a second copy.',
    'unknown_outcome',
  ],
  ['Engage was stopped while the call was under way.', 'interrupted'],
  ['The content cannot be sent on this channel.', 'invalid_content', 'reserved_data_key'],
  ['Its push token was replaced while it was under way; the new one is used.', 'token_rotated'],
  ['The person no longer follows the account, or has blocked it.', 'unfollowed'],
  ['The provider of the channel offers no such thing.', 'not_supported'],
  ['It waits for the time of day that the campaign asks for.', 'local_time'],
  ['It waits for the hour at which the person usually reads.', 'optimal_time'],
  ['It waits for the winner of the experiment.', 'experiment'],
  ['Too much was waiting to be sent at that moment.', 'outbox_full', 'saturated'],
  ['It waits for numbers that are being counted.', 'counting'],
  ['The campaign goes no faster than its throttle.', 'throttle'],
  ['The channel had to pause, as its provider asked.', 'provider_pause'],
  [
    'The provider refuses to send for this app: the credential, or the account there, has to be put right.',
    'provider_refuses',
  ],
  ['What could not be sent at once is tried again first.', 'retries'],
  ['It waits for the start of the schedule.', 'scheduled'],
  ['The campaign is paused.', 'paused'],
  ['It waits until it is known who did not answer the first channels.', 'fallback'],
  ['The device was switched off by a call to the API.', 'disabled_by_caller'],
  ['The person wrote STOP.', 'stop'],
  ['The person unsubscribed by the link in an email.', 'one_click', 'link'],

  // The way to the provider.
  ['There was a fault inside the provider, or inside Engage.', 'internal'],
  ['The provider did not answer in time.', 'timeout', 'timed_out'],
  [
    'The connection to the provider was lost, or could not be made.',
    'connection_lost',
    'connection_refused',
    'connect',
    'closed',
    'dns',
    'tls',
    'relay_unreachable',
    'relay_closed',
  ],
  ['The address to call is one that may not be called.', 'private_address'],
  ['The answer of the provider could not be read.', 'answer_unreadable', 'answers'],
  [
    'The provider was out of order or too busy for a moment.',
    'unavailable',
    'busy',
    'google_token_unavailable',
    'google_token_unreadable',
    'google_token_timeout',
    'google_token_connection_lost',
    'zalo_token_timeout',
    'zalo_token_connection_lost',
  ],
  [
    'The provider could not take the message yet, and asked for it to be sent again later.',
    'deferred',
  ],
  [
    'The provider asked for fewer messages at a time.',
    'throttled',
    'quota_exceeded',
    'too_many_requests',
    'window',
    'google_token_throttled',
  ],
  ['The provider sends no more to this person for now.', 'recipient_quota'],
  ["The account's quota or balance with the provider is used up.", 'balance_used_up'],
  ['The provider takes no such messages at this hour.', 'night_time'],

  // The address.
  [
    'The app is no longer on that device, or the token is not valid any more.',
    'unregistered',
    'dead',
  ],
  [
    'The token was dead for a while; it has been registered again since.',
    'unregistered_before',
    'expired_token_before',
  ],
  ['The subscription of the browser has ended.', 'unsubscribed'],
  ['The token belongs to another app or sender than the credential.', 'sender_id_mismatch'],
  ['There is no such mailbox, or it takes no mail.', 'address_not_found'],
  ['The number does not exist, or cannot get such messages.', 'invalid_number', 'no_route'],
  [
    'The phone could not be reached; it may be switched off or without network.',
    'handset_unreachable',
    'not_connected',
  ],
  ['Nobody picked up the call.', 'no_answer', 'canceled_call'],
  ['The line was busy.', 'busy_line'],
  ['The person has no account there, or it is closed.', 'user_not_found'],
  ['The person does not follow the account, or never wrote to it.', 'not_started'],
  ['The person or their network blocked the sender.', 'blocked', 'blocked_number'],
  ['The person has opted out at the provider.', 'opted_out'],
  ['The recipient reported it as spam.', 'complaint', 'spam_complaint'],

  // The message.
  ['The message is too large for the channel.', 'payload_too_large', 'text_too_long'],
  ['The message has no text for this channel.', 'text_empty'],
  [
    'The provider refused the content of the message.',
    'content_refused',
    'filtered',
    'policy',
    'refused',
  ],
  ['An image, video or button of the message cannot be used.', 'invalid_url', 'button_invalid'],
  [
    'The template is not there, not approved, or paused at the provider.',
    'template_missing',
    'template_invalid',
  ],
  ['The parameters do not fit the template.', 'template_mismatch'],
  [
    'The provider does not take such a request.',
    'bad_request',
    'invalid_request',
    'invalid_argument',
    'invalid_parameter',
    'conflict',
    'http_400',
  ],

  // The account.
  [
    'The provider refuses the credential of the app.',
    'unauthenticated',
    'permission_denied',
    'forbidden',
    'google_token_refused',
    'private_key_unusable',
    'credential_unreadable',
  ],
  [
    'The account at the provider is closed, blocked, or may not do this.',
    'account_blocked',
    'account_not_found',
    'account_suspended',
  ],
  ['The sender is missing, or not one that the account may use.', 'sender_missing'],
  ['The provider gave no reason.', 'unknown', 'unknown_error', 'failed'],
];

const words = new Map([
  ...Object.entries(own),
  ...shared.flatMap(([sentence, ...reasons]) => reasons.map((one) => [one, sentence] as const)),
]);
for (const id of channelIds) {
  const reasons = new Map(Object.entries(catalog[id].reasons ?? {}));
  for (const [reason, meaning] of reasons) {
    const sentence = words.get(reasons.get(meaning) ?? meaning) ?? reasons.get(meaning) ?? meaning;
    words.set(`${id}:${reason}`, sentence);
    if (!words.has(reason)) words.set(reason, sentence);
  }
}

/** Whether a reason has words of its own, or is a number of a provider's in a form that has. */
export function hasWords(reason: string): boolean {
  return words.has(reason) || numbered(reason) !== undefined;
}

/** The sentence of a reason; of one that nobody foresaw, the reason itself. */
export function wordsOfReason(reason: string, channel?: string): string {
  return (
    words.get(`${channel}:${reason}`) ??
    words.get(reason) ??
    numbered(reason) ??
    `The reason given was ${reason.replaceAll('_', ' ')}.`
  );
}

/** `http_503`, `code_30007`. */
function numbered(reason: string): string | undefined {
  const [, what, number] = /^(http|code)_(-?\d{1,9})$/.exec(reason) ?? [];
  if (number === undefined) return undefined;
  return what === 'http'
    ? `The provider answered with HTTP status ${number}.`
    : `The provider answered with its error code ${number}.`;
}
