// Email: composed here, then taken by a relay of the tenant or by the server's own. The whole
// message, including Message-ID and date, is a function of the send, so a retry after a lost reply
// is the same mail.

import type { Bytes } from '../../../engine/base/brand.ts';
import { HmacSha256 } from '../../../engine/base/hmac.ts';
import type { Adapter, AdapterContext, MayBegin } from '../port/adapter.ts';
import { secondsLeft } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import { attemptUuid } from '../port/attempt-uuid.ts';
import { credentialFails, credentialWorks } from '../port/credential-check.ts';
import type { OpenRelay } from '../port/open-relay.ts';
import type { CredentialCheck, Failure, Outcome } from '../port/outcome.ts';
import type { MailKey, SmtpConfig } from '../port/provider-config.ts';
import { domainOf } from './address.ts';
import { EncodedFiles } from './attached.ts';
import { linkBase, withLinksAt } from './link-host.ts';
import { MailSigners } from './mail-key.ts';
import { mailMark } from './mail-mark.ts';
import { marksOf } from './mail-marks.ts';
import { mailTags, streamOfAttempt } from './mail-tags.ts';
import { composeMail } from './message.ts';
import { writePieces } from './mime.ts';
import type { MailRelays, RelayAccount, RelayMail } from './relay-mail.ts';
import { emailOutcome } from './relay-outcome.ts';
import { SmtpFailure } from './smtp-reply.ts';
import { readRelayUrl, SmtpSender } from './smtp-sender.ts';

/** Encoded files that a dispatch thread keeps for the next mails. */
const encodedBytesMax: Bytes = 16 * 1024 * 1024;

/**
 * The email adapter; without any relay a send is `config`, reason `not_configured`. Throws at start
 * for an unreadable relay URL or DKIM key.
 */
export function createEmail(context: AdapterContext, relays?: MailRelays): Adapter {
  const { config } = context;
  const { smtp } = config;
  const server = smtp && openSender(smtp, config.publicUrl);
  const compose = composer(context);
  return {
    async send(attempt, credentials, mayBegin, relay) {
      if (relay === undefined ? server === undefined : relays === undefined)
        return { outcome: 'config', reason: 'not_configured' };
      const made = compose(attempt, credentials as MailKey | undefined);
      if ('outcome' in made) return made;
      if (relay !== undefined && relays !== undefined)
        return sendBy(await relays.of(relay), relay, made, mayBegin);
      const { to, cc = [], bcc = [], fromAddress: from, messageId } = made.mail;
      const message = {
        from: made.returnPath,
        to: cc.length + bcc.length === 0 ? to : [to, ...cc, ...bcc],
        data: made.pieces(),
      };
      const result = await (server as SmtpSender).send(message, mayBegin);
      return emailOutcome(result, messageId, { to, from });
    },
    async check(_credentials, relay) {
      if (relay !== undefined && relays !== undefined) return (await relays.of(relay)).check();
      if (server === undefined) return { checked: false, why: 'this server has no mail relay' };
      return checkServer(server);
    },
    close: async () => {
      await Promise.all([server?.close(), relays?.close()]);
    },
  };
}

/** Makes the mail of an attempt, or says why there is none. */
function composer({ config, clock, mailKeys }: AdapterContext) {
  const signers = new MailSigners(config.smtp?.dkim);
  const encoded = new EncodedFiles(encodedBytesMax);
  const [key] = mailKeys ?? [];
  const { bounceDomain, publicUrl } = config;
  const signing = key && { mac: new HmacSha256(key), bounceDomain, publicUrl };
  const hasLinkHosts = config.linkHosts === true;
  return (given: Attempt, mailKey: MailKey | undefined): RelayMail | Failure => {
    const base = linkBase(publicUrl, hasLinkHosts ? given.email?.linkHost : undefined);
    const attempt = withLinksAt(given, publicUrl, base);
    if (secondsLeft(attempt, clock.now()) === 'expired')
      return { outcome: 'permanent', reason: 'expired' };
    const marks = marksOf(attempt, signing && { ...signing, publicUrl: base });
    const mail = composeMail(attempt, undefined, marks);
    if ('outcome' in mail) return mail;
    const signer = signers.of(mailKey, domainOf(mail.fromAddress));
    const { sendId, deviceId } = attempt;
    const stream = streamOfAttempt(attempt);
    return {
      mail,
      returnPath: attempt.email?.returnPath ?? marks.returnPath ?? mail.fromAddress,
      pieces: (as) =>
        writePieces(mail, as === 'unsigned' ? undefined : signer, (file) => encoded.of(file)),
      mark: mailMark({ sendId, deviceId }),
      stream,
      get uuid() {
        return attemptUuid(sendId, deviceId);
      },
      ...(attempt.mayBeTaken && { mayBeTaken: true }),
      tags: mailTags(attempt, stream),
    };
  };
}

/** What the relay takes is delivered once it says so, if it ever says so. */
async function sendBy(
  account: RelayAccount,
  { reports }: OpenRelay,
  mail: RelayMail,
  mayBegin: MayBegin | undefined,
): Promise<Outcome> {
  const outcome = await account.send(mail, mayBegin);
  return outcome.outcome === 'accepted' && reports === true ? { ...outcome, reports } : outcome;
}

async function checkServer(server: SmtpSender): Promise<CredentialCheck> {
  try {
    await server.check();
    return credentialWorks;
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error;
    const outcome = emailOutcome(error.result, '', { to: '', from: '' });
    return outcome.outcome === 'accepted' ? credentialWorks : credentialFails(outcome);
  }
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
