// Faults of mail services by the recipient's local part: refusals of the call, and what becomes of
// a mail that was accepted. `drop`, `hang` and `slow` work as everywhere.

import type { Effect, NamedFault } from '../faults.ts';
import type { StandInResponse } from '../stand-in.ts';

/** What a service reports of a mail. */
export const facts = [
  'accepted',
  'deferred',
  'delivered',
  'soft_bounce',
  'hard_bounce',
  'complained',
  'unsubscribed',
  'suppressed',
  'refused',
  'opened',
  'clicked',
] as const;
export type Fact = (typeof facts)[number];

interface Fate {
  /** Of the recipient's local part, lower case. */
  readonly prefix: string;
  readonly says: string;
  readonly facts: readonly Fact[];
}

const fates: readonly Fate[] = [
  {
    prefix: 'nouser',
    says: 'accepted; later a hard bounce: 550 5.1.1, no such mailbox',
    facts: ['accepted', 'hard_bounce'],
  },
  {
    prefix: 'lategone',
    says: 'delivered; later a hard bounce: 550 5.1.1, no such mailbox',
    facts: ['accepted', 'delivered', 'hard_bounce'],
  },
  {
    prefix: 'latefull',
    says: 'accepted; later a soft bounce: 552 5.2.2, mailbox full',
    facts: ['accepted', 'soft_bounce'],
  },
  {
    prefix: 'latedelay',
    says: 'accepted; deferred, then delivered',
    facts: ['accepted', 'deferred', 'delivered'],
  },
  {
    prefix: 'complain',
    says: 'delivered; later reported as spam',
    facts: ['accepted', 'delivered', 'complained'],
  },
  {
    prefix: 'leaver',
    says: "delivered; later unsubscribed by the service's own link, if it has one",
    facts: ['accepted', 'delivered', 'unsubscribed'],
  },
  {
    prefix: 'suppressed',
    says: "accepted, then not sent: it is on the service's own list",
    facts: ['accepted', 'suppressed'],
  },
  {
    prefix: 'policy',
    says: 'accepted; later refused for its content',
    facts: ['accepted', 'refused'],
  },
  {
    prefix: 'reader',
    says: 'delivered; later opened and clicked',
    facts: ['accepted', 'delivered', 'opened', 'clicked'],
  },
];

const delivered: readonly Fact[] = ['accepted', 'delivered'];

/** What becomes of a mail to this address, in order. */
export function factsOf(address: string): readonly Fact[] {
  const lower = address.toLowerCase();
  return fates.find(({ prefix }) => lower.startsWith(prefix))?.facts ?? delivered;
}

/** `refusal`: the service's own response with a status. */
export function relayFaults(
  refusal: (status: number, retryAfterSeconds?: number) => StandInResponse,
): readonly NamedFault<StandInResponse>[] {
  const reply = (status: number, seconds?: number): Effect<StandInResponse> => ({
    kind: 'reply',
    reply: refusal(status, seconds),
  });
  return [
    ...fates.map(({ prefix, says }) => ({ prefix, says, effect: () => undefined })),
    {
      prefix: 'throttle',
      says: '429, Retry-After 2 s (throttle9… 9 s)',
      effect: (number) => reply(429, number ?? 2),
    },
    { prefix: 'busy', says: '503: unavailable', effect: () => reply(503) },
    { prefix: 'broken', says: '500: an internal error', effect: () => reply(500) },
    { prefix: 'toobig', says: '413: too large', effect: () => reply(413) },
    { prefix: 'revoked', says: '401: as if the key were revoked', effect: () => reply(401) },
    {
      prefix: 'taken',
      says: 'taken, then hung up on',
      effect: () => ({ kind: 'drop', isTaken: true }),
    },
  ];
}

/** Of several recipients of one call, the one whose name plays a fault; else the first. */
export function faultyFirst(addresses: readonly string[]): string {
  const isFaulty = (address: string) =>
    /^(?:slow|hang|drop|throttle|busy|broken|toobig|revoked|taken)/i.test(address);
  return addresses.find(isFaulty) ?? addresses[0] ?? '(nobody)';
}
