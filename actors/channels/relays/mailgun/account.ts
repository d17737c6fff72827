// Sends by Mailgun, one call a mail: its calls for many fill in one content for all, and take no
// whole message. Ours goes as it is, with its Message-ID.

import type { Millis } from '../../../../engine/base/brand.ts';
import { mailMarkName } from '../../email/mail-mark.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import {
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  unreached,
} from '../../port/answers.ts';
import { credentialFails, credentialWorks } from '../../port/credential-check.ts';
import { parseObject, textOf } from '../../port/json.ts';
import type { Failure } from '../../port/outcome.ts';
import { statusMeaning } from '../http-status.ts';
import type { OpenRelayAccount } from '../relay.ts';
import { namedTags, plainTags } from '../tag-limits.ts';
import { type FormPart, formBody } from './form-body.ts';
import type { MailgunConfig } from './kind.ts';

export const openMailgunAccount: OpenRelayAccount = (relay, { config, outbound, clock }) => {
  const { apiKey, domain, region, signingKey = '' } = relay.config as MailgunConfig;
  const base =
    config.urls.MAILGUN ??
    (region === 'eu' ? 'https://api.eu.mailgun.net' : 'https://api.mailgun.net');
  const authorization = `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`;
  const post = (path: string, boundary: string, parts: readonly FormPart[]) => ({
    method: 'POST' as const,
    url: `${base}/v3/${domain}/${path}`,
    destination: 'trusted' as const,
    headers: { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: formBody(parts, boundary),
  });
  return {
    async send(mail, mayBegin) {
      const request = post('messages.mime', boundaryOf(mail), partsOf(mail));
      const result = await outbound.call({ ...request, mayBegin });
      if (result.kind !== 'answered') return unreached(result);
      const body = parseObject(result.body);
      if (result.status !== 200)
        return refusal(result, [apiKey, signingKey, mail.mail.to], clock.now());
      const id = textOf(body['id']).replace(/^<|>$/g, '');
      return id === ''
        ? { outcome: 'ambiguous', reason: 'answer_unreadable' }
        : { outcome: 'accepted', providerMessageId: id };
    },
    async check() {
      // A sending key may do nothing but send: a call without a mail is refused after the key.
      const none = [{ name: 'o:testmode', value: 'yes' }];
      const result = await outbound.call(post('messages', 'engage-check', none));
      if (result.kind !== 'answered') return credentialFails(unreached(result));
      if (result.status === 400) return credentialWorks;
      return credentialFails(refusal(result, [apiKey, signingKey], clock.now()));
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** Of a mail; more tags are dropped. Source: Mailgun, "Tags". */
const tagLimits = { countMax: 3, charsMax: 128 };
/** All variables of a mail have 4 KB. */
const variableLimits = { countMax: 9, charsMax: 128 };

/** Nobody who writes a mail knows it: the uuid has a hash of this send. */
function boundaryOf({ uuid }: RelayMail): string {
  return `engage-${uuid}`;
}

function partsOf(relayMail: RelayMail): readonly FormPart[] {
  const { mail, mark, tags } = relayMail;
  const recipients = [mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])];
  return [
    ...recipients.map((value) => ({ name: 'to', value })),
    { name: 'o:tracking', value: 'no' },
    { name: `v:${mailMarkName}`, value: mark },
    ...namedTags(tags, variableLimits).map(([name, value]) => ({ name: `v:${name}`, value })),
    ...plainTags(tags, tagLimits).map((value) => ({ name: 'o:tag', value })),
    { name: 'message', filename: 'mail.eml', type: 'message/rfc822', value: relayMail.pieces() },
  ];
}

function refusal(answer: ProviderResponse, secrets: readonly string[], nowMs: Millis): Failure {
  const words = textOf(parseObject(answer.body)['message']) || answer.body.slice(0, 300);
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  const meaning = meaningOf(answer.status, words);
  return meantFailure(meaning, `HTTP ${answer.status}: ${words}`, secrets, asked);
}

function meaningOf(status: number, words: string): Meaning {
  switch (status) {
    case 400:
      return ['permanent', /not a valid address/i.test(words) ? 'bad_address' : 'invalid_request'];
    case 403:
      return /limit|too many/i.test(words)
        ? ['rate', 'throttled', limitMs]
        : ['config', 'relay_refused'];
    default:
      return statusMeaning(status);
  }
}

/** New domains may send so many mails an hour. */
const limitMs: Millis = 15 * 60_000;
