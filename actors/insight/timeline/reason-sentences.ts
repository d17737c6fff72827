// A sentence for every reason of a receipt, refusal, hold or disabled device: what is wrong and who
// can fix it. Reasons with the same fix share one. Reasons specific to a channel are in its
// catalog entry; unknown ones are shown as they are. The provider's own text is in `detail`.

import { catalog } from '../../channels/catalog.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import type { HoldReason, SuppressReason } from '../../sending/gate/reasons.ts';

const contentUnfit = 'The content cannot be sent on this channel.';

/** Engage's own decisions. */
const own: Readonly<Record<SuppressReason | HoldReason, string>> = {
  canceled: 'The campaign was canceled.',
  activity_closed: 'The Live Activity has ended.',
  superseded: 'A newer update of the Live Activity replaced this one.',
  no_device: 'The person had no enabled device on the channels of the message.',
  opt_out: 'The address has opted out.',
  topic_opt_out: 'The person does not want messages about this topic, or has not confirmed it yet.',
  channel_preference: 'The person prefers other channels.',
  frequency_cap:
    'The frequency cap was reached: the person got as many messages as the app allows.',
  expired: "The message's time to live had expired.",
  content_removed:
    'The content is no longer stored: it was deleted, or is older than the app keeps data.',
  invalid_content: contentUnfit,
  email_cap: 'The email allowance of the month is used up.',
  journey_off: 'The journey was switched off or deleted before it was sent.',
  not_configured:
    'The channel is not configured: the app has no credential for it or, for email, no verified sender domain.',
  quiet_hours: 'Quiet hours are in effect for the person.',
  daily_cap: "The org's daily send cap is reached.",
  warm_up:
    'The sender domain is warming up, and may send no more emails today; they follow from 00:00 UTC.',
  clock_unconfirmed:
    "The message has expired unless the server's clock is wrong; it waits until the clock is confirmed.",
};

const shared: readonly (readonly [sentence: string, ...reasons: readonly string[]])[] = [
  // Engage.
  ['The person was erased while the send was in progress.', 'erased'],
  ["The campaign's guard paused it: too many emails bounced.", 'guard_bounces'],
  ["The campaign's guard paused it: too many people reported spam.", 'guard_complaints'],
  ["The campaign's guard paused it: mail servers refuse the sender.", 'guard_sender_refused'],
  ['The person chose it in a preference of the channel.', 'preference'],
  ['An internal error in Engage kept it from being sent.', 'adapter_unavailable'],
  [
    'The outcome is unknown: the call to the provider was cut off. It was not retried, because the person might get the message twice.',
    'unknown_outcome',
  ],
  ['Engage was stopped while the call was in progress.', 'interrupted'],
  [contentUnfit, 'reserved_data_key'],
  ['The push token was replaced during the call; the new token is used.', 'token_rotated'],
  ['The person no longer follows the account, or has blocked it.', 'unfollowed'],
  ['The provider does not support this.', 'not_supported'],
  ['It waits for the local time set in the campaign.', 'local_time'],
  ['It waits for the hour at which the person usually opens messages.', 'optimal_time'],
  ['It waits for the winner of the experiment.', 'experiment'],
  ['It waits for a reaction to the message on the first channels.', 'fallback'],
  ['Too many sends were waiting at that moment.', 'outbox_full', 'saturated'],
  ['It waits for data that is still being counted.', 'counting'],
  ["The campaign's throttle limits how fast it sends.", 'throttle'],
  ['Sending on the channel is paused because the provider asked to slow down.', 'provider_pause'],
  ['Calls to the provider fail. One message at a time is tried.', 'provider_unreachable'],
  [
    "The provider rejects the app's sends. Fix the credential, or the account at the provider.",
    'provider_refuses',
  ],
  ['Sends that failed before are retried first.', 'retries'],
  ['It waits for the start of the schedule.', 'scheduled'],
  ['The campaign is paused.', 'paused'],
  ['It waits until the fallback starts for people who did not open or click.', 'fallback'],
  ['Engage withdrew the send before it began.', 'recalled'],
  ['The device was disabled through the API.', 'disabled_by_caller'],
  ['The person replied STOP.', 'stop'],
  ['The person used the unsubscribe link in an email.', 'one_click', 'link'],

  // The connection to the provider.
  ['There was an internal error at the provider, or in Engage.', 'internal'],
  ['The provider did not respond in time.', 'timeout', 'timed_out'],
  [
    'The connection to the provider failed or was lost.',
    'connection_lost',
    'connection_refused',
    'connect',
    'closed',
    'dns',
    'tls',
    'relay_unreachable',
    'relay_closed',
  ],
  ['The URL to call is not allowed.', 'private_address'],
  ['The provider cannot reach the address of this server.', 'address_not_reachable'],
  [
    "The provider's response could not be read.",
    'answer_unreadable',
    'answers',
    'answer_too_large',
  ],
  [
    'The provider was temporarily unavailable or too busy.',
    'unavailable',
    'busy',
    'google_token_unavailable',
    'google_token_unreadable',
    'google_token_timeout',
    'google_token_connection_lost',
    'zalo_token_timeout',
    'zalo_token_connection_lost',
  ],
  ['The provider could not accept the message yet, and asked to retry later.', 'deferred'],
  [
    "The provider's rate limit was reached.",
    'throttled',
    'quota_exceeded',
    'too_many_requests',
    'google_token_throttled',
  ],
  [
    'The person has not written to this account lately, and the provider accepts only templates until they do.',
    'window',
  ],
  ['The provider limits messages to this person for now.', 'recipient_quota'],
  ["The account's quota or balance at the provider is used up.", 'balance_used_up'],
  ['The provider does not accept such messages at this hour.', 'night_time'],

  // The address.
  [
    'The app was uninstalled from the device, or the token is no longer valid.',
    'unregistered',
    'dead',
  ],
  [
    'The token was invalid; it has been registered again since.',
    'unregistered_before',
    'expired_token_before',
  ],
  ["The browser's push subscription has expired.", 'unsubscribed'],
  ['The token belongs to another app or sender than the credential.', 'sender_id_mismatch'],
  ['The mailbox does not exist, or does not accept mail.', 'address_not_found'],
  ['The number does not exist, or cannot receive such messages.', 'invalid_number', 'no_route'],
  [
    'The phone could not be reached; it may be switched off or have no signal.',
    'handset_unreachable',
    'not_connected',
  ],
  ['Nobody answered the call.', 'no_answer', 'canceled_call'],
  ['The line was busy.', 'busy_line'],
  ['The person has no account there, or it was closed.', 'user_not_found'],
  ['The person does not follow the account, or has never written to it.', 'not_started'],
  ['The person or their network blocked the sender.', 'blocked', 'blocked_number'],
  ['The person has opted out at the provider.', 'opted_out'],
  ['The recipient reported the message as spam.', 'complaint', 'spam_complaint'],

  // The message.
  ['The message is too large for the channel.', 'payload_too_large', 'text_too_long'],
  ['The message has no text for this channel.', 'text_empty'],
  [
    'The provider rejected the content of the message.',
    'content_refused',
    'filtered',
    'policy',
    'refused',
  ],
  ['An image, video or button of the message is not valid.', 'invalid_url', 'button_invalid'],
  [
    'The template does not exist, is not approved, or is paused at the provider.',
    'template_missing',
    'template_invalid',
  ],
  ['The parameters do not match the template.', 'template_mismatch'],
  [
    'The provider rejected the request as invalid.',
    'bad_request',
    'invalid_request',
    'invalid_argument',
    'invalid_parameter',
    'conflict',
    'http_400',
  ],

  // The account.
  [
    "The provider rejected the app's credential.",
    'unauthenticated',
    'permission_denied',
    'forbidden',
    'google_token_refused',
    'private_key_unusable',
    'credential_unreadable',
  ],
  [
    'The account at the provider is closed, blocked, or not allowed to do this.',
    'account_blocked',
    'account_not_found',
    'account_suspended',
  ],
  ['The sender is missing, or the account is not allowed to use it.', 'sender_missing'],
  ['The provider gave no reason.', 'unknown', 'unknown_error', 'failed'],
];

/** By reason, or by `channel:reason` where a channel means something else. */
export const reasonSentences = new Map([
  ...Object.entries(own),
  ...shared.flatMap(([sentence, ...reasons]) => reasons.map((one) => [one, sentence] as const)),
]);
for (const id of channelIds) {
  const reasons = new Map(Object.entries(catalog[id].reasons ?? {}));
  for (const [reason, meaning] of reasons) {
    const meant = reasons.get(meaning) ?? meaning;
    const sentence = reasonSentences.get(meant) ?? meant;
    reasonSentences.set(`${id}:${reason}`, sentence);
    if (!reasonSentences.has(reason)) reasonSentences.set(reason, sentence);
  }
}

/** Whether a reason has a sentence, or has the form of a provider's numbered error. */
export function hasSentence(reason: string): boolean {
  return reasonSentences.has(reason) || numbered(reason) !== undefined;
}

/** The sentence of a reason; names the reason itself if it is unknown. */
export function sentenceOfReason(reason: string, channel?: string): string {
  return (
    reasonSentences.get(`${channel}:${reason}`) ??
    reasonSentences.get(reason) ??
    numbered(reason) ??
    `The reason was: ${reason.replaceAll('_', ' ')}.`
  );
}

/** `http_503`, `code_30007`. */
function numbered(reason: string): string | undefined {
  const [, what, number] = /^(http|code)_(-?\d{1,9})$/.exec(reason) ?? [];
  if (number === undefined) return undefined;
  return what === 'http'
    ? `The provider responded with HTTP status ${number}.`
    : `The provider responded with its error code ${number}.`;
}
