// Why a message was not sent, or not yet, in words. A reason without words here is shown by its code.

const reasons: Partial<Readonly<Record<string, string>>> = {
  canceled: 'The campaign was canceled',
  activity_closed: 'The Live Activity is closed',
  superseded: 'A newer message took its place',
  no_device: 'No device to reach them on',
  expired: 'The message expired before it could be sent',
  opt_out: 'Opted out',
  not_configured: 'The channel has no credential',
  channel_preference: 'Prefers other channels',
  frequency_cap: 'The frequency cap is reached',
  content_removed: 'The message was deleted',
  invalid_content: 'The message cannot be rendered for them',
  email_cap: 'The email allowance is used up',
  journey_off: 'The journey is off',
  quiet_hours: 'Quiet hours where they live',
  daily_cap: 'The daily cap of sends is used up',
  clock_unconfirmed: 'The server’s clock is not confirmed yet',
  local_time: 'Waiting for their local time',
  optimal_time: 'Waiting for the hour they usually read',
  holdout: 'Held out as the control group',
  experiment: 'Waiting for the winning variant',
  suppressed: 'On the suppression list',
  unknown_outcome: 'The provider did not say what became of it',
  provider_refuses: 'The provider refuses the app’s sends',
  unregistered: 'The app is no longer on the device',
  timeout: 'The provider did not answer in time',
};

/** A provider's last failure, with its own words where it gave any. */
export function failureText(reason: string, detail: string | null): string {
  const text = reasonText(reason);
  return detail === null ? text : `${text}: “${detail}”`;
}

export function reasonText(reason: string): string {
  return reasons[reason] ?? reason.replaceAll('_', ' ');
}
