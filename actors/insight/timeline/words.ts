// A story in words that a support person understands: one sentence for every code, check and next
// step. The one table of them; reasons are beside it (`reason-words.ts`). What a reader would get
// wrong: a sentence says no more than its entry knows. No instant stands in one, since each has its
// member, and no word of a message.

import { type ChannelId, catalog, isChannelId } from '../../channels/catalog.ts';
import type { CheckName, NextCode, StoryCode } from './codes.ts';
import type { Check, StoryEntry } from './protocol.ts';
import { wordsOfReason } from './reason-words.ts';

type Sentence = string | ((entry: StoryEntry) => string);

const sentences: Readonly<Record<StoryCode, Sentence>> = {
  tracked: ({ name = '' }) => `The event "${name}" was tracked.`,
  session: 'The person opened the app.',
  opened: ({ channel }) => `The message was opened${on(channel)}.`,
  clicked: ({ channel }) => `A link or button of the message was clicked${on(channel)}.`,
  dismissed: ({ channel }) => `The message was dismissed${on(channel)}.`,
  inapp_viewed: 'A message was seen in the app.',
  inapp_clicked: 'A message in the app was clicked.',
  inapp_dismissed: 'A message in the app was closed.',
  inbox_read: 'A message in the inbox of the app was read.',
  unsubscribed: ({ channel, source }) =>
    source === 'bounce'
      ? `Nothing more is sent to the address${on(channel)}, after a bounce or a complaint.`
      : `The person opted out${on(channel)}${by(source)}.`,

  accepted: ({ channels = [], test }) =>
    `Engage accepted ${test ? 'a test of a message' : 'the message'} for ${channels.length === 0 ? 'this person, who had no enabled device on its channels' : list(channels)}.`,
  attempt_paused: ({ channel }) => `${provider(channel)} asked to wait before the next call.`,
  attempt_unanswered: ({ channel, attempt = 1 }) =>
    `Call ${attempt} to ${inner(channel)} went out, and no answer came.`,
  attempt_not_taken: ({ channel, attempt = 1 }) =>
    `Call ${attempt} to ${inner(channel)} was not successful.`,
  sent: ({ channel }) => `The message left${on(channel)}.`,
  delivered: ({ channel, attempt = 1 }) =>
    `${provider(channel)} took the message${attempt > 1 ? ` at call ${attempt}` : ''}.`,
  // Not who says so: it may be Engage itself, which counts characters before it calls.
  bounced: ({ channel }) => `The message cannot be delivered${on(channel)}; it is not tried again.`,
  bounced_later: ({ channel }) =>
    `${provider(channel)} had taken the message, and said later that it did not arrive.`,
  failed: ({ channel, attempt = 0 }) =>
    attempt > 1
      ? `The message was given up on ${label(channel)} after ${attempt} calls.`
      : `The message was given up on ${label(channel)}.`,
  redriven: ({ channel }) => `The message was sent again${on(channel)}, on request.`,
  suppressed: ({ channel }) => `The message was not sent${on(channel)}.`,
  deferred: ({ channel }) => `The message was put off${on(channel)}.`,
  read: ({ channel }) => `${provider(channel)} says that the person has read the message.`,

  journey_enrolled: 'The person entered the journey.',
  journey_converted: 'The person did what the journey is for, and left it.',
  journey_completed: 'The person reached the end of the journey.',

  in_line: ({ channel }) => `The message is in line to be sent on ${label(channel)}.`,
  under_way: ({ channel }) => `A call to ${inner(channel)} is under way.`,
  waiting_for_retry: ({ channel }) => `The message waits to be tried again on ${label(channel)}.`,
  waiting_for_hours: ({ channel }) =>
    `The message waits for the end of quiet hours on ${label(channel)}.`,
  channel_paused: ({ channel }) =>
    `Nothing is sent on ${label(channel)} for now, because its provider asked to wait.`,
  channel_refused: ({ channel }) =>
    `Nothing is sent on ${label(channel)}, because its provider refuses to send for this app: the credential, or the account there, has to be put right.`,
  campaign_is_paused: 'The message waits, because its campaign is paused.',
  held_by_restore: 'The message is held, because this server was restored from a backup.',
  campaign_send: ({ name }) =>
    `This is a send of a campaign; what came of it is in the timeline of ${name === undefined ? 'its person' : name}.`,
  unknown_send:
    'Nothing is known of this send: this app never queued it, or it is older than the events that are kept.',

  no_device: 'The person has no device, so nothing can be sent to them.',
  device_disabled: ({ channel }) => `A device for ${label(channel)} is switched off.`,
  opted_out: ({ channels = [], source }) =>
    source === 'bounce'
      ? `Nothing is sent to the address on ${list(channels)}, after a bounce or a complaint.`
      : `The address has opted out${by(source)}, so nothing is sent to it on ${list(channels)}.`,
  prefers_channels: ({ channels = [] }) =>
    `The person wants marketing messages on ${list(channels)} only; transactional messages are not held to this.`,
  channel_not_configured: ({ channel }) =>
    `Nothing can be sent on ${label(channel)}: the app has no credential for it.`,
  email_allowance_used: 'The email allowance of the month is used up, so no email is sent.',
  daily_cap_used:
    'The org has sent as many messages today as its daily cap allows; campaigns and journeys wait.',
  quiet_hours_now: ({ channel }) =>
    `It is within quiet hours for this person, so marketing messages on ${label(channel)} wait.`,
  frequency_cap_reached: ({ channel }) =>
    `The person had as many messages as the frequency cap allows, so marketing messages on ${label(channel)} are left out.`,
  journey_waits: ({ step = '' }) => `The person is in a journey and waits at the step "${step}".`,
  journey_waits_for_goal: ({ step = '', name = '' }) =>
    `The person is in a journey, at the step "${step}", which waits for the event "${name}".`,
  journey_leaves: 'The person is in a journey that was paused, and leaves it at their next step.',
  journey_awaited: 'The person is about to enter a journey.',
  campaign_in_line: ({ channel }) => `The person is in line for a campaign${on(channel)}.`,
  campaign_held: ({ channel }) => `The person's turn in a campaign is put off${on(channel)}.`,
  campaign_paused: 'The person is in line for a campaign that is paused.',
};

const next: Readonly<Record<NextCode, string>> = {
  retry: 'It is tried again.',
  recheck: 'It is looked at again, with every check.',
  resume: 'The channel goes on.',
  probe: 'One message is tried, to see whether the provider sends for this app again.',
  start: 'It is sent as soon as there is room.',
  wake: 'The journey goes on, at the latest.',
  exit: 'The person leaves the journey.',
  renew: 'The allowance begins anew.',
  by_author: 'It goes on when the campaign is resumed.',
  by_operator: 'It is given up shortly, as a dead letter that can be sent again.',
};

const checks: Readonly<Record<CheckName, readonly [passed: string, failed: string]>> = {
  device: ['There was an enabled device.', 'There was no enabled device on its channels.'],
  expiry: ['Its time to live was not over.', 'Its time to live was over.'],
  opt_out: ['The address had not opted out.', 'The address had opted out.'],
  configured: ['The channel was set up.', 'The channel was not set up.'],
  content: ['The content could be sent.', 'The content could not be sent on this channel.'],
  email_allowance: [
    'There was room in the email allowance.',
    'The email allowance of the month was used up.',
  ],
  preference: [
    'The person wanted messages on this channel.',
    'The person wanted messages on other channels.',
  ],
  quiet_hours: ['It was outside quiet hours.', 'It was within quiet hours.'],
  frequency_cap: ['The frequency cap was not reached.', 'The frequency cap was reached.'],
};

/** What happened, and why, in whole sentences. */
export function wordsOf(entry: StoryEntry): string {
  const sentence = sentences[entry.code];
  const what = typeof sentence === 'string' ? sentence : sentence(entry);
  return entry.reason === undefined
    ? what
    : `${what} ${wordsOfReason(entry.reason, entry.channel)}`;
}

/** What follows, in a whole sentence. */
export function wordsOfNext({ code }: NonNullable<StoryEntry['next']>): string {
  return next[code];
}

/** What a check found, in a whole sentence. */
export function wordsOfCheck({ check, passed }: Check): string {
  return checks[check][passed ? 0 : 1];
}

function label(channel: string | undefined): string {
  return channel !== undefined && isChannelId(channel)
    ? catalog[channel as ChannelId].label
    : 'the channel';
}

/** `The provider of SMS`, at the beginning of a sentence. */
function provider(channel: string | undefined): string {
  return channel === undefined || !isChannelId(channel)
    ? 'The provider'
    : `The provider of ${label(channel)}`;
}

/** The same within a sentence. */
function inner(channel: string | undefined): string {
  return provider(channel).replace(/^T/, 't');
}

function on(channel: string | undefined): string {
  return channel === undefined || !isChannelId(channel) ? '' : ` on ${label(channel)}`;
}

function by(source: string | undefined): string {
  return source !== undefined && Object.hasOwn(sources, source) ? ` ${sources[source]}` : '';
}

const sources: Readonly<Record<string, string>> = {
  api: 'by a call to the API',
  callback: 'by their own reply or at the provider',
  unsubscribe: 'by the link in an email',
};

function list(channels: readonly string[]): string {
  const labels = channels.map(label);
  const last = labels.at(-1) ?? 'no channel';
  return labels.length < 2 ? last : `${labels.slice(0, -1).join(', ')} and ${last}`;
}
