// The words of App settings: what each setting does, and what a change of it breaks.

import { type PluralForms, plural } from '../../words/plural.ts';

const days: PluralForms = { one: '{n} day', other: '{n} days' };

export const words = {
  title: 'App settings',
  jump: 'Sections',
  allChannels: 'All channels',
  onlyChannels: 'Only these channels',
  saved: 'The settings were saved.',
  general: {
    title: 'General',
    intro: 'The name is shown to your team and on unsubscribe pages.',
    name: 'Name',
    timezone: 'Time zone',
    timezoneHint:
      'Used for days in reports, for schedules, and for quiet hours of people without a time zone. If you change it, days in reports start at a different time.',
    country: 'Default country of phone numbers',
    countryHint: 'Numbers without a country code are treated as numbers in this country.',
    noCountry: 'None (numbers need a country code)',
    names: 'Tags for names of people',
    namesHint: 'Tags separated by commas. Default: name, or first_name and last_name.',
    id: 'App ID',
  },
  caps: {
    title: 'Frequency caps',
    intro:
      'The maximum number of marketing messages per person in a rolling window. Messages above the cap are not sent and count as suppressed. Transactional messages are never capped.',
    max: 'At most',
    per: 'messages in',
    hours: 'hours',
    on: 'on',
    add: 'Add cap',
    remove: 'Remove cap',
    none: 'No caps. A person can get any number of marketing messages.',
  },
  undo: {
    title: 'Undo a send',
    intro:
      'When you send a campaign in the dashboard, sending starts after this delay. Until then, you can undo it.',
    seconds: 'Seconds',
    hint: 'Up to 60. With 0, sending starts immediately. The delay applies to every campaign, whatever its size.',
  },
  prices: {
    title: 'Prices of text messages',
    intro:
      'What your own carrier account costs. The review of a campaign then says what its text messages cost. A relay with prices of its own counts with those.',
  },
  signUps: {
    title: 'Double opt-in',
    intro: 'When an app signs an email address up, its owner can be asked to confirm it first.',
    ask: 'Ask for a confirmation of sign-ups that name no topics',
    hint: 'Each topic has a double opt-in of its own. Sign-up forms always ask, and so does a sign-up for an address that belongs to someone else.',
    disposable: 'Refuse new email addresses of disposable mailboxes',
    disposableHint: 'In imports, sign-ups and calls. Addresses that people already have stay.',
    topics: 'Topics',
    forms: 'Sign-up forms',
  },
  guard: {
    title: 'Campaign guard',
    intro:
      'A campaign pauses automatically when too many of its emails fail, and shows why. You can resume it, and you can set other limits for each campaign.',
    on: 'Pause campaigns automatically',
  },
  quiet: {
    title: 'Quiet hours',
    intro:
      'Marketing messages wait until quiet hours end. Transactional messages are sent immediately.',
    on: 'Hold marketing messages in quiet hours',
    start: 'From',
    end: 'Until',
    endHint: 'If the end is before the start, quiet hours end on the next day.',
    zone: 'Time zone to use',
    own: 'Each person’s own time zone',
    fixed: 'One time zone for everyone',
    timezone: 'Time zone',
  },
  sender: {
    title: 'Email sender',
    intro: 'The sender of your emails, and the address for replies.',
    fromName: 'Name',
    fromAddress: 'Address',
    fromHint: (platform: string | null) =>
      platform === null
        ? 'An address in a verified domain.'
        : `An address in a verified domain. Default: ${platform}.`,
    domains: 'Sender domains',
    replyTo: 'Reply to',
    replyHint: 'Default: the sender’s address.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    intro:
      'How people can unsubscribe from emails. Marketing emails always have at least the header, because mailbox providers require it.',
    way: 'Unsubscribe options in emails',
    ways: {
      default: 'Default: both in marketing, none in transactional',
      none: 'None, except the header in marketing',
      footer: 'A link below the text',
      header: 'The unsubscribe button in email clients',
      both: 'Link and button',
    },
    scope: 'What people unsubscribe from',
    scopes: {
      all: { label: 'All messages', hint: 'The address gets no more messages, not even receipts.' },
      marketing: {
        label: 'Marketing only',
        hint: 'Messages about the account still arrive. The page has a second link to unsubscribe from all.',
      },
    },
    text: 'Text of the link',
    textHint: 'Default: “Unsubscribe” in the person’s language.',
  },
  tracking: {
    title: 'Opens and clicks',
    intro:
      'Emails contain an invisible picture that reports opens, and their links lead through this server. Without tracking, reports show no opens and clicks of emails, and experiments cannot use them to choose a winner.',
    on: 'Track opens and clicks in emails',
  },
  utm: {
    title: 'Campaign parameters of links',
    intro:
      'Links in emails, and links that a tap opens, get these parameters if they do not have them, so that web analytics can tell where visitors come from. Transactional messages get none unless the call asks for them.',
    hint: 'Liquid over campaign, campaign_id, journey, journey_id, step, variant and channel.',
    examples: {
      source: 'engage',
      medium: '{{ channel }}',
      campaign: '{{ campaign | default: journey }}',
      term: '',
      content: '{{ variant }}',
    },
  },
  keywords: {
    title: 'Keywords',
    intro:
      'Replies that stop or start messages. Engage already knows the usual keywords in 40 languages. You can add more.',
    stop: 'Also treat as STOP',
    start: 'Also treat as START',
    hint: 'One per line. The whole reply must match the keyword.',
  },
  wording: {
    title: 'Wording',
    intro:
      'Texts that Engage adds to messages and pages. They exist in 40 languages, and you can replace the ones that do not fit your tone. “default” applies to languages without custom texts.',
    language: 'Language',
    example: 'de',
    languageHint: 'A language tag such as de or pt-BR, or “default”.',
    add: 'Add language',
    remove: 'Remove this language',
    none: 'Every language uses the built-in texts.',
    placeholders: '{app} and {address} are replaced with the app’s name and the person’s address.',
    fields: {
      open: 'Button that opens a link',
      unsubscribe: 'Unsubscribe link and button',
      confirmTitle: 'Page: title',
      confirmText: 'Page: text',
      confirmMarketingText: 'Page: text, marketing only',
      everything: 'Page: link to unsubscribe from all',
      doneTitle: 'Done: title',
      doneText: 'Done: text',
      doneMarketingText: 'Done: text, marketing only',
    },
  },
  retention: {
    title: 'Retention',
    intro: 'How long events and sends are kept.',
    days: 'Days',
    hint: 'Default: the platform’s setting.',
    breaks: 'Effects of a shorter time:',
    list: [
      'Segments that look further back find no older events.',
      'Insights, timelines and statistics do not go further back.',
      'Journeys that wait longer for a goal no longer see older events.',
      'Hidden events stay hidden, even if you choose a longer time later.',
    ],
    before: 'Everything is hidden and deleted before',
    shorterTitle: 'Keep events for a shorter time?',
    shorter: (n: number) =>
      `Events and sends older than ${plural(n, days)} are hidden immediately and deleted within a day. This cannot be undone.`,
    shorterAct: 'Shorten and delete',
  },
  identity: {
    title: 'Identity verification',
    intro:
      'How an app or a website must prove who a person is when it logs them in with your user ID. Without proof, anyone who knows a user ID could receive messages meant for that person.',
    mode: 'Logins require',
    modes: {
      required: {
        label: 'A hash, always',
        hint: 'Your server signs each user ID. This is the safest mode.',
      },
      'first-use': {
        label: 'A hash, except on first use',
        hint: 'The first device that logs in with an unknown user ID needs no proof.',
      },
      open: {
        label: 'Nothing',
        hint: 'Anyone who knows a user ID can receive that person’s messages. Use this only for tests.',
      },
    },
    secret: 'Create identity secret',
    again: 'The previous secret stays valid for 24 hours.',
    first:
      'After you create the first secret, logins require a hash unless you chose another mode. Devices that are logged in stay logged in for 24 hours.',
    askTitle: 'Create an identity secret?',
    ends: 'End all device sessions now, for example after a leak. Everyone must log in again.',
    shownTitle: 'Identity secret',
    line: 'Secret',
    env: 'For a .env file',
    codeTitle: 'On your server',
    keep: 'Keep it on your server. Never put it in an app or a web page.',
  },
  keyless: {
    title: 'Apps and websites without proof',
    intro: 'What devices can do without an API key or a verified login.',
    startJourneys: 'Their events can start journeys',
    countEngagement: 'Their opens, clicks and goals count in reports',
    registerPaidChannels:
      'They can register phone numbers for channels that bill per message (SMS, voice, WhatsApp, RCS, KakaoTalk, Viber)',
    perMinute: 'New people per minute',
    perMinuteHint: 'Default: the platform’s limit, 600. Protects you from fake people.',
    expiry: 'Anonymous people expire after',
    expiryHint: 'Days without activity. Default: never. Their events are kept.',
  },
  webhook: {
    title: 'Delivery webhook',
    intro:
      'A legacy webhook that reports delivered, bounced, suppressed, deferred and failed messages to one URL. Webhooks under Integrations can do more.',
    url: 'URL',
    urlHint: 'Leave empty to turn it off. Earlier events are not sent.',
    secret: 'Signing secret',
    secretSet: 'A secret is stored. Enter another to replace it.',
    secretNone: 'No secret is stored, so deliveries are not signed.',
    remove: 'Remove the secret',
    removed: 'The secret will be removed when you save.',
    integrations: 'Integrations and webhooks',
  },
  remove: {
    title: 'Delete this app',
    intro:
      'People, messages, campaigns, journeys, statistics and the app’s keys are deleted immediately. Waiting sends are dropped. Usage stays on the invoice.',
    act: 'Delete app',
    ask: (name: string) => `Delete ${name}?`,
    text: 'This cannot be undone. Systems that use keys of this app will get a 401.',
    done: (name: string) => `${name} was deleted.`,
  },
} as const;
