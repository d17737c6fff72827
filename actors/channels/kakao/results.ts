// Polls Solapi for AlimTalk results: pages of five hundred messages changed in a period, identified
// by our fields. Asking by message id would cost a call and a stored id per send. Sources: Solapi,
// "messages/v4/list"; the fields are from its own client.

import { createHash } from 'node:crypto';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import type { AdapterContext } from '../port/adapter.ts';
import { failure, retryAfterMs, unreached } from '../port/answers.ts';
import { parseObject, textOf } from '../port/json.ts';
import type { LateResult, LateResults, ResultsQuery } from '../port/late-results.ts';
import type { Failure } from '../port/outcome.ts';
import { type KakaoCredential, kakao } from './channel.ts';
import { meaningOfCall, meaningOfCode } from './errors.ts';
import { kakaoAuthorization } from './signature.ts';

const pageMax = 500;
const pageBytesMax: Bytes = 4 * 1024 * 1024;
/** Delivered. The other accepted codes (2000, 3000) are not final. */
const arrivedCode = 4000;

/** One page. `call` counts an adapter's calls: each needs its own signature. */
export async function kakaoResults(
  { config, outbound, clock }: AdapterContext,
  query: ResultsQuery,
  account: KakaoCredential,
  call: number,
): Promise<LateResults> {
  const nowMs = clock.now();
  const result = await outbound.call({
    method: 'GET',
    url: `${config.urls.KAKAO ?? kakao.urls.KAKAO}/messages/v4/list?${parametersOf(query)}`,
    destination: 'trusted',
    headers: { authorization: kakaoAuthorization(account, nowMs, saltOf(query, nowMs, call)) },
    answerBytesMax: pageBytesMax,
  });
  if (result.kind !== 'answered') return { state: 'failed', failure: unreached(result) };
  const body = parseObject(result.body);
  if (result.status !== 200) {
    const name = textOf(body['errorCode']);
    const [outcome, reason] = meaningOfCall(result.status, name);
    const delayMs = retryAfterMs(result.headers['retry-after'], clock.now());
    return failed(failure(outcome, reason, `HTTP ${result.status} ${name}`, [], delayMs));
  }
  const list = body['messageList'];
  if (typeof list !== 'object' || list === null)
    return failed(failure('retry', 'answer_unreadable', 'HTTP 200'));
  const nextKey = body['nextKey'];
  return {
    state: 'read',
    results: Object.values(list).flatMap(resultOf),
    nextKey: typeof nextKey === 'string' && nextKey !== '' ? nextKey : null,
  };
}

function parametersOf({ sinceMs, untilMs, startKey }: ResultsQuery): URLSearchParams {
  return new URLSearchParams({
    type: 'ATA',
    dateType: 'UPDATED',
    startDate: new Date(sinceMs).toISOString(),
    endDate: new Date(untilMs).toISOString(),
    limit: String(pageMax),
    ...(startKey === null ? {} : { startKey }),
  });
}

function resultOf(message: unknown): readonly LateResult[] {
  if (!isObject(message)) return [];
  const { to, country, statusCode, customFields } = message;
  const { sendId, deviceId } = isObject(customFields) ? customFields : {};
  if (typeof sendId !== 'string' || typeof deviceId !== 'string' || typeof to !== 'string')
    return [];
  const code = Number(statusCode);
  const named = { sendId, deviceId, address: numberOf(to, country) };
  if (code === arrivedCode) return [named];
  const { outcome, reason } = meaningOfCode(code, false);
  if (!Number.isInteger(code) || outcome === 'accepted') return [];
  // An error that sending would retry is final here.
  const effect = outcome === 'dead' || outcome === 'opted_out' ? outcome : 'none';
  return [{ ...named, failed: { reason, effect } }];
}

function numberOf(to: string, country: unknown): string {
  const code = typeof country === 'string' ? country : '82';
  return `+${code}${code === '82' ? to.replace(/^0/, '') : to}`;
}

function saltOf({ startKey }: ResultsQuery, nowMs: Millis, call: number): string {
  const what = `list ${startKey} ${nowMs} ${call}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}

function failed(why: Failure): LateResults {
  return { state: 'failed', failure: why };
}
