// The words of the report on mailbox providers.

import type { AnswerOf } from '../../api/client.ts';

type Provider = AnswerOf<'readMailboxProviders'>['providers'][number]['provider'];

export const providerNames: Readonly<Record<Provider, string>> = {
  gmail: 'Gmail',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  apple: 'Apple',
  proton: 'Proton',
  zoho: 'Zoho',
  qq: 'QQ Mail',
  netease: 'NetEase',
  naver: 'Naver',
  others: 'Others',
};

export const mailboxWords = {
  none: 'No emails in this range',
  noneText: 'When emails are sent, this report shows what each mailbox provider does with them.',
  provider: 'Mailbox provider',
  sent: 'Sent',
  delivered: 'Delivered',
  deliveredShare: 'Share delivered',
  deliveredOf: (name: string) => `${name}: share of emails delivered`,
  deferred: 'Deferred attempts',
  hard: 'No such mailbox',
  soft: 'Refused otherwise',
  complained: 'Spam reports',
  opened: 'Opened by people',
  machines: 'Opened by machines',
  clicked: 'Clicked',
  well: 'No mailbox provider holds back or refuses a noticeable share of your emails.',
  few: 'There are too few emails in this range to judge a mailbox provider.',
  deferring: (name: string, share: string) =>
    `${name} deferred ${share} of the attempts to deliver in this range.`,
  refusing: (name: string, share: string) => `${name} refused ${share} of your emails.`,
  complaining: (name: string, share: string) =>
    `People at ${name} reported ${share} of your emails as spam. Providers tolerate 0.3% at most.`,
  because: (reason: string) => `Most often: ${reason}.`,
  machinesText:
    'Machines are proxies that fetch the pictures of every email, and security scanners. Campaigns count people alone.',
  reasons: 'Why emails were deferred or refused',
  noReasons: 'None were.',
  reason: 'Reason',
  saying: 'Latest reply',
  times: 'Times',
  last: 'Last',
  figures: {
    deferred: 'Deferred',
    bouncedHard: 'No such mailbox',
    bouncedSoft: 'Refused otherwise',
  },
  result: 'Result',
  domains: 'By sender domain',
  domain: 'Sender domain',
  ownSender: 'The server’s own sender',
  otherDomains: 'Other domains',
  relays: 'By relay',
  relay: 'Relay',
  server: 'The server’s mail server',
  otherRelays: 'Other relays',
  removedRelay: (id: string) => `Removed relay ${id}`,
} as const;
