// Sends by SendGrid: mails of one turn with equal contents in one call, up to 1,000 people. One
// wrong address refuses a whole call, so the others leave again without it.

import type { Bytes } from '../../../../engine/base/brand.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import type { MayBegin } from '../../port/adapter.ts';
import { httpMeaning, type ProviderResponse, unreached } from '../../port/answers.ts';
import { checkByCall } from '../../port/credential-check.ts';
import { parseObject, textOf } from '../../port/json.ts';
import type { Outcome } from '../../port/outcome.ts';
import { Gather } from '../gather.ts';
import type { OpenRelayAccount } from '../relay.ts';
import { sendGridRefusal, wrongMails } from './answers.ts';
import type { SendGridConfig } from './kind.ts';
import { contentKey, sendGridBody } from './message.ts';

/** Of SendGrid: recipients of a call, copies included. */
const recipientsMax = 1_000;
/** SendGrid takes 30 MB with files in base64. */
const bodyBytesMax: Bytes = 30 * 1024 * 1024;

export const openSendGridAccount: OpenRelayAccount = (relay, { config, outbound, clock }) => {
  const { apiKey, region } = relay.config as SendGridConfig;
  const base =
    config.urls.SENDGRID ??
    (region === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com');
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  async function call(
    mails: readonly RelayMail[],
    mayBegin: MayBegin,
    rounds = roundsMax,
  ): Promise<readonly Outcome[]> {
    const body = Buffer.from(sendGridBody(mails));
    if (body.length > bodyBytesMax)
      return mails.map((): Outcome => ({ outcome: 'permanent', reason: 'message_too_large' }));
    const result = await outbound.call({
      method: 'POST',
      url: `${base}/v3/mail/send`,
      destination: 'trusted',
      headers,
      body,
      mayBegin,
    });
    if (result.kind !== 'answered') {
      const failed = unreached(result);
      return mails.map(() => failed);
    }
    if (result.status === 202) {
      const id = textOf(result.headers['x-message-id']);
      return mails.map(
        (): Outcome => ({
          outcome: 'accepted',
          ...(id !== '' && { providerMessageId: id }),
        }),
      );
    }
    const wrong = result.status === 400 ? wrongMails(result, mails) : undefined;
    if (wrong === undefined) {
      const secrets = [apiKey, ...mails.slice(0, 50).map(({ mail }) => mail.to)];
      const refused = sendGridRefusal(result, secrets, clock.now());
      return mails.map(() => refused);
    }
    const others = mails.filter((one) => !wrong.has(one));
    const ends =
      others.length === 0 || rounds === 0 ? [] : await call(others, mayBegin, rounds - 1);
    let next = 0;
    return mails.map((one) => wrong.get(one) ?? ends[next++] ?? unsent);
  }

  const gather = new Gather<RelayMail>(
    (mails, mayBegin) => call(mails, mayBegin),
    recipientsMax,
    recipientsMax,
  );
  return {
    send: (mail, mayBegin) => {
      const { cc = [], bcc = [] } = mail.mail;
      return gather.add(contentKey(mail), mail, 1 + cc.length + bcc.length, mayBegin);
    },
    check: () => {
      const call = { method: 'GET', url: `${base}/v3/scopes`, headers } as const;
      return checkByCall(outbound, { ...call, answerBytesMax: scopesBytesMax }, [apiKey], noScope);
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** SendGrid names all wrong addresses of a call at once, so the second round should leave. */
const roundsMax = 3;
/** Of a mail that shared a refused call: nothing is wrong with it, and nothing was sent. */
const unsent: Outcome = { outcome: 'retry', reason: 'invalid_request' };

/** A full account has some 300 scopes. */
const scopesBytesMax: Bytes = 128 * 1024;

function noScope({ status, body }: ProviderResponse): string | undefined {
  if (status === 401 || status === 403) return 'relay_authentication';
  if (status !== 200) return httpMeaning(status)[1];
  const { scopes } = parseObject(body);
  return Array.isArray(scopes) && scopes.includes('mail.send') ? undefined : 'relay_refused';
}
