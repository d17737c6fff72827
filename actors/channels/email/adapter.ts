// Email through the operator's relay; tenants cannot choose it. The whole message, including
// Message-ID and date, is a function of the send, so a retry after a lost reply is the same mail.

import type { Bytes } from '../../../engine/base/brand.ts';
import { HmacSha256 } from '../../../engine/base/hmac.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import { secondsLeft } from '../port/answers.ts';
import { credentialFails, credentialWorks } from '../port/credential-check.ts';
import type { MailKey, SmtpConfig } from '../port/provider-config.ts';
import { domainOf } from './address.ts';
import { EncodedFiles } from './attached.ts';
import { MailSigners } from './mail-key.ts';
import { marksOf } from './mail-marks.ts';
import { composeMail } from './message.ts';
import { writePieces } from './mime.ts';
import { emailOutcome } from './relay-outcome.ts';
import { SmtpFailure } from './smtp-reply.ts';
import { readRelayUrl, SmtpSender } from './smtp-sender.ts';

/** Encoded files that a dispatch thread keeps for the next mails. */
const encodedBytesMax: Bytes = 16 * 1024 * 1024;

/**
 * The email adapter; without a relay every send is `config`, reason `not_configured`. Throws at
 * start for an unreadable relay URL or DKIM key.
 */
export function createEmail({ config, clock, mailKeys }: AdapterContext): Adapter {
  const { smtp } = config;
  if (smtp === undefined) {
    return {
      send: () => Promise.resolve({ outcome: 'config', reason: 'not_configured' }),
      check: async () => ({ checked: false, why: 'this server has no mail relay' }),
      close: () => Promise.resolve(),
    };
  }
  const sender = openSender(smtp, config.publicUrl);
  const signers = new MailSigners(smtp.dkim);
  const encoded = new EncodedFiles(encodedBytesMax);
  const [key] = mailKeys ?? [];
  const { bounceDomain, publicUrl } = config;
  const signing = key && { mac: new HmacSha256(key), bounceDomain, publicUrl };
  return {
    async send(attempt, credentials, mayBegin) {
      if (secondsLeft(attempt, clock.now()) === 'expired') {
        return { outcome: 'permanent', reason: 'expired' };
      }
      const marks = marksOf(attempt, signing);
      const mail = composeMail(attempt, undefined, marks);
      if ('outcome' in mail) return mail;
      const signer = signers.of(credentials as MailKey | undefined, domainOf(mail.fromAddress));
      const message = {
        from: attempt.email?.returnPath ?? marks.returnPath ?? mail.fromAddress,
        to: mail.to,
        data: writePieces(mail, signer, (file) => encoded.of(file)),
      };
      const result = await sender.send(message, mayBegin);
      return emailOutcome(result, mail.messageId, { to: mail.to, from: mail.fromAddress });
    },
    async check() {
      try {
        await sender.check();
        return credentialWorks;
      } catch (error) {
        if (!(error instanceof SmtpFailure)) throw error;
        const outcome = emailOutcome(error.result, '', { to: '', from: '' });
        return outcome.outcome === 'accepted' ? credentialWorks : credentialFails(outcome);
      }
    },
    close: () => sender.close(),
  };
}

/** Throws for an unreadable relay URL. */
export function openSender(smtp: SmtpConfig, publicUrl: string): SmtpSender {
  const clientName = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost';
  const pool = readRelayUrl(smtp.url, clientName);
  if (pool === undefined) throw new Error('the mail relay must be smtp://… or smtps://…');
  const { certificateAuthorities, timeouts } = smtp;
  return new SmtpSender({
    ...pool,
    relay: {
      ...pool.relay,
      ...(certificateAuthorities !== undefined && { certificateAuthorities }),
    },
    ...(timeouts && { timeouts }),
  });
}
