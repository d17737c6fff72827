// A relay's replies (RFC 5321 4.2, RFC 3463) and the result of one message. Pure.

import type { Failure } from '../port/outcome.ts';

export interface SmtpReply {
  readonly code: number;
  /** RFC 3463, such as `5.1.1`; absent if the relay sends none. */
  readonly enhanced?: string;
  readonly text: string;
}

export type SmtpStage =
  | 'connect'
  | 'greeting'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'final';

export type SmtpResult =
  /** `copiesRefused`: the relay took the mail without these; absent for none. */
  | { readonly kind: 'accepted'; readonly reply: SmtpReply; readonly copiesRefused?: number }
  | { readonly kind: 'refused'; readonly stage: SmtpStage; readonly reply: SmtpReply }
  /** The final dot was not sent: safe to send again. */
  | {
      readonly kind: 'unsent';
      readonly stage: SmtpStage;
      readonly reason: string;
      /** What it means, if another server than the relay said it. */
      readonly failure?: Failure;
    }
  /** The final dot was sent and no reply came. */
  | { readonly kind: 'unanswered'; readonly reason: 'timeout' | 'connection_lost' };

export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  readonly result: Exclude<SmtpResult, { kind: 'accepted' }>;
  constructor(result: Exclude<SmtpResult, { kind: 'accepted' }>) {
    super('the conversation ended');
    this.result = result;
  }
}

/** The end of the first whole reply: a line whose fourth character is no dash. -1 if incomplete. */
export function endOfReply(received: string): number {
  let start = 0;
  for (;;) {
    const end = received.indexOf('\n', start);
    if (end < 0) return -1;
    if (received[start + 3] !== '-') return end + 1;
    start = end + 1;
  }
}

/** `text` has the lines without codes. `undefined` if it is not a reply. */
export function parseReply(raw: string): SmtpReply | undefined {
  const lines = raw.trimEnd().split(/\r?\n/);
  const code = Number(raw.slice(0, 3));
  if (!/^[2-5]\d\d/.test(raw)) return undefined;
  const texts = lines.map((line) => line.slice(4));
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?= |$)/.exec(texts[0] ?? '')?.[0];
  return { code, ...(enhanced !== undefined && { enhanced }), text: texts.join('\n') };
}
