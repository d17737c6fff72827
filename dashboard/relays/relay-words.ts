// The words of relays. They are services and servers for email, and gateways for texts and calls.

import type { Relay } from '../api/generated.ts';
import { count } from '../ui/figure.tsx';
import type { Tone } from '../words/tone.ts';
import { useRelayPlace } from './relay-owner.ts';

type State = Relay['health']['state'];
type Channel = Relay['channel'];

export const relayTones: Readonly<Record<State, Tone>> = {
  ok: 'good',
  paused: 'notice',
  unreachable: 'bad',
  refused: 'bad',
};

const sharedIntro = (relay: 'relay' | 'gateway') =>
  `All apps of the organization and of its client workspaces send through them, if they have no ${relay} of their own. A client workspace with shared ${relay}s of its own uses those instead.`;

/** Of all that an org shares, for both channels. */
export const sharedWords = {
  title: 'Shared relays',
  intro: sharedIntro('relay'),
  open: 'Open shared relays',
  otherKey:
    'You are signed in with a key that works for one app, so the relays that the organization shares are not shown. To see and change them, sign in as a member, or with a key of the whole organization.',
} as const;

/** What both channels say, each with its own name for a relay. */
const commonWords = (relay: 'relay' | 'gateway') => ({
  sharedIntro: sharedIntro(relay),
  orgIntro: 'The first in the order sends. The next one takes over while it cannot.',
  empty: {
    app: `This app has no ${relay} of its own.`,
    org: `The organization shares no ${relay}.`,
  },
  add: { app: `Add ${relay}`, org: `Add shared ${relay}` },
  kind: 'Service',
  name: 'Name',
  nameHint: 'Only your team sees it.',
  streams: 'Sends',
  order: 'Order',
  orderHint: 'The lowest number sends first. The next one takes over while it cannot.',
  noLimit: 'Empty for no limit.',
  stored: 'Stored. Leave it empty to keep it.',
  maybeStored: 'Leave it empty to keep what is stored.',
  never: 'Secrets are stored encrypted, and never shown again.',
  save: `Save ${relay}`,
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
  offText: `Nothing leaves by it. What waits for it leaves by the next ${relay}.`,
  earlier: (name: string) => `Move ${name} up`,
  later: (name: string) => `Move ${name} down`,
  drag: 'Drag to change the order',
  moved: (name: string, place: number, all: number) => `${name} is number ${place} of ${all}.`,
  remove: `Remove ${relay}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: {
    app: `What waits for it leaves by the next ${relay}. Messages that it may have accepted without an answer are not sent again: they become dead letters. Its secrets are deleted.`,
    org: `It stops sending for all apps and client workspaces. What waits for it leaves by the next ${relay}. Messages that it may have accepted without an answer are not sent again: they become dead letters. Its secrets are deleted.`,
  },
  removed: (name: string) => `${name} was removed.`,
  saved: `The ${relay} is saved.`,
  added: `The ${relay} was added.`,
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
  itSince: {
    paused: 'The service asked for fewer messages',
    unreachable: 'It became unreachable',
    refused: 'The service rejected the account',
  } satisfies Record<Exclude<State, 'ok'>, string>,
  next: 'One message tries it again',
  usedUp: (n: number) =>
    `It has sent the ${count(n)} messages of today. The next ${relay} sends until the UTC day ends.`,
  today: (sent: number, most: number) => `${count(sent)} of ${count(most)} today`,
  sendsNow: 'sends.',
  dayUsed: 'has sent the messages of today',
  reports: 'First event',
  newest: 'newest event',
});

const mailWords = {
  ...commonWords('relay'),
  title: 'Relays',
  intro:
    'Mail services and servers that send the emails of this app, in their order. Without one, those that the organization shares send them, and otherwise the server’s own relay.',
  channel: 'Email',
  sharedTitle: 'Shared relays',
  nothingShared: 'The organization shares no relay for email.',
  streamNames: { transactional: 'Transactional emails', marketing: 'Campaigns and journeys' },
  perSecond: 'Emails per second at most',
  perDay: 'Emails per UTC day at most',
  /** Where every relay is out. */
  otherWay: 'no relay can send now. The server’s own relay sends, if it has one.',
  events: 'Address for its events',
  /** Without its example, which the form shows with its own words. */
  eventsOf: (proof: string) => `Each call proves itself by ${proof.replace(/: `.*/, '')}.`,
  eventsOfApp: '',
  /** Of a gateway that reports nothing by itself. */
  asked: '',
  silent: 'It has reported nothing yet, so “delivered” means that the service accepted the email.',
};

export type RelayWords = typeof mailWords;

const textWords: RelayWords = {
  ...commonWords('gateway'),
  title: 'SMS gateways',
  intro:
    'Gateways that send the texts of this app, in their order. Without one, those that the organization shares send them, and otherwise the app’s own SMS account.',
  channel: 'SMS',
  sharedTitle: 'Shared gateways',
  nothingShared: 'The organization shares no gateway for SMS.',
  streamNames: { transactional: 'Transactional texts', marketing: 'Campaigns and journeys' },
  perSecond: 'Texts per second at most',
  perDay: 'Texts per UTC day at most',
  otherWay: 'no gateway can send now. The app’s own SMS account sends, if it has one.',
  events: 'Address for its reports',
  eventsOf: () =>
    'Enter it at the gateway, with its token, if reports are set there. Replies arrive at the same address.',
  eventsOfApp: 'After “app=” comes the id of the app that the texts are from.',
  asked: 'Engage asks it for the status of each text.',
  silent: 'It has reported nothing yet, so “delivered” means that the gateway accepted the text.',
};

const callWords: RelayWords = {
  ...textWords,
  title: 'Voice gateways',
  intro:
    'Gateways that call the people of this app, in their order. Without one, those that the organization shares call them, and otherwise the app’s own carrier account.',
  channel: 'Voice',
  nothingShared: 'The organization shares no gateway for calls.',
  streamNames: { transactional: 'Transactional calls', marketing: 'Campaigns and journeys' },
  perSecond: 'Calls per second at most',
  perDay: 'Calls per UTC day at most',
  otherWay: 'no gateway can call now. The app’s own carrier account calls, if it has one.',
  eventsOf: () => 'Enter it at the gateway, with its token, if reports are set there.',
  eventsOfApp: 'After “app=” comes the id of the app that the calls are from.',
  asked: 'Engage asks it for the status of each call.',
  silent: 'It has reported nothing yet, so “delivered” means that the gateway accepted the call.',
};

export const relayWords: Readonly<Record<Channel, RelayWords>> = {
  email: mailWords,
  sms: textWords,
  voice: callWords,
};

/** Those of the place's channel. */
export function useRelayWords(): RelayWords {
  return relayWords[useRelayPlace().channel];
}

export function streamList({ streamNames }: RelayWords, streams: Relay['streams']): string {
  return streams.map((one) => streamNames[one]).join(', ');
}
