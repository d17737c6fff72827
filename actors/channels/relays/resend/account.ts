// Sends by Resend: the mails of one turn in one call, up to 100; mails with files alone. Each call
// has an idempotency key, which Resend keeps for a day: a mail's own, with which whoever sends it
// again sends it once, or that of exactly these mails, which only this call can repeat.

import { createHash } from 'node:crypto';
import type { Bytes, Millis } from '../../../../engine/base/brand.ts';
import type { Outbound, OutboundCall, OutboundResult } from '../../outbound/outbound-call.ts';
import type { MayBegin } from '../../port/adapter.ts';
import {
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  unreached,
} from '../../port/answers.ts';
import { listOf, parseObject, textOf } from '../../port/json.ts';
import type { Failure, Outcome } from '../../port/outcome.ts';
import { Gather, type Gathered } from '../gather.ts';
import { statusMeaning } from '../http-status.ts';
import { bodyOfCall, hasFiles, jsonBody } from '../json-body.ts';
import { checkKey, keyProblem } from '../key-check.ts';
import type { OpenRelayAccount } from '../relay.ts';
import type { ResendConfig } from './kind.ts';
import { resendMessage } from './message.ts';

const mailsMax = 100;
/** Resend takes 40 MB a mail. */
const bodyBytesMax: Bytes = 36 * 1024 * 1024;
const answerBytesMax: Bytes = 64 * 1024;

interface Item {
  readonly to: string;
  readonly uuid: string;
  readonly json: Buffer;
}

export const openResend: OpenRelayAccount = (relay, { config, outbound, clock }) => {
  const { apiKey } = relay.config as ResendConfig;
  const base = config.urls.RESEND ?? 'https://api.resend.com';
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  async function call(items: readonly Item[], mayBegin: MayBegin): Promise<Gathered> {
    const [only] = items;
    const isOne = items.length === 1 && only !== undefined;
    const request: OutboundCall = {
      method: 'POST',
      url: isOne ? `${base}/emails` : `${base}/emails/batch`,
      destination: 'trusted',
      headers: {
        ...headers,
        'idempotency-key': isOne ? only.uuid : keyOf(items),
        // Otherwise one wrong mail refuses the others.
        ...(isOne ? {} : { 'x-batch-validation': 'permissive' }),
      },
      body: bodyOfCall(items),
      answerBytesMax,
    };
    let result = await outbound.call({ ...request, mayBegin });
    // They may be out already, so nobody is asked again.
    if (!isOne && isOpen(result)) result = await repeated(outbound, request, result);
    if (result.kind !== 'answered') return unreached(result);
    if (result.status !== 200 && result.status !== 201)
      return refusal(result, [apiKey], clock.now());
    return isOne ? [accepted(parseObject(result.body)['id'])] : each(items, result, apiKey);
  }

  const gather = new Gather<Item>(call, mailsMax, bodyBytesMax);
  return {
    send(mail, mayBegin) {
      const { to } = mail.mail;
      const json = jsonBody(resendMessage(mail));
      // A call for several takes no files; and its key would not be the mail's own, by which Resend
      // knows what it has taken already.
      const isAlone = hasFiles(mail.mail) || mail.mayBeTaken === true;
      const key = isAlone ? mail.uuid : '';
      return gather.add(key, { to, uuid: mail.uuid, json }, json.length, mayBegin);
    },
    check: () => checkKey(outbound, { url: `${base}/domains`, headers }, apiKey, notValid),
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
};

function notValid(answer: ProviderResponse): string | undefined {
  // Resend refuses a sending-only key here with a reason of its own, so the key is valid.
  if (parseObject(answer.body)['name'] === 'restricted_api_key') return undefined;
  return answer.status === 400 ? 'relay_authentication' : keyProblem(answer);
}

/** Whether the call may have been taken. */
function isOpen(result: OutboundResult): boolean {
  if (result.kind !== 'answered') return result.kind === 'unanswered';
  return statusMeaning(result.status)[0] === 'ambiguous' && result.status >= 500;
}

/** The second answer, unless it leaves open what became of the first call. */
async function repeated(
  outbound: Outbound,
  request: OutboundCall,
  first: OutboundResult,
): Promise<OutboundResult> {
  const second = await outbound.call(request);
  return second.kind === 'answered' && second.status < 300 ? second : first;
}

function keyOf(items: readonly Item[]): string {
  const uuids = items.map(({ uuid }) => uuid).join(' ');
  return `batch/${createHash('sha256').update(uuids).digest('hex')}`;
}

function accepted(id: unknown): Outcome {
  const text = textOf(id);
  return text === ''
    ? { outcome: 'ambiguous', reason: 'answer_unreadable' }
    : { outcome: 'accepted', providerMessageId: text };
}

/** `data` has the ids of the accepted ones in order, `errors` the others by their places. */
function each(
  items: readonly Item[],
  { body }: ProviderResponse,
  apiKey: string,
): readonly Outcome[] {
  const answer = parseObject(body);
  const wrong = new Map(
    listOf(answer['errors']).map((one) => [one['index'], textOf(one['message'])]),
  );
  const ids = listOf(answer['data']);
  let next = 0;
  return items.map(({ to }, index) => {
    const words = wrong.get(index);
    if (words === undefined) return accepted(ids[next++]?.['id']);
    return meantFailure(invalid(words), words, [apiKey, to], undefined);
  });
}

function refusal(answer: ProviderResponse, secrets: readonly string[], nowMs: Millis): Failure {
  const { name, message } = parseObject(answer.body);
  const words = textOf(message) || answer.body.slice(0, 300);
  const { headers } = answer;
  const asked = retryAfterMs(headers['retry-after'] ?? headers['ratelimit-reset'], nowMs);
  const meaning = meaningOf(answer.status, textOf(name), words);
  return meantFailure(meaning, `HTTP ${answer.status}: ${words}`, secrets, asked);
}

/** Source: Resend, "Errors". */
function meaningOf(status: number, name: string, words: string): Meaning {
  if (/api[ _]key/i.test(`${name} ${words}`) && status < 404)
    return ['config', 'relay_authentication'];
  switch (status) {
    case 400:
    case 422:
      return name === 'invalid_from_address' ? ['config', 'sender_not_configured'] : invalid(words);
    case 403:
      // The domain is not verified, or a new account writes to others.
      return ['config', 'sender_not_authenticated'];
    case 409:
      // The mail was taken by an earlier call, or is being taken by one.
      return ['ambiguous', 'idempotency_conflict'];
    case 429:
      return ['rate', 'throttled', name.endsWith('quota_exceeded') ? quotaMs : undefined];
    case 451:
      return ['permanent', 'content_refused'];
    default:
      return statusMeaning(status);
  }
}

const quotaMs: Millis = 15 * 60_000;

function invalid(words: string): Meaning {
  return ['permanent', /[`'"]to[`'"]/i.test(words) ? 'bad_address' : 'invalid_request'];
}
