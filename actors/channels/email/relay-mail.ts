// One mail as relays get it, and the account of a service, or a mail server, that takes it.

import type { MayBegin } from '../port/adapter.ts';
import type { OpenRelay, Stream } from '../port/open-relay.ts';
import type { CredentialCheck, Outcome } from '../port/outcome.ts';
import type { MailPiece } from './attached.ts';
import type { Mail } from './mime.ts';

/** One mail for a relay, with what services want apart. */
export interface RelayMail {
  readonly mail: Mail;
  /** The envelope sender; services without one ignore it. */
  readonly returnPath: string;
  /**
   * The whole message, written when asked for, without a copy of its files: texts, and bytes that
   * mails share (`SmtpMessage`). Signed, unless its service would break that.
   */
  readonly pieces: (as?: 'unsigned') => readonly MailPiece[];
  /** Our own id, which the service must echo in its events (`mail-mark.ts`). */
  readonly mark: string;
  readonly stream: Stream;
  /** The same at every try of this mail, unlike that of any other: for idempotency keys. */
  readonly uuid: string;
  /** An earlier call had no answer: the service may have it. */
  readonly mayBeTaken?: true;
  /** For services that keep tags (`mail-tags.ts`); the most telling first. */
  readonly tags: Readonly<Record<string, string>>;
}

/** One account of a service, open in a dispatch thread. Connects with the first mail. */
export interface RelayAccount {
  /** Never rejects for what the service does. Asks `mayBegin` right before the first byte. */
  send(mail: RelayMail, mayBegin?: MayBegin): Promise<Outcome>;
  /** One real call that sends nothing. */
  check(): Promise<CredentialCheck>;
  /** Lets calls in flight end, at most ten seconds. */
  close(): Promise<void>;
}

/** The accounts that a dispatch thread has open. */
export interface MailRelays {
  of(relay: OpenRelay): Promise<RelayAccount>;
  close(): Promise<void>;
}
