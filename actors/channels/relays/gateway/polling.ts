// Asks a gateway what became of messages, one call each, a few at once. What cannot be read says
// nothing about a message; the first call that fails ends the page.

import type { Millis } from '../../../../engine/base/brand.ts';
import { mailMark } from '../../email/mail-mark.ts';
import type { AdapterContext } from '../../port/adapter.ts';
import { httpMeaning, meantFailure, retryAfterMs, unreached } from '../../port/answers.ts';
import { attemptUuid } from '../../port/attempt-uuid.ts';
import type {
  AskedMessage,
  AskedResults,
  LateResults,
  ToldResult,
} from '../../port/late-results.ts';
import type { OpenRelay } from '../../port/open-relay.ts';
import type { Failure } from '../../port/outcome.ts';
import { placedCall } from './account.ts';
import type { GatewayConfig, GatewayPolling } from './config.ts';
import { newsOf } from './news.ts';
import { readDocument } from './places.ts';
import { buildRequest, type GatewayRequest } from './request.ts';
import { secretForms } from './secret-forms.ts';

const atOnce = 4;
/** No call begins later in a page: its answer is waited for a few minutes. */
const pageMsMax: Millis = 60_000;

export async function askGateway(
  { relay, messages }: AskedResults,
  context: AdapterContext,
): Promise<LateResults> {
  const { polling } = relay.config as GatewayConfig;
  if (polling === undefined)
    return { state: 'failed', failure: { outcome: 'permanent', reason: 'not_supported' } };
  const endMs = context.clock.monotonic() + pageMsMax;
  const left = [...messages];
  const told: ToldResult[] = [];
  let problem: Failure | undefined;
  const askOn = async (): Promise<void> => {
    while (problem === undefined && context.clock.monotonic() < endMs) {
      const message = left.shift();
      if (message === undefined) return;
      const answer = await askAbout(message, relay, polling, context);
      if ('outcome' in answer) problem ??= answer;
      else told.push(answer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
  return { state: 'told', told, ...(problem === undefined ? {} : { failure: problem }) };
}

async function askAbout(
  message: AskedMessage,
  { config }: OpenRelay,
  polling: GatewayPolling,
  { config: operator, outbound, clock }: AdapterContext,
): Promise<ToldResult | Failure> {
  const gateway = config as GatewayConfig;
  const request = questionAbout(message, gateway, polling);
  if (request === undefined) return { message };
  const result = await outbound.call({ ...request, ...placedCall(request, operator) });
  if (result.kind !== 'answered') return unreached(result);
  const { status, body, headers } = result;
  const refusal = refusedBy(status);
  if (refusal !== undefined) {
    const secrets = secretForms(gateway.credentials, request.headers).map(([form]) => form);
    const askedMs = retryAfterMs(headers['retry-after'], clock.now());
    return meantFailure(refusal, `HTTP ${status}: ${body.slice(0, 300)}`, secrets, askedMs);
  }
  const { format, ...rules } = polling.answer;
  const news = newsOf(readDocument(body, format), rules);
  return { message, ...(news === undefined ? {} : { news }) };
}

function questionAbout(
  { sendId, deviceId, name }: AskedMessage,
  { credentials, headers, basic }: GatewayConfig,
  polling: GatewayPolling,
): GatewayRequest | undefined {
  const named = {
    message_id: name,
    id: mailMark({ sendId, deviceId }),
    uuid: attemptUuid(sendId, deviceId),
  };
  return buildRequest({ headers, basic, ...polling, credentials }, { named, credentials });
}

/** What says nothing about the message: trouble of the account or of the gateway. */
function refusedBy(status: number): ReturnType<typeof httpMeaning> | undefined {
  if (status === 401) return ['config', 'unauthenticated'];
  if (status === 403) return ['config', 'permission_denied'];
  const isTrouble = status >= 500 || status === 408 || status === 425 || status === 429;
  const isElsewhere = status >= 300 && status < 400;
  return isTrouble || isElsewhere ? httpMeaning(status) : undefined;
}
