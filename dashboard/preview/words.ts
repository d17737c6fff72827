// The words of previews.

import { plural } from '../words/plural.ts';

export const words = {
  title: 'Preview',
  channels: 'Channels',
  forWhom: 'Preview for',
  madeUp: 'Made-up person',
  somebodyElse: 'Somebody else',
  person: 'Person',
  personPlaceholder: 'Name, external id or address',
  values: 'Values',
  language: 'Language',
  ownLanguage: 'Theirs',
  width: 'Width',
  phone: 'Phone',
  desk: 'Desktop',
  scheme: 'Colors',
  light: 'Light',
  dark: 'Dark',
  asking: 'Updating the preview',
  opens: 'A tap opens',
  dropped: 'Not shown on this channel:',
  drop: (field: string, why: string) => `${field}: ${why}`,
  noDevice: 'This person has no address on this channel; it is drawn all the same.',
  nothing: 'Write a text, and it shows here.',
  cannot: 'This message cannot go out on this channel.',
  before: 'Below is how it looked before.',
  measure: (used: string, max: string) => `${used} of ${max}`,
  characters: (used: string, max: string) => `${used} of ${max} characters`,
  sms: (characters: number, alphabet: string, parts: number) =>
    `${plural(characters, { one: '{n} character', other: '{n} characters' })} in ${plural(parts, { one: '{n} SMS', other: '{n} SMS' })} (${alphabet})`,
  ucs2: 'One character outside the GSM alphabet, such as a curly quote or an emoji, halves what fits into an SMS.',
  unsubscribes: {
    both: 'Added by itself: an unsubscribe link below, and the button that mail programs show.',
    header: 'Added by itself: the unsubscribe button that mail programs show. No link below.',
    footer: 'Added by itself: an unsubscribe link below.',
    none: 'No way to unsubscribe.',
  },
  sent: {
    noDevice: 'There was no device to send it to.',
    states: {
      as_sent: '',
      may_differ:
        'The person or the app may have changed since this was sent, so names and values may differ. The text around them is what was sent.',
      not_rendered: 'Nothing was sent, so there is no message to show.',
      erased: 'The person was erased, and their messages with them.',
      not_kept: 'What was sent is no longer kept.',
    },
  },
  tooLarge: 'This is more than the channel takes.',
  clipped: 'Gmail cuts a mail at 102 KiB and hides the rest, the unsubscribe link too.',
} as const;
