// The words of relays.

import { createContext, useContext } from 'react';
import { count } from '../../ui/figure.tsx';
import type { Tone } from '../../words/tone.ts';
import type { Relay } from './relay-forms.ts';

type State = Relay['health']['state'];

export const relayTones: Readonly<Record<State, Tone>> = {
  ok: 'good',
  paused: 'notice',
  unreachable: 'bad',
  refused: 'bad',
};

const mailWords = {
  title: 'Relays',
  intro:
    'Mail services and servers that send the emails of this app, in their order. Without one, the server’s own relay sends them.',
  sharedTitle: 'Shared relays',
  sharedIntro:
    'Mail services and servers for all apps of the organization and of its client workspaces that have no relay of their own.',
  add: 'Add relay',
  addShared: 'Add shared relay',
  kind: 'Service',
  name: 'Name',
  nameHint: 'Only your team sees it.',
  streams: 'Sends',
  streamNames: { transactional: 'Transactional emails', marketing: 'Campaigns and journeys' },
  order: 'Order',
  orderHint: 'The lowest number sends first. The next one takes over while it cannot.',
  perSecond: 'Emails per second at most',
  perDay: 'Emails per UTC day at most',
  noLimit: 'Empty for no limit.',
  stored: 'Stored. Leave it empty to keep it.',
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
  remove: 'Remove relay',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'The next relay sends its messages. Messages that it may have accepted without an answer are not sent again: they become dead letters.',
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
  itSince: {
    paused: 'The service asked for fewer messages',
    unreachable: 'It became unreachable',
    refused: 'The service rejected the account',
  } satisfies Record<Exclude<State, 'ok'>, string>,
  next: 'One message tries it again',
  usedUp: (n: number) => `It has sent the ${count(n)} emails of today.`,
  today: (sent: number, most: number) => `${count(sent)} of ${count(most)} today`,
  sendsNow: 'sends.',
  serverRelay: 'the server’s own relay',
  events: 'Address for its events',
  /** Without its example, which the form shows with its own words. */
  eventsOf: (proof: string) => `Each call proves itself by ${proof.replace(/: `.*/, '')}.`,
  reports: 'First event',
  newest: 'newest event',
  silent: 'It has reported nothing yet, so “delivered” means that the service accepted the email.',
};

type RelayWords = typeof mailWords;

const textWords: RelayWords = {
  ...mailWords,
  intro:
    'Gateways that send the text messages of this app, in their order. Without one, the carrier credential sends them.',
  sharedIntro:
    'Gateways for all apps of the organization and of its client workspaces that have no relay of their own.',
  streamNames: { transactional: 'Transactional messages', marketing: 'Campaigns and journeys' },
  perSecond: 'Messages per second at most',
  perDay: 'Messages per UTC day at most',
  usedUp: (n: number) => `It has sent the ${count(n)} messages of today.`,
  serverRelay: 'the carrier credential',
  events: 'Address for its reports',
  eventsOf: () =>
    'Enter it at the gateway, with its token, if reports are set there. Replies arrive at the same address.',
  silent:
    'It has reported nothing yet, so “delivered” means that the gateway accepted the message.',
};

/** Relays send emails, or text messages. */
export type RelayChannel = 'email' | 'sms';

export const RelayChannelContext = createContext<RelayChannel>('email');

/** Those that are the same for both. */
export const relayWords = mailWords;

export function useRelayWords(): RelayWords {
  return useContext(RelayChannelContext) === 'sms' ? textWords : mailWords;
}
