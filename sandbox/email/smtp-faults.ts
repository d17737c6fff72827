// The mail stand-in's refusals, at RCPT TO or after the data. The stage matters more than the code:
// after the final dot, silence leaves the result unknown.

import type { NamedFault } from '../faults.ts';

/** `text` starts with the enhanced status code (RFC 3463). */
export interface SmtpReply {
  readonly stage: 'recipient' | 'data';
  readonly code: number;
  readonly text: string;
}

/** With the enhanced code and text that relays commonly use. */
export function smtpRefusal(code: number): SmtpReply {
  const text = texts[code] ?? `${Math.floor(code / 100)}.0.0 Fault ${code} on demand`;
  return { stage: code === 552 || code === 554 ? 'data' : 'recipient', code, text };
}

const texts: Readonly<Record<number, string>> = {
  421: '4.3.2 Service not available, closing transmission channel',
  450: '4.2.1 The mailbox is temporarily unavailable',
  451: '4.7.1 Greylisted, please try again later',
  452: '4.2.2 The mailbox is full',
  550: '5.1.1 The email account that you tried to reach does not exist',
  551: '5.1.6 The recipient has moved',
  552: '5.3.4 Message size exceeds fixed limit',
  553: '5.1.3 Invalid recipient address',
  554: '5.6.0 Message refused for its content',
};

const greylistRefusals = 2;
const greylistHeldMax = 10_000;

/** By local part. One list per sandbox, because a greylist has state. */
export function smtpNamedFaults(): readonly NamedFault<SmtpReply>[] {
  const triesOf = new Map<string, number>();
  return [
    { prefix: 'nouser', says: '550 5.1.1 no such mailbox', effect: () => reply(smtpRefusal(550)) },
    {
      prefix: 'greylist',
      says: '451 4.7.1 on the first two tries, then accepted',
      effect(_, address) {
        const tries = (triesOf.get(address) ?? 0) + 1;
        if (triesOf.size >= greylistHeldMax) triesOf.clear();
        triesOf.set(address, tries);
        return tries <= greylistRefusals ? reply(smtpRefusal(451)) : undefined;
      },
    },
    { prefix: 'full', says: '452 4.2.2 mailbox full', effect: () => reply(smtpRefusal(452)) },
    { prefix: 'toobig', says: '552 5.3.4 after the data', effect: () => reply(smtpRefusal(552)) },
    {
      prefix: 'policy',
      says: '550 5.7.1 refused by policy',
      effect: () =>
        reply({ stage: 'recipient', code: 550, text: '5.7.1 Message refused by policy' }),
    },
    {
      prefix: 'busy',
      says: '421 and the connection closed',
      effect: () => reply(smtpRefusal(421)),
    },
  ];
}

function reply(smtpReply: SmtpReply): { kind: 'reply'; reply: SmtpReply } {
  return { kind: 'reply', reply: smtpReply };
}
