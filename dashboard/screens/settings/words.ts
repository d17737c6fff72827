// The words of App settings: what each setting is, and what a change of it breaks.

import { type PluralForms, plural } from '../../words/plural.ts';

const days: PluralForms = { one: '{n} day', other: '{n} days' };

export const words = {
  title: 'App settings',
  jump: 'Parts of the settings',
  allChannels: 'All channels',
  onlyChannels: 'Only these channels',
  saved: 'The settings are saved.',
  general: {
    title: 'General',
    intro: 'The name is shown to your team, and on unsubscribe pages.',
    name: 'Name',
    timezone: 'Time zone',
    timezoneHint:
      'Days in reports, schedules, and quiet hours of people without a zone of their own. A change moves the limits of days in reports.',
    country: 'Country of phone numbers',
    countryHint: 'Numbers without a country code are read as numbers of this country.',
    noCountry: 'None: numbers need their country code',
    names: 'Names of people',
    namesHint: 'Tags, with commas between them. If empty: name, or first_name and last_name.',
    id: 'App id',
  },
  caps: {
    title: 'Frequency caps',
    intro:
      'The most marketing messages for one person in a rolling window. What is above is not sent, and counts as suppressed. Transactional messages are never capped.',
    max: 'At most',
    per: 'messages in',
    hours: 'hours',
    on: 'on',
    add: 'Add cap',
    remove: 'Remove cap',
    none: 'No cap: a person can get any number of marketing messages.',
  },
  undo: {
    title: 'Undo a send',
    intro:
      'A campaign that is sent in the dashboard begins after these seconds, and can be undone until then.',
    seconds: 'Seconds',
    hint: 'Up to 60; with 0 a send begins at once. It holds for every send, to few people and to many.',
  },
  guard: {
    title: 'Campaign guard',
    intro:
      'A campaign whose emails go wrong pauses itself, and tells you why. You can resume it, and each campaign may have limits of its own.',
    on: 'Campaigns pause themselves',
  },
  quiet: {
    title: 'Quiet hours',
    intro:
      'Marketing messages in these hours wait until they end. Transactional messages are sent at once.',
    on: 'Hold marketing messages in quiet hours',
    start: 'From',
    end: 'Until',
    endHint: 'An end before the start is on the next day.',
    zone: 'In whose time',
    own: 'Each person’s own time zone',
    fixed: 'One time zone for everybody',
    timezone: 'Time zone',
  },
  sender: {
    title: 'Email sender',
    intro: 'Who emails come from, and where replies go.',
    fromName: 'Name',
    fromAddress: 'Address',
    fromHint: (platform: string | null) =>
      platform === null
        ? 'An address of a verified domain.'
        : `An address of a verified domain. Empty: ${platform}.`,
    domains: 'Sender domains',
    replyTo: 'Replies to',
    replyHint: 'Empty: the sender’s address.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    intro:
      'How emails offer to stop. Marketing always has at least the header, as mailbox providers ask.',
    way: 'Where emails offer it',
    ways: {
      default: 'As usual: marketing both, transactional none',
      none: 'Nowhere, but the header in marketing',
      footer: 'A link below the text',
      header: 'The button of the mail program',
      both: 'Link and button',
    },
    scope: 'What it ends',
    scopes: {
      all: { label: 'All messages', hint: 'The address gets nothing any more, receipts included.' },
      marketing: {
        label: 'Marketing only',
        hint: 'Messages about the account still arrive; the page has a second link that ends all.',
      },
    },
    text: 'Words of the link',
    textHint: 'Empty: “Unsubscribe” in the language of the person.',
  },
  tracking: {
    title: 'Opens and clicks',
    intro:
      'An invisible picture tells opens, and links pass through this server. Without it, emails have no opens and clicks in reports, and winners of experiments cannot be chosen by them.',
    on: 'Track opens and clicks of emails',
  },
  keywords: {
    title: 'Keywords',
    intro:
      'What people answer to stop or start messages. The usual words of 40 languages are known already; these are added.',
    stop: 'Also means STOP',
    start: 'Also means START',
    hint: 'One a line. A reply counts if the keyword is all of it.',
  },
  wording: {
    title: 'Wording',
    intro:
      'Words that Engage adds to messages and pages. They exist in 40 languages; replace what does not fit your tone. “default” is for languages without words of their own.',
    language: 'Language',
    example: 'de',
    languageHint: 'A tag such as de or pt-BR, or default.',
    add: 'Add language',
    remove: 'Remove this language',
    none: 'The built-in words are used in every language.',
    placeholders: '{app} and {address} stand for the app’s name and the person’s address.',
    fields: {
      open: 'Button that opens a link',
      unsubscribe: 'Unsubscribe link and button',
      confirmTitle: 'Page: title',
      confirmText: 'Page: text',
      confirmMarketingText: 'Page: text, marketing only',
      everything: 'Page: link that ends all',
      doneTitle: 'Done: title',
      doneText: 'Done: text',
      doneMarketingText: 'Done: text, marketing only',
    },
  },
  retention: {
    title: 'Retention',
    intro: 'How long events and sends are kept.',
    days: 'Days',
    hint: 'Empty: the platform’s default.',
    breaks: 'What a shorter time breaks:',
    list: [
      'Segments that look further back find nobody there.',
      'Insights, timelines and statistics end at that day.',
      'Journeys that wait longer for a goal no longer see older events.',
      'What it hides stays hidden: a longer time does not bring it back.',
    ],
    before: 'Hidden and deleted: everything before',
    shorterTitle: 'Keep events for a shorter time?',
    shorter: (n: number) =>
      `Events and sends older than ${plural(n, days)} are hidden at once, and deleted within a day. This cannot be undone.`,
    shorterAct: 'Shorten and delete',
  },
  identity: {
    title: 'Identity verification',
    intro:
      'What an app or a website must prove when it logs a person in with your user id. Without proof, anybody who knows an id could receive what is meant for that person.',
    mode: 'A login needs',
    modes: {
      required: { label: 'A hash, always', hint: 'Your server signs each user id. The safest.' },
      'first-use': {
        label: 'A hash, except at first use',
        hint: 'The first device that claims an unknown id gets it without proof.',
      },
      open: {
        label: 'Nothing',
        hint: 'Anybody who knows a user id can receive that person’s messages. Only for tests.',
      },
    },
    secret: 'Create identity secret',
    again: 'The secret before stays valid for 24 hours.',
    first:
      'With the first secret, logins need a hash unless you chose otherwise; devices that are logged in have 24 hours.',
    askTitle: 'Create an identity secret?',
    ends: 'End all sessions of devices at once, as after a leak. Everybody must log in again.',
    shownTitle: 'Identity secret',
    line: 'Secret',
    env: 'For a .env file',
    codeTitle: 'On your server',
    keep: 'Keep it on your server. Never put it in an app or a web page.',
  },
  keyless: {
    title: 'Apps and websites without proof',
    intro: 'What devices may do that have neither a key nor a proven login.',
    startJourneys: 'Their events start journeys',
    countEngagement: 'Their opens, clicks and goals count in reports',
    registerPaidChannels:
      'They may register numbers for channels that bill per message (SMS, voice, WhatsApp, RCS, KakaoTalk, Viber)',
    perMinute: 'New people a minute',
    perMinuteHint: 'Empty: the platform’s default, 600. Protects you from invented people.',
    expiry: 'Anonymous people expire after',
    expiryHint: 'Days without activity. Empty: never. Their record goes, their events stay.',
  },
  webhook: {
    title: 'Delivery webhook',
    intro:
      'The older webhook: delivered, bounced, suppressed, deferred and failed messages to one address. Webhooks under Integrations can do more.',
    url: 'URL',
    urlHint: 'Empty: off. No event from before is sent.',
    secret: 'Signing secret',
    secretSet: 'One is stored. Type another to replace it.',
    secretNone: 'None is stored: deliveries are not signed.',
    remove: 'Remove the secret',
    removed: 'The secret is removed when you save.',
    integrations: 'Integrations and webhooks',
  },
  remove: {
    title: 'Delete this app',
    intro:
      'People, messages, campaigns, journeys, statistics and the app’s keys are gone at once. Sends that wait are dropped. Usage stays on the invoice.',
    act: 'Delete app',
    ask: (name: string) => `Delete ${name}?`,
    text: 'This cannot be undone. Systems that use keys of this app are answered 401 from now on.',
    done: (name: string) => `${name} was deleted.`,
  },
} as const;
