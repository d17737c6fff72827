// Sends by SendGrid: mails of one turn with equal contents in one call, up to 1,000 people. One wrong
// address refuses a whole call, so the others leave again without it.

import type { Bytes } from '../../../../engine/base/brand.ts';
import type { MayBegin } from '../../port/adapter.ts';
import {
  failure,
  httpMeaning,
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  unreached,
} from '../../port/answers.ts';
import { checkByCall } from '../../port/credential-check.ts';
import { listOf, parseObject, textOf } from '../../port/json.ts';
import type { Failure, Outcome } from '../../port/outcome.ts';
import { Gather } from '../gather.ts';
import type { OpenRelayAccount, RelayMail } from '../relay.ts';
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
    const body = sendGridBody(mails);
    if (Buffer.byteLength(body) > bodyBytesMax)
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
      const refused = refusal(result, secrets, clock.now());
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
    check: () =>
      checkByCall(
        outbound,
        { method: 'GET', url: `${base}/v3/scopes`, headers, answerBytesMax: 128 * 1024 },
        [apiKey],
        ({ status, body }) => {
          if (status === 401 || status === 403) return 'relay_authentication';
          if (status !== 200) return httpMeaning(status)[1];
          const { scopes } = parseObject(body);
          const maySend = Array.isArray(scopes) && scopes.includes('mail.send');
          return maySend ? undefined : 'relay_refused';
        },
      ),
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** SendGrid names all wrong addresses of a call at once: the second round leaves, unless by accident. */
const roundsMax = 3;
/** Of a mail that shared a refused call: nothing is wrong with it, and nothing was sent. */
const unsent: Outcome = { outcome: 'retry', reason: 'invalid_request' };

/** The mails that SendGrid names by their place, if there are others that it does not name. */
function wrongMails(
  answer: ProviderResponse,
  mails: readonly RelayMail[],
): ReadonlyMap<RelayMail, Failure> | undefined {
  const wrong = new Map<RelayMail, Failure>();
  for (const error of listOf(parseObject(answer.body)['errors'])) {
    const [, place] = /^personalizations\.(\d{1,4})\./.exec(textOf(error['field'])) ?? [];
    const mail = place === undefined ? undefined : mails[Number(place)];
    if (mail === undefined) return undefined;
    const isTo = /^personalizations\.\d{1,4}\.to\b/.test(textOf(error['field']));
    const reason = isTo ? 'bad_address' : 'invalid_request';
    wrong.set(mail, failure('permanent', reason, textOf(error['message']), [mail.mail.to]));
  }
  return wrong.size === 0 ? undefined : wrong;
}

function refusal(answer: ProviderResponse, secrets: readonly string[], nowMs: number): Failure {
  const errors = listOf(parseObject(answer.body)['errors']);
  const words = errors.map((error) => textOf(error['message'])).join('; ');
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs) ?? untilReset(answer, nowMs);
  const meaning = meaningOf(answer.status, words);
  return meantFailure(meaning, `HTTP ${answer.status}: ${words}`, secrets, asked);
}

/** `X-RateLimit-Reset`: when the next calls are allowed, in seconds since 1970. */
function untilReset({ status, headers }: ProviderResponse, nowMs: number): number | undefined {
  const text = textOf(headers['x-ratelimit-reset']);
  if (status !== 429 || !/^\d{1,11}$/.test(text)) return undefined;
  return retryAfterMs(new Date(Number(text) * 1000).toUTCString(), nowMs);
}

function meaningOf(status: number, words: string): Meaning {
  switch (status) {
    case 400:
      // A free account whose day is used up is told so with a 400, others with a 401.
      if (isQuota(words)) return ['rate', 'throttled', dailyMs];
      return ['permanent', 'invalid_request'];
    case 401:
      return isQuota(words) ? ['rate', 'throttled', dailyMs] : ['config', 'relay_authentication'];
    case 403:
      return /verified sender identity/i.test(words)
        ? ['config', 'sender_not_authenticated']
        : ['config', 'relay_authentication'];
    case 404:
    case 405:
      return ['config', 'relay_refused'];
    case 413:
      return ['permanent', 'message_too_large'];
    default:
      return httpMeaning(status);
  }
}

const dailyMs = 15 * 60_000;

function isQuota(words: string): boolean {
  return /maximum credits exceeded|(?:sending|messaging|daily) limits? (?:exceeded|reached)/i.test(
    words,
  );
}
