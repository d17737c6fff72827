// Sends by SendGrid: mails of one turn with equal contents in one call, up to 1,000 people. One
// wrong address refuses a whole call, so the others leave again without it.

import type { Bytes } from '../../../../engine/base/brand.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import type { MayBegin } from '../../port/adapter.ts';
import { type ProviderResponse, unreached } from '../../port/answers.ts';
import { parseObject, textOf } from '../../port/json.ts';
import type { Outcome } from '../../port/outcome.ts';
import { Gather, type Gathered } from '../gather.ts';
import { checkKey, keyProblem } from '../key-check.ts';
import type { OpenRelayAccount } from '../relay.ts';
import { isOfContent, sendGridRefusal, wrongMails } from './answers.ts';
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

  async function call(mails: readonly RelayMail[], mayBegin: MayBegin): Promise<Gathered> {
    const body = sendGridBody(mails);
    if (body.length > bodyBytesMax) return { outcome: 'permanent', reason: 'message_too_large' };
    const result = await outbound.call({
      method: 'POST',
      url: `${base}/v3/mail/send`,
      destination: 'trusted',
      headers,
      body,
      mayBegin,
    });
    if (result.kind !== 'answered') return unreached(result);
    if (result.status === 202) {
      const id = textOf(result.headers['x-message-id']);
      const taken: Outcome = {
        outcome: 'accepted',
        ...(id !== '' && { providerMessageId: id }),
      };
      return mails.map(() => taken);
    }
    const wrong = wrongMails(result, mails);
    if (wrong.size > 0) return mails.map((one) => wrong.get(one));
    const refused = sendGridRefusal(result, [apiKey], clock.now());
    return isOfContent(result) ? mails.map(() => refused) : refused;
  }

  const gather = new Gather<RelayMail>(call, recipientsMax, recipientsMax);
  return {
    send: (mail, mayBegin) => {
      const { cc = [], bcc = [] } = mail.mail;
      return gather.add(contentKey(mail), mail, 1 + cc.length + bcc.length, mayBegin);
    },
    check: () => {
      const call = { url: `${base}/v3/scopes`, headers };
      return checkKey(outbound, { ...call, answerBytesMax: scopesBytesMax }, apiKey, noScope);
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** A full account has some 300 scopes. */
const scopesBytesMax: Bytes = 128 * 1024;

function noScope(answer: ProviderResponse): string | undefined {
  const problem = keyProblem(answer);
  if (problem !== undefined) return problem;
  const { scopes } = parseObject(answer.body);
  return Array.isArray(scopes) && scopes.includes('mail.send') ? undefined : 'relay_refused';
}
