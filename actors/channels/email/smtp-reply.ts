// A mail relay's replies (RFC 5321 4.2, RFC 3463) and what they add up to for one message. Pure.

/** One reply, which may have had several lines. */
export interface SmtpReply {
  readonly code: number;
  /** RFC 3463, such as `5.1.1`; absent where the relay gives none. */
  readonly enhanced?: string;
  readonly text: string;
}

/** How far a conversation had come. */
export type SmtpStage =
  | 'connect'
  | 'greeting'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'final';

/** What came of a message. */
export type SmtpResult =
  | { readonly kind: 'accepted'; readonly reply: SmtpReply }
  /** The relay said no. */
  | { readonly kind: 'refused'; readonly stage: SmtpStage; readonly reply: SmtpReply }
  /** The final dot never left: safe to send again. */
  | { readonly kind: 'unsent'; readonly stage: SmtpStage; readonly reason: string }
  /** The final dot left and no reply came. */
  | { readonly kind: 'unanswered'; readonly reason: 'timeout' | 'connection_lost' };

/** Ends a conversation: why, and at what stage. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  readonly result: Exclude<SmtpResult, { kind: 'accepted' }>;
  constructor(result: Exclude<SmtpResult, { kind: 'accepted' }>) {
    super('the conversation ended');
    this.result = result;
  }
}

/**
 * Where the first whole reply ends: after the line whose fourth character is not a dash; -1 when
 * there is none yet.
 */
export function endOfReply(received: string): number {
  let start = 0;
  for (;;) {
    const end = received.indexOf('\n', start);
    if (end < 0) return -1;
    if (received[start + 3] !== '-') return end + 1;
    start = end + 1;
  }
}

/**
 * The lines of a reply; `text` keeps one line each, without codes. `undefined` for what is no
 * reply.
 */
export function parseReply(raw: string): SmtpReply | undefined {
  const lines = raw.trimEnd().split(/\r?\n/);
  const code = Number(raw.slice(0, 3));
  if (!/^[2-5]\d\d/.test(raw)) return undefined;
  const texts = lines.map((line) => line.slice(4));
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?= |$)/.exec(texts[0] ?? '')?.[0];
  return { code, ...(enhanced !== undefined && { enhanced }), text: texts.join('\n') };
}
