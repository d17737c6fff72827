// Sends by Postmark: the mails of one turn in one call, up to 500; mails with files alone. Each
// gets its own answer.

import type { Bytes, Millis } from '../../../../engine/base/brand.ts';
import type { MayBegin } from '../../port/adapter.ts';
import {
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  unreached,
} from '../../port/answers.ts';
import { type Json, parseObject, textOf } from '../../port/json.ts';
import type { Failure, Outcome } from '../../port/outcome.ts';
import { Gather, type Gathered } from '../gather.ts';
import { statusMeaning } from '../http-status.ts';
import { bodyOfCall, hasFiles, jsonBody } from '../json-body.ts';
import { checkKey } from '../key-check.ts';
import { objectsIn } from '../objects-in.ts';
import type { OpenRelayAccount } from '../relay.ts';
import type { PostmarkConfig } from './kind.ts';
import { postmarkMessage } from './message.ts';

const mailsMax = 500;
/** Postmark takes 50 MB. */
const bodyBytesMax: Bytes = 45 * 1024 * 1024;
/** 500 answers, each with an address and a sentence. */
const answerBytesMax: Bytes = 1024 * 1024;

interface Item {
  readonly to: string;
  readonly json: Buffer;
}

export const openPostmark: OpenRelayAccount = (relay, { config, outbound, clock }) => {
  const { serverToken, transactionalStream, marketingStream } = relay.config as PostmarkConfig;
  const base = config.urls.POSTMARK ?? 'https://api.postmarkapp.com';
  const headers = {
    'x-postmark-server-token': serverToken,
    'content-type': 'application/json',
    accept: 'application/json',
  };

  async function call(items: readonly Item[], mayBegin: MayBegin): Promise<Gathered> {
    const isOne = items.length === 1;
    const result = await outbound.call({
      method: 'POST',
      url: isOne ? `${base}/email` : `${base}/email/batch`,
      destination: 'trusted',
      headers,
      body: bodyOfCall(items),
      answerBytesMax,
      mayBegin,
    });
    if (result.kind !== 'answered') return unreached(result);
    if (result.status !== 200) return refusal(result, [serverToken], clock.now());
    const answers = isOne ? [parseObject(result.body)] : objectsIn(result.body);
    return items.map(({ to }, index) => outcomeOf(answers?.[index], to, [serverToken, to]));
  }

  const gather = new Gather<Item>(call, mailsMax, bodyBytesMax);
  return {
    send(mail, mayBegin) {
      const stream = mail.stream === 'marketing' ? marketingStream : transactionalStream;
      const json = jsonBody(postmarkMessage(mail, stream));
      const key = hasFiles(mail.mail) ? mail.uuid : '';
      return gather.add(key, { to: mail.mail.to, json }, json.length, mayBegin);
    },
    check: () => checkKey(outbound, { url: `${base}/server`, headers }, serverToken),
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

/** One mail's answer within a 200. */
function outcomeOf(answer: Json | undefined, to: string, secrets: readonly string[]): Outcome {
  const code = answer?.['ErrorCode'];
  if (answer === undefined || typeof code !== 'number')
    return { outcome: 'ambiguous', reason: 'answer_unreadable' };
  const words = textOf(answer['Message']);
  if (code !== 0)
    return meantFailure(meaningOf(code, words), `${code}: ${words}`, secrets, undefined);
  // Copies may have got it while the recipient's own address is on Postmark's list.
  if (/inactive addresses/i.test(words) && words.toLowerCase().includes(to.toLowerCase()))
    return meantFailure(inactive, words, secrets, undefined);
  const id = textOf(answer['MessageID']);
  return { outcome: 'accepted', ...(id !== '' && { providerMessageId: id }) };
}

function refusal(answer: ProviderResponse, secrets: readonly string[], nowMs: Millis): Failure {
  const { ErrorCode: code, Message: said } = parseObject(answer.body);
  const words = `HTTP ${answer.status}: ${textOf(said)}`;
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  return meantFailure(meaningOfStatus(answer.status, code, words), words, secrets, asked);
}

function meaningOfStatus(status: number, code: unknown, words: string): Meaning {
  switch (status) {
    case 403:
      return ['config', 'relay_authentication'];
    case 422:
      return meaningOf(typeof code === 'number' ? code : 0, words);
    default:
      return statusMeaning(status);
  }
}

/** The address may have bounced, complained or been entered by hand: it is not certainly dead. */
const inactive: Meaning = ['permanent', 'dropped'];

/** Source: Postmark, "API error codes". */
function meaningOf(code: number, words: string): Meaning {
  switch (code) {
    case 10:
      return ['config', 'relay_authentication'];
    case 100:
      return ['retry', 'unavailable'];
    case 300:
      if (/\bFrom\b/.test(words)) return ['config', 'sender_not_authenticated'];
      return ['permanent', /\bTo\b/.test(words) ? 'bad_address' : 'invalid_request'];
    case 400:
    case 401:
      return ['config', 'sender_not_authenticated'];
    case 406:
      return inactive;
    case 411:
      return ['permanent', 'content_refused'];
    case 405: // no credits left
    case 412: // the account is not approved yet
    case 413: // the account was closed
    case 1235: // there is no such stream
      return ['config', 'relay_refused'];
    case 429:
      return ['rate', 'throttled'];
    default:
      return ['permanent', 'invalid_request'];
  }
}
