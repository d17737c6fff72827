// The words of relays.

import type { Relay } from '../api/generated.ts';
import { count } from '../ui/figure.tsx';
import type { Tone } from '../words/tone.ts';

type State = Relay['health']['state'];

export const relayTones: Readonly<Record<State, Tone>> = {
  ok: 'good',
  paused: 'notice',
  unreachable: 'bad',
  refused: 'bad',
};

export const relayWords = {
  titleOf: { email: 'Relays', sms: 'SMS gateways' },
  introOf: {
    email:
      'Mail services and servers that send the emails of this app, in their order. Without one, those that the organization shares send them, and otherwise the server’s own relay.',
    sms: 'Gateways that send the texts of this app, in their order. Without one, those that the organization shares send them, and otherwise the app’s own SMS account.',
  } satisfies Record<Relay['channel'], string>,
  sharedTitle: 'Shared relays',
  sharedIntro:
    'All apps of the organization and of its client workspaces send through them, if they have no relay of their own. A client workspace with shared relays of its own uses those instead.',
  channelTitles: { email: 'Email', sms: 'SMS' } satisfies Record<Relay['channel'], string>,
  orgIntro: 'The first in the order sends. The next one takes over while it cannot.',
  openShared: 'Open shared relays',
  otherKey:
    'You are signed in with a key that works for one app, so the relays that the organization shares are not shown. To see and change them, sign in as a member, or with a key of the whole organization.',
  empty: {
    app: 'This app has no relay of its own.',
    org: 'The organization shares no relay.',
    shared: 'The organization shares no relay for this channel.',
  },
  byApi: 'Gateways are added by the API: POST …/relays with the kind “http”.',
  add: 'Add relay',
  addShared: 'Add shared relay',
  kind: 'Service',
  name: 'Name',
  nameHint: 'Only your team sees it.',
  streams: 'Sends',
  streamsOf: {
    email: { transactional: 'Transactional emails', marketing: 'Campaigns and journeys' },
    sms: { transactional: 'Transactional texts', marketing: 'Campaigns and journeys' },
  },
  streamList(channel: Relay['channel'], streams: Relay['streams']): string {
    return streams.map((one) => this.streamsOf[channel][one]).join(', ');
  },
  order: 'Order',
  orderHint: 'The lowest number sends first. The next one takes over while it cannot.',
  perSecond: 'Emails per second at most',
  perDay: 'Emails per UTC day at most',
  noLimit: 'Empty for no limit.',
  stored: 'Stored. Leave it empty to keep it.',
  maybeStored: 'Leave it empty to keep what is stored.',
  never: 'Secrets are stored encrypted, and never shown again.',
  save: 'Save relay',
  create: 'Add',
  cancel: 'Cancel',
  edit: 'Change',
  check: 'Check now',
  checkOk: (ms: number) => `The service accepted the account (${ms} ms).`,
  checkBad: (why: string) => `The service rejected the account: ${why}.`,
  cannot: (why: string) => `The account could not be checked: ${why}.`,
  disable: 'Turn off',
  disabled: (name: string) => `${name} sends nothing any more.`,
  enable: 'Turn on',
  enabled: (name: string) => `${name} sends again.`,
  off: 'Off',
  offText: 'Nothing leaves by it. What waits for it leaves by the next relay.',
  earlier: (name: string) => `Move ${name} up`,
  later: (name: string) => `Move ${name} down`,
  drag: 'Drag to change the order',
  moved: (name: string, place: number, all: number) => `${name} is number ${place} of ${all}.`,
  remove: 'Remove relay',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'What waits for it leaves by the next relay. Messages that it may have accepted without an answer are not sent again: they become dead letters. Its secrets are deleted.',
  removeSharedText:
    'It stops sending for all apps and client workspaces. What waits for it leaves by the next relay. Messages that it may have accepted without an answer are not sent again: they become dead letters. Its secrets are deleted.',
  removed: (name: string) => `${name} was removed.`,
  saved: 'The relay is saved.',
  added: 'The relay was added.',
  states: {
    ok: 'Works',
    paused: 'Paused',
    unreachable: 'Unreachable',
    refused: 'Refused',
  } satisfies Record<State, string>,
  since: {
    paused: 'asked for fewer messages',
    unreachable: 'became unreachable',
    refused: 'rejected the account',
  } satisfies Record<Exclude<State, 'ok'>, string>,
  next: 'One message tries it again',
  usedUp: (n: number) =>
    `It has sent the ${count(n)} messages of today. The next relay sends until the UTC day ends.`,
  today: (sent: number, most: number) => `${count(sent)} of ${count(most)} today`,
  sendsNow: 'sends.',
  /** Where every relay is out. */
  otherWay: {
    email: 'no relay can send now. The server’s own relay sends, if it has one.',
    sms: 'no gateway can send now. The app’s own SMS account sends, if it has one.',
  } satisfies Record<Relay['channel'], string>,
  dayUsed: 'has sent the messages of today',
  events: 'Address for its events',
  /** Without its example, which the form shows with its own words. */
  eventsOf: (proof: string) => `Each call proves itself by ${proof.replace(/: `.*/, '')}.`,
  reports: 'First event',
  newest: 'newest event',
  silent: 'It has reported nothing yet, so “delivered” means that the service accepted the email.',
} as const;
