// Sends by Amazon SES, one call a mail: its calls for many want templates that SES fills in, and
// ours are filled in already.

import type { Millis } from '../../../../engine/base/brand.ts';
import { base64Of, bytesOfPieces } from '../../email/attached.ts';
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
import { namedTags } from '../tag-limits.ts';
import type { SesConfig } from './kind.ts';
import { awsSigner } from './signature.ts';

export const openSesAccount: OpenRelayAccount = (relay, { config, outbound, clock }) => {
  const account = relay.config as SesConfig;
  const base = config.urls.SES ?? sesAddress(account.region);
  const sendUrl = partsOf(`${base}/v2/email/outbound-emails`);
  const accountUrl = partsOf(`${base}/v2/email/account`);
  const signer = awsSigner({ service: 'ses', ...account });
  const refusalOf = (answer: ProviderResponse, mail?: RelayMail['mail']): Failure => {
    const { accessKeyId, secretAccessKey } = account;
    const secrets = [accessKeyId, secretAccessKey, ...(mail === undefined ? [] : [mail.to])];
    return refusal(answer, secrets, mail?.fromAddress, clock.now());
  };
  return {
    async send(mail, mayBegin) {
      const body = sesBody(mail, account.configurationSet);
      const result = await outbound.call({
        method: 'POST',
        url: sendUrl.href,
        destination: 'trusted',
        headers: signer('POST', sendUrl, body, clock.now()),
        body,
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      if (result.status !== 200) return refusalOf(result, mail.mail);
      const providerMessageId = textOf(parseObject(result.body)['MessageId']);
      return providerMessageId === ''
        ? { outcome: 'ambiguous', reason: 'answer_unreadable' }
        : { outcome: 'accepted', providerMessageId };
    },
    async check() {
      const result = await outbound.call({
        method: 'GET',
        url: accountUrl.href,
        destination: 'trusted',
        headers: signer('GET', accountUrl, '', clock.now()),
      });
      if (result.kind !== 'answered') return credentialFails(unreached(result));
      if (result.status !== 200) return credentialFails(refusalOf(result));
      return parseObject(result.body)['SendingEnabled'] === false
        ? credentialFails({ reason: 'relay_refused', detail: 'sending is paused' })
        : credentialWorks;
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** SES takes 50 tags, ours included. Source: "MessageTag" of the API reference. */
const tagLimits = { countMax: 49, charsMax: 256 };

/** The regions of China have a domain of their own. */
function sesAddress(region: string): string {
  return `https://email.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** What a signature covers of a URL, read once. */
function partsOf(text: string): {
  readonly href: string;
  readonly host: string;
  readonly pathname: string;
} {
  const { href, host, pathname } = new URL(text);
  return { href, host, pathname };
}

function sesBody(relayMail: RelayMail, configurationSet: string | undefined): Uint8Array {
  const { mail, mark, tags } = relayMail;
  const named = [...namedTags(tags, tagLimits), [mailMarkName, mark] as const];
  const rest = JSON.stringify({
    Destination: {
      ToAddresses: [mail.to],
      ...(mail.cc && { CcAddresses: mail.cc }),
      ...(mail.bcc && { BccAddresses: mail.bcc }),
    },
    EmailTags: named.map(([Name, Value]) => ({ Name, Value })),
    ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
  });
  // SES replaces Message-ID and Date, which our DKIM signature covers, and signs the mail itself.
  // Source: SES Developer Guide, "Manual DKIM signing".
  const data = base64Of(bytesOfPieces(relayMail.pieces('unsigned')));
  // Base64 has nothing that JSON escapes, so nobody needs to look.
  return bytesOfPieces(['{"Content":{"Raw":{"Data":"', data, '"}},', rest.slice(1)]);
}

/** By the name of SES's error. */
const meanings: Readonly<Record<string, Meaning>> = {
  TooManyRequestsException: ['rate', 'throttled'],
  ThrottlingException: ['rate', 'throttled'],
  Throttling: ['rate', 'throttled'],
  LimitExceededException: ['rate', 'throttled'],
  AccountSuspendedException: ['config', 'relay_refused'],
  SendingPausedException: ['config', 'relay_refused'],
  NotFoundException: ['config', 'relay_refused'],
  MailFromDomainNotVerifiedException: ['config', 'sender_not_authenticated'],
  MessageRejected: ['permanent', 'refused'],
  BadRequestException: ['permanent', 'invalid_request'],
};

/** A day's quota ends at no fixed hour: SES counts the last 24. */
const dailyMs: Millis = 15 * 60_000;

function refusal(
  answer: ProviderResponse,
  secrets: readonly string[],
  from: string | undefined,
  nowMs: Millis,
): Failure {
  const body = parseObject(answer.body);
  const header = answer.headers['x-amzn-errortype'];
  const name = (textOf(header) || textOf(body['__type'])).replace(/:.*$|^.*#/gs, '');
  const words = textOf(body['message']) || textOf(body['Message']);
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  const meaning = meaningOf(answer.status, name, words, from);
  return meantFailure(meaning, `HTTP ${answer.status} ${name}: ${words}`, secrets, asked);
}

function meaningOf(status: number, name: string, words: string, from: string | undefined): Meaning {
  if (status === 401 || status === 403) {
    const isClock = /signature (?:expired|not yet current)|request(?:has)? ?expired/i.test(words);
    return ['config', isClock ? 'clock_skewed' : 'relay_authentication'];
  }
  if (/daily (?:message|sending) quota/i.test(words)) return ['rate', 'throttled', dailyMs];
  if (/maximum sending rate/i.test(words)) return ['rate', 'throttled'];
  if (/message length|(?:message|email) (?:size|is too (?:large|long))/i.test(words))
    return ['permanent', 'message_too_large'];
  if (/is not verified/i.test(words)) {
    // An account in SES's own sandbox writes to verified people alone: that is not our sender.
    const domain = from?.slice(from.lastIndexOf('@') + 1).toLowerCase() ?? '';
    const isOurs = domain !== '' && words.toLowerCase().includes(domain);
    return isOurs ? ['config', 'sender_not_authenticated'] : ['permanent', 'relaying_denied'];
  }
  if (
    /missing final '@domain'|illegal address|invalid (?:email )?address|local address|domain (?:starts|ends|contains)/i.test(
      words,
    )
  )
    return ['permanent', 'bad_address'];
  return (Object.hasOwn(meanings, name) ? meanings[name] : undefined) ?? statusMeaning(status);
}
