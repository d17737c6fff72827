// The words of moving in from another service.

import { type PluralForms, plural } from '../../words/plural.ts';
import type { ServiceId } from './services.ts';

const lines: PluralForms = { one: '{n} line', other: '{n} lines' };

export const moveWords = {
  title: (service: string) => `Move in from ${service}`,
  choose: 'From another service',
  chooseText: 'Brings people together with their opt-outs, which are stored first.',
  names: {
    onesignal: 'OneSignal',
    braze: 'Braze',
    customerio: 'Customer.io',
    klaviyo: 'Klaviyo',
    mailchimp: 'Mailchimp',
    listmonk: 'listmonk',
  } satisfies Readonly<Record<ServiceId, string>>,
  first:
    'Opt-outs come first. People who unsubscribed get no campaigns and journeys here either; addresses that bounced or complained get nothing. If the import stops, no one is reachable who opted out, and a second import changes nothing.',
  exportTitle: 'Export',
  exports: {
    onesignal:
      'Export subscriptions as CSV, with the extra fields external_user_id, onesignal_id, notification_types, timezone_id and country. Without notification_types, the file does not say who opted out.',
    braze:
      'Export users by /users/export/segment with external_id, email, phone, email_subscribe, push_subscribe, push_tokens, custom_attributes, time_zone and language; the subscription groups by /subscription/user/status; and /email/hard_bounces and /email/unsubscribes. Unpack zip files.',
    customerio:
      'Export people as CSV with all attributes, with unsubscribed and cio_subscription_preferences among them. Export suppressed people to a file of their own, and import it with --suppressed.',
    klaviyo:
      'Export a segment of all profiles as CSV with all columns, and the suppressed profiles.',
    mailchimp:
      'Export the audience, unpack the zip, and keep the names of its files, which say the status.',
    listmonk:
      'Export the subscribers as CSV, or call GET /api/subscribers?per_page=all, which has the lists too.',
  } satisfies Readonly<Record<ServiceId, string>>,
  commandTitle: 'Import on the server',
  commandText:
    'The command reads all files at once, also large and compressed ones. It needs an API key with the scope write in ENGAGE_API_KEY.',
  tryIt: 'See what would happen:',
  doIt: 'Import:',
  topicsText: 'Lists and subscription groups become topics.',
  webPush: 'Web push belongs to the keys of OneSignal and is not imported; browsers ask again.',
  here: 'Import here',
  hereText:
    'Choose the CSV. This page first says what is in it. For several files, or other options, use the command below.',
  chooseFile: 'Choose the CSV',
  file: 'CSV of OneSignal',
  reading: 'Reading the file…',
  notUtf8: 'The file is not in UTF-8. Use the command with --encoding.',
  lacks: {
    columns: 'The file has no columns identifier and device_type, so it is not OneSignal’s export.',
    optOuts:
      'The file has no column notification_types, so it does not say who opted out. Export it again with that extra field.',
  },
  passes: {
    judge: 'Reading the file',
    optOuts: 'Storing opt-outs',
    people: 'Importing people',
  },
  checked: 'This is in the file. Nothing is stored yet.',
  start: 'Import',
  stop: 'Stop',
  again: 'Import again',
  other: 'Choose another file',
  done: 'Imported.',
  stopped:
    'Stopped. What was stored so far stays stored. Import again to finish: it changes nothing twice.',
  seePeople: 'View people',
  figures: {
    lines: 'Lines',
    optOuts: 'Opt-outs',
    stored: 'Opt-outs stored',
    created: 'New people',
    updated: 'Lines of people who are here',
    left: 'Without a device',
    failed: 'Problems',
  },
  leftText: (n: number) =>
    `${plural(n, lines)} of push that is turned off or cannot be moved: the people are imported without it.`,
  looksLike: (service: string) =>
    `This looks like an export of ${service}. The import by columns does not read who opted out, so people who unsubscribed would become reachable.`,
  useMove: (service: string) => `Move in from ${service}`,
  anyway: 'The opt-outs are stored already, or I add them another way.',
  anywayFirst: 'Say first how the opt-outs of this file are brought in.',
} as const;
