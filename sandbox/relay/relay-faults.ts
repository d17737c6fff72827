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

/** Of the recipient's local part, lower case: what to say of it, and what is reported. */
const fates: Readonly<Record<string, readonly [says: string, facts: readonly Fact[]]>> = {
  nouser: [
    'accepted; later a hard bounce: 550 5.1.1, no such mailbox',
    ['accepted', 'hard_bounce'],
  ],
  lategone: [
    'delivered; later a hard bounce: 550 5.1.1, no such mailbox',
    ['accepted', 'delivered', 'hard_bounce'],
  ],
  latefull: ['accepted; later a soft bounce: 552 5.2.2, mailbox full', ['accepted', 'soft_bounce']],
  latedelay: ['accepted; deferred, then delivered', ['accepted', 'deferred', 'delivered']],
  complain: ['delivered; later reported as spam', ['accepted', 'delivered', 'complained']],
  leaver: [
    "delivered; later unsubscribed by the service's own link, if it has one",
    ['accepted', 'delivered', 'unsubscribed'],
  ],
  suppressed: [
    "accepted, then not sent: it is on the service's own list",
    ['accepted', 'suppressed'],
  ],
  policy: ['accepted; later refused for its content', ['accepted', 'refused']],
  reader: ['delivered; later opened and clicked', ['accepted', 'delivered', 'opened', 'clicked']],
};

const delivered: readonly Fact[] = ['accepted', 'delivered'];

/** What becomes of a mail to this address, in order. */
export function factsOf(address: string): readonly Fact[] {
  const lower = address.toLowerCase();
  const [, [, known] = []] =
    Object.entries(fates).find(([prefix]) => lower.startsWith(prefix)) ?? [];
  return known ?? delivered;
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
    ...Object.entries(fates).map(([prefix, [says]]) => ({
      ...{ prefix, says },
      effect: () => undefined,
    })),
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
