// A sentence for every code, check and next step of a story, for support staff. A sentence says no
// more than its entry knows, and contains no instants and no message content.

import { channelLabels, isChannelId } from '../../channels/channel-ids.ts';
import type { CheckName, NextCode, StoryCode } from './codes.ts';
import type { Check, StoryEntry } from './protocol.ts';
import { sentenceOfReason } from './reason-sentences.ts';

/** Members, which are no content. */
function without(dropped: NonNullable<StoryEntry['dropped']>): string {
  return dropped.length === 0 ? '' : `, without ${listed(dropped.map(({ field }) => field))}`;
}

function withFiles(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', with one file' : `, with ${count} files`;
}

type Sentence = string | ((entry: StoryEntry) => string);

const sentences: Readonly<Record<StoryCode, Sentence>> = {
  tracked: ({ name = '' }) => `The event "${name}" was tracked.`,
  session: 'The person opened the app.',
  opened: ({ channel }) => `The message was opened${on(channel)}.`,
  clicked: ({ channel }) => `A link or button of the message was clicked${on(channel)}.`,
  dismissed: ({ channel }) => `The message was dismissed${on(channel)}.`,
  inapp_viewed: 'The person saw an in-app message.',
  inapp_clicked: 'The person clicked an in-app message.',
  inapp_dismissed: 'The person dismissed an in-app message.',
  inbox_read: "The person read a message in the app's inbox.",
  inbox_archived: "The person archived a message in the app's inbox.",
  unsubscribed: ({ channel, source, relayName }) =>
    source === 'bounce'
      ? `The address was suppressed${on(channel)} after a bounce or a complaint.`
      : `The person opted out${on(channel)}${relayName === undefined ? by(source) : ` at ${relayName}`}.`,
  preferences_changed: ({ choices = {}, changed = [], source }) =>
    `The person's preferences changed${by(source)}.${told(choices, changed)}`,
  opt_in_confirmed: ({ choices = {} }) =>
    `The person confirmed their email address.${told(choices, [])}`,

  accepted: ({ channels = [], test, attachments = [] }) =>
    `Engage accepted ${test ? 'a test of a message' : 'the message'} for ${channels.length === 0 ? 'this person, who had no enabled device on these channels' : list(channels)}${withFiles(attachments.length)}.`,
  attempt_paused: ({ channel, relayName }) =>
    `${provider(channel, relayName)} asked to wait before the next call.`,
  attempt_unanswered: ({ channel, relayName, attempt = 1 }) =>
    `Call ${attempt} to ${inner(channel, relayName)} was sent, but got no response.`,
  attempt_not_taken: ({ channel, relayName, attempt = 1 }) =>
    `Call ${attempt} to ${inner(channel, relayName)} failed.`,
  sent: ({ channel, relayName, attempt = 1, dropped = [] }) =>
    `${provider(channel, relayName)} accepted the message${attempt > 1 ? ` on call ${attempt}` : ''}${without(dropped)}, and will report the result.`,
  delivered: ({ channel, relayName, attempt = 1, dropped = [] }) =>
    `${provider(channel, relayName)} accepted the message${attempt > 1 ? ` on call ${attempt}` : ''}${without(dropped)}.`,
  // Does not name the sender: Engage itself may count characters before the call.
  bounced: ({ channel }) =>
    `The message cannot be delivered${on(channel)}; it will not be retried.`,
  bounced_later: ({ channel, relayName }) =>
    `${provider(channel, relayName)} accepted the message, but reported later that it was not delivered.`,
  delivered_later: ({ channel, relayName }) =>
    `${provider(channel, relayName)} reported that the message was delivered.`,
  deferred_later: ({ channel, relayName }) =>
    `${provider(channel, relayName)} reported that the recipient's server asked to wait. It keeps trying.`,
  failed: ({ channel, attempt = 0 }) =>
    attempt > 1
      ? `The message failed on ${label(channel)} after ${attempt} calls.`
      : `The message failed on ${label(channel)}.`,
  redriven: ({ channel }) => `The message was sent again${on(channel)}, by a redrive.`,
  suppressed: ({ channel }) => `The message was not sent${on(channel)}.`,
  deferred: ({ channel }) => `The message was deferred${on(channel)}.`,
  read: ({ channel, relayName }) =>
    `${provider(channel, relayName)} reported that the person read the message.`,

  journey_enrolled: 'The person entered the journey.',
  journey_converted: 'The person reached the goal of the journey and left it.',
  journey_completed: 'The person completed the journey.',

  in_line: ({ channel }) => `The message is queued on ${label(channel)}.`,
  under_way: ({ channel, relayName }) => `A call to ${inner(channel, relayName)} is in progress.`,
  waiting_for_retry: ({ channel }) => `The message is waiting to be retried on ${label(channel)}.`,
  waiting_for_hours: ({ channel }) =>
    `The message is waiting for quiet hours to end on ${label(channel)}.`,
  channel_paused: ({ channel }) =>
    `Sending on ${label(channel)} is paused because the ${channel === 'email' ? 'relay' : 'provider'} asked to wait.`,
  channel_refused: ({ channel }) =>
    `Sending on ${label(channel)} is paused because the provider rejects the app's sends. Fix the credential, or the account at the provider.`,
  channel_unreached: ({ channel }) =>
    `Sending on ${label(channel)} is paused because calls to the provider fail. Nothing is lost; one message at a time is tried.`,
  campaign_is_paused: 'The message is waiting because its campaign is paused.',
  held_by_restore: 'The message is on hold because this server was restored from a backup.',
  campaign_send: ({ name }) =>
    `This send belongs to a campaign; its result is in the timeline of ${name === undefined ? 'the person it was for' : name}.`,
  unknown_send:
    'Nothing is known about this send: this app never queued it, or it is older than the events that are kept.',

  no_device: 'The person has no device, so nothing can be sent to them.',
  device_disabled: ({ channel }) => `A device for ${label(channel)} is disabled.`,
  opted_out: ({ channels = [], source }) =>
    source === 'bounce'
      ? `The address is suppressed on ${list(channels)} after a bounce or a complaint.`
      : `The address opted out${by(source)}, so nothing is sent to it on ${list(channels)}.`,
  opted_out_of_marketing: ({ channels = [], source }) =>
    `The address opted out of marketing messages on ${list(channels)}${by(source)}. Transactional messages are sent to it.`,
  address_rests:
    'The address rests: several emails in a row came back for reasons that pass, such as a full mailbox. Marketing is not sent to it, transactional email is.',
  prefers_channels: ({ channels = [] }) =>
    `The person wants marketing messages on ${list(channels)} only. Transactional messages ignore this preference.`,
  channel_not_configured: ({ channel }) =>
    channel === 'email'
      ? 'No email can be sent: the app has no verified sender, or the server no mail relay.'
      : `Nothing can be sent on ${label(channel)}: the app has no credential for it.`,
  email_allowance_used: 'The email allowance of the month is used up, so no email is sent.',
  daily_cap_used: 'The org has reached its daily send cap; campaigns and journeys wait.',
  quiet_hours_now: ({ channel }) =>
    `Quiet hours are in effect for this person, so marketing messages on ${label(channel)} wait.`,
  frequency_cap_reached: ({ channel }) =>
    `The person has reached the frequency cap, so marketing messages on ${label(channel)} are suppressed.`,
  journey_waits: ({ step = '' }) => `The person is in a journey, waiting at the step "${step}".`,
  journey_waits_for_goal: ({ step = '', name = '' }) =>
    `The person is in a journey, at the step "${step}", waiting for the event "${name}".`,
  journey_leaves:
    'The person is in a journey that was paused, and will exit it at their next step.',
  journey_awaited: 'The person is about to enter a journey.',
  campaign_in_line: ({ channel }) => `The person is queued in a campaign${on(channel)}.`,
  campaign_held: ({ channel }) => `The person's send in a campaign is deferred${on(channel)}.`,
  campaign_paused: 'The person is queued in a campaign that is paused.',
};

const next: Readonly<Record<NextCode, string>> = {
  retry: 'It will be retried.',
  recheck: 'It will be checked again.',
  resume: 'One message is tried; the others follow once it is accepted.',
  probe: "One message is sent, to check whether the provider accepts the app's sends again.",
  start: 'It is sent as soon as there is capacity.',
  wake: 'The journey continues then at the latest.',
  exit: 'The person leaves the journey.',
  renew: 'The allowance resets.',
  by_author: 'It continues when the campaign is resumed.',
  by_operator: 'It fails shortly and becomes a dead letter, which can be redriven.',
};

const checks: Readonly<Record<CheckName, readonly [passed: string, failed: string]>> = {
  device: [
    'The person had an enabled device.',
    'The person had no enabled device on the channels of the message.',
  ],
  expiry: ['The time to live had not expired.', 'The time to live had expired.'],
  opt_out: ['The address had not opted out.', 'The address had opted out.'],
  configured: ['The channel was configured.', 'The channel was not configured.'],
  content: ['The content could be sent.', 'The content could not be sent on this channel.'],
  email_allowance: [
    'The email allowance was not used up.',
    'The email allowance of the month was used up.',
  ],
  topic: [
    'The person was in the topic of the message.',
    'The person was not in the topic of the message.',
  ],
  preference: [
    "The person's channel preference allowed this channel.",
    'The person preferred other channels.',
  ],
  quiet_hours: ['Quiet hours were not in effect.', 'Quiet hours were in effect.'],
  frequency_cap: ['The frequency cap was not reached.', 'The frequency cap was reached.'],
};

export function sentenceOf(entry: StoryEntry): string {
  const sentence = sentences[entry.code];
  const what = typeof sentence === 'string' ? sentence : sentence(entry);
  return entry.reason === undefined
    ? what
    : `${what} ${sentenceOfReason(entry.reason, entry.channel)}`;
}

export function sentenceOfNext({ code }: NonNullable<StoryEntry['next']>): string {
  return next[code];
}

export function sentenceOfCheck({ check, passed }: Check): string {
  return checks[check][passed ? 0 : 1];
}

function label(channel: string | undefined): string {
  return channel !== undefined && isChannelId(channel) ? channelLabels[channel] : 'the channel';
}

/** `The SMS provider`, or the relay by its name, at the start of a sentence. */
function provider(channel: string | undefined, relayName?: string): string {
  if (relayName !== undefined) return relayName;
  return channel === undefined || !isChannelId(channel)
    ? 'The provider'
    : `The ${label(channel)} provider`;
}

/** The same within a sentence. */
function inner(channel: string | undefined, relayName?: string): string {
  return relayName ?? provider(channel).replace(/^T/, 't');
}

function on(channel: string | undefined): string {
  return channel === undefined || !isChannelId(channel) ? '' : ` on ${label(channel)}`;
}

function by(source: string | undefined): string {
  return source !== undefined && Object.hasOwn(sources, source) ? ` ${sources[source]}` : '';
}

/** Topics by their keys: their names may have changed since. */
function told(
  choices: Readonly<Record<string, string | null>>,
  changed: readonly string[],
): string {
  const of = (wanted: string | null) =>
    listed(Object.entries(choices).flatMap(([key, now]) => (now === wanted ? [`"${key}"`] : [])));
  const parts = [
    ['in', of('in')],
    ['out of', of('out')],
    ['not confirmed yet in', of('pending')],
    ['without a choice of', of(null)],
  ].flatMap(([how, topics]) => (topics === '' ? [] : [`${how} ${topics}`]));
  const others = listed(changed.map((name) => memberNames[name] ?? name));
  return [
    ...(parts.length === 0 ? [] : [` They are now ${parts.join(', ')}.`]),
    ...(others === '' ? [] : [` Also changed: ${others}.`]),
  ].join('');
}

const memberNames: Readonly<Record<string, string>> = {
  channels: 'the preferred channels',
  language: 'the language',
  timezone: 'the time zone',
};

const sources: Readonly<Record<string, string>> = {
  api: 'through the API',
  sdk: 'in the app',
  page: 'on the preferences page',
  import: 'by an import',
  callback: 'by replying, or at the provider',
  unsubscribe: 'through the unsubscribe link in an email',
};

function list(channels: readonly string[]): string {
  return listed(channels.map(label)) || 'no channel';
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
