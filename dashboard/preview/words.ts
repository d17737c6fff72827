// The words of previews.

import { plural } from '../words/plural.ts';

export const words = {
  title: 'Preview',
  channels: 'Channels',
  forWhom: 'Preview for',
  madeUp: 'Sample person',
  somebodyElse: 'Someone else',
  person: 'Person',
  personPlaceholder: 'Name, external ID or address',
  values: 'Values',
  language: 'Language',
  ownLanguage: 'The person’s',
  width: 'Width',
  phone: 'Phone',
  desk: 'Desktop',
  scheme: 'Color scheme',
  light: 'Light',
  dark: 'Dark',
  asking: 'Updating the preview',
  opens: 'Opens on tap',
  dropped: 'Not shown on this channel:',
  drop: (field: string, why: string) => `${field}: ${why}`,
  noDevice: 'This person has no address on this channel. The preview is shown anyway.',
  nothing: 'Write some text to see the preview.',
  cannot: 'This message cannot be sent on this channel.',
  before: 'The last working preview is below.',
  measure: (used: string, max: string) => `${used} of ${max}`,
  characters: (used: string, max: string) => `${used} of ${max} characters`,
  sms: (characters: number, alphabet: string, parts: number) =>
    `${plural(characters, { one: '{n} character', other: '{n} characters' })} in ${plural(parts, { one: '{n} SMS', other: '{n} SMS' })} (${alphabet})`,
  ucs2: 'A single character outside the GSM alphabet, such as a curly quote or an emoji, halves the space in an SMS.',
  unsubscribes: {
    both: 'Added automatically: an unsubscribe link at the end, and the unsubscribe button in email clients.',
    header: 'Added automatically: the unsubscribe button in email clients. No link at the end.',
    footer: 'Added automatically: an unsubscribe link at the end.',
    none: 'No way to unsubscribe.',
  },
  sent: {
    cc: 'Copy to',
    bcc: 'Hidden copy to',
    file: (name: string) => `Attachment: ${name}`,
    noDevice: 'The person had no device to send it to.',
    states: {
      as_sent: '',
      may_differ:
        'The person or the app may have changed since this was sent, so names and values may differ. The rest of the text is exactly what was sent.',
      not_rendered: 'Nothing was sent, so there is no message to show.',
      erased: 'The person was erased, and so were their messages.',
      not_kept: 'The content of this message is no longer stored.',
    },
  },
  sentWith: 'Sent with Engage',
  logoBad: 'The picture could not be loaded from this URL.',
  tooLarge: 'The message is too large for this channel.',
  clipped: 'Gmail cuts off emails at 102 KiB and hides the rest, including the unsubscribe link.',
} as const;
