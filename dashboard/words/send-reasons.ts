// Why a message was not sent, or not yet, in words: short ones for what is seen often, else the
// first sentence of what the story of the send says.

import { reasonRows } from './reasons.generated.ts';

const reasons: Partial<Readonly<Record<string, string>>> = {
  canceled: 'The campaign was canceled',
  activity_closed: 'The Live Activity is closed',
  superseded: 'A newer message replaced it',
  no_device: 'No device to reach them',
  expired: 'The message expired before it could be sent',
  opt_out: 'Opted out',
  not_configured: 'The channel has no credential',
  topic_opt_out: 'Not in this topic',
  channel_preference: 'Prefers other channels',
  frequency_cap: 'The frequency cap is reached',
  content_removed: 'The message was deleted',
  invalid_content: 'The message cannot be rendered for them',
  email_cap: 'The email allowance is used up',
  journey_off: 'The journey is off',
  quiet_hours: 'Quiet hours in their time zone',
  daily_cap: 'The daily send cap is reached',
  warm_up: 'The sender domain is warming up',
  clock_unconfirmed: 'The server’s clock is not confirmed yet',
  local_time: 'Waiting for their local time',
  optimal_time: 'Waiting for the hour they usually open messages',
  holdout: 'Held out as the control group',
  experiment: 'Waiting for the winning variant',
  suppressed: 'On the suppression list',
  unknown_outcome: 'The outcome at the provider is unknown',
  provider_refuses: 'The provider rejects the app’s sends',
  unregistered: 'The app is no longer on the device',
  timeout: 'The provider did not respond in time',
};

let told: ReadonlyMap<string, string> | undefined;

/** By reason, made when the first one is asked for. */
function sentences(): ReadonlyMap<string, string> {
  told ??= new Map(
    reasonRows.flatMap(([sentence, of]) => of.split(' ').map((reason) => [reason, sentence])),
  );
  return told;
}

/** A provider's last failure, with its own words where it gave any. */
export function failureText(reason: string, detail: string | null, channel?: string): string {
  const text = reasonText(reason, channel);
  return detail === null ? text : `${text}: “${detail}”`;
}

/** Words without a full stop. One reason may mean something else on another channel. */
export function reasonText(reason: string, channel?: string): string {
  const own = sentences().get(`${channel}:${reason}`);
  if (own === undefined && Object.hasOwn(reasons, reason)) return reasons[reason] ?? reason;
  const sentence = own ?? sentences().get(reason);
  return sentence === undefined ? foreignText(reason) : firstOf(sentence);
}

function firstOf(sentences: string): string {
  return sentences.split('. ')[0]?.replace(/\.$/, '') ?? sentences;
}

/** `http_503`, `code_30007`: the provider's numbers; else a code that nobody foresaw. */
function foreignText(reason: string): string {
  const [, what, number] = /^(http|code)_(-?\d{1,9})$/.exec(reason) ?? [];
  if (what === 'http') return `The provider responded with HTTP status ${number}`;
  if (what === 'code') return `The provider responded with its error code ${number}`;
  const words = reason.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
