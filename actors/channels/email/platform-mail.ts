// Mails of the platform itself, such as sign-in links: through the operator's relay, from the
// operator's address. They are no sends: nothing counts, tracks or stores them.

import type { Millis } from '../../../engine/base/brand.ts';
import type { SmtpConfig } from '../port/provider-config.ts';
import { openSender } from './adapter.ts';
import { domainOf } from './address.ts';
import { MailSigners } from './mail-key.ts';
import { writeMail } from './mime.ts';
import { emailOutcome } from './relay-outcome.ts';

export interface PlatformMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly dateMs: Millis;
  /** Its Message-ID before the `@`. */
  readonly id: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Where it comes back to; the sender's address if nothing listens there. */
  readonly returnPath: string | undefined;
}

/** `dead`: there is no such mailbox. */
type PlatformMailResult = 'accepted' | 'dead' | 'failed';

export interface PlatformMailer {
  /** Resolves to what the relay said. Never rejects. */
  send(mail: PlatformMail): Promise<PlatformMailResult>;
  close(): Promise<void>;
}

/** Connects with the first mail. Throws for an unreadable relay URL or DKIM key. */
export function openPlatformMailer(
  smtp: SmtpConfig,
  publicUrl: string,
  from: string,
): PlatformMailer {
  const sender = openSender(smtp, publicUrl);
  const domain = domainOf(from);
  const signer = new MailSigners(smtp.dkim).of('platform', domain);
  return {
    async send({ id, returnPath = from, ...mail }) {
      const whole = { ...mail, fromAddress: from, messageId: `${id}@${domain}` };
      const data = writeMail(whole, signer);
      const result = await sender.send({ from: returnPath, to: mail.to, data });
      const { outcome } = emailOutcome(result, whole.messageId, { to: mail.to, from });
      return outcome === 'accepted' || outcome === 'dead' ? outcome : 'failed';
    },
    close: () => sender.close(),
  };
}
