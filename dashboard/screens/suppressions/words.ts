// The words of the opt-outs.

export const words = {
  title: 'Suppressions',
  about:
    'Addresses that get no messages or no marketing, because people opted out or complained, or you added them.',
  add: 'Add address',
  channel: 'Channel',
  anyChannel: 'All channels',
  address: 'Address',
  find: 'Search addresses',
  scope: 'Scope',
  scopes: { all: 'all messages', marketing: 'marketing only' },
  source: 'Source',
  reason: 'Reason',
  reasonHint: 'For your own records.',
  since: 'Since',
  channels: 'Channels',
  empty: 'No suppressed addresses',
  emptyText: 'Opt-outs, spam complaints and addresses that you add appear here.',
  emptyFiltered: 'No matching addresses',
  added: 'Opt-out recorded.',
  remove: 'Allow again',
  removeTitle: (address: string) => `Send to ${address} again?`,
  removePhone:
    'A phone number is one identity for SMS, voice, WhatsApp, RCS and KakaoTalk: all five are allowed again.',
  removeText: 'Only do this if the person asked for it.',
  removed: 'The address can get messages again.',
  doubtful: 'May be an opt-out',
  doubtfulAbout:
    'These replies contain no keyword such as STOP, so Engage took no action. Read them and decide.',
  moreDoubtful: 'Show more',
  doubtfulGone: 'They wrote again, or someone else already decided.',
  optOut: 'Opt out',
  optOutOfMarketing: 'Marketing only',
  erasedWords: 'The text was erased together with a person who had this address.',
  keep: 'Keep',
  kept: 'The address still gets messages.',
} as const;
