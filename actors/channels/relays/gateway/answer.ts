// What a gateway's answer means, by the rules of its configuration. Pure. What no rule knows keeps
// the device: an unknown code refuses the message, and a 200 that cannot be read is ambiguous.

import type { Millis } from '../../../../engine/base/brand.ts';
import {
  failure,
  httpMeaning,
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
} from '../../port/answers.ts';
import { idCharsMax } from '../../port/callback-item.ts';
import type { Outcome } from '../../port/outcome.ts';
import type { GatewayAnswer } from './config.ts';
import { isLike, type Place, type ReadDocument, readDocument, textAt } from './places.ts';

/** Every given member holds. */
interface Condition {
  readonly status?: readonly string[] | undefined;
  readonly code?: readonly string[] | undefined;
  readonly at?: Place | undefined;
  readonly is?: readonly string[] | undefined;
}

interface Said {
  readonly status: number;
  readonly document: ReadDocument;
  readonly code: string | undefined;
}

export function gatewayOutcome(
  response: ProviderResponse,
  rules: GatewayAnswer,
  secrets: readonly string[],
  nowMs: Millis,
): Outcome {
  const said = readAnswer(response, rules);
  const { status, document, code } = said;
  // The code is a number of the gateway's; a word keeps it from looking like a phone number.
  const number = code === undefined ? '' : `, code ${code}`;
  const words = `${status}${number}: ${textAt(document, rules.words) ?? ''}`;
  const askedMs = retryAfterMs(response.headers['retry-after'], nowMs);
  const known = rules.meanings.find((one) => holds(one, said));
  if (known !== undefined) {
    const waitMs = known.waitSeconds === undefined ? undefined : known.waitSeconds * 1_000;
    return meantFailure([known.outcome, known.reason, waitMs], words, secrets, askedMs);
  }
  if (holds(rules.accepted, said)) {
    const id = textAt(document, rules.id)?.slice(0, idCharsMax);
    return { outcome: 'accepted', ...(id === undefined ? {} : { providerMessageId: id }) };
  }
  if (status >= 200 && status < 300 && code === undefined)
    return failure('ambiguous', 'answer_unreadable', words, secrets);
  return meantFailure(otherwise(status, code), words, secrets, askedMs);
}

/** Whether the answer to a check is the one of a working account. */
export function passesCheck(
  response: ProviderResponse,
  rules: GatewayAnswer,
  accepted: Condition,
): boolean {
  return holds(accepted, readAnswer(response, rules));
}

function readAnswer({ status, body }: ProviderResponse, rules: GatewayAnswer): Said {
  const document = readDocument(body, rules.format);
  return { status, document, code: textAt(document, rules.code) };
}

function holds({ status, code, at, is }: Condition, said: Said): boolean {
  if (status !== undefined && !isLike(String(said.status), status)) return false;
  if (code !== undefined && (said.code === undefined || !isLike(said.code, code))) return false;
  if (at === undefined) return true;
  const found = textAt(said.document, at);
  return found !== undefined && (is === undefined || isLike(found, is));
}

function otherwise(status: number, code: string | undefined): Meaning {
  switch (status) {
    case 401:
      return ['config', 'unauthenticated'];
    case 402:
      return ['config', 'balance_used_up'];
    case 403:
      return ['config', 'permission_denied'];
    case 404:
      return ['config', 'account_not_found'];
  }
  // A redirect, and trouble of its server, are no verdict on the message, whatever the code.
  if (status >= 300 && status < 400) return httpMeaning(status);
  if (status >= 500 || status === 408 || status === 425 || status === 429)
    return httpMeaning(status);
  const word = code
    ?.toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 32);
  return word === undefined || word === '' ? httpMeaning(status) : ['permanent', `code_${word}`];
}
