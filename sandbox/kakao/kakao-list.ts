// Results of accepted AlimTalks, and Solapi's list of them: `GET /messages/v4/list`, paged by last
// change. Messages end at once, with the result of their number.

import type { Millis } from '../../engine/base/brand.ts';
import { jsonAnswer, type StandInResponse } from '../stand-in.ts';
import type { KakaoMessage } from './kakao-message.ts';

/** Drops the oldest beyond this, as Solapi does after half a year. */
const messagesMax = 50_000;
const pageMax = 500;

interface Listed {
  readonly id: string;
  readonly message: KakaoMessage;
  readonly atMs: Millis;
  readonly statusCode: string;
}

/** By the last digits of +1500555xxxx. */
export const lateCodes: Readonly<Record<string, readonly [code: string, says: string]>> = {
  '0031': ['3104', 'not a user of KakaoTalk'],
  '0032': ['3107', 'KakaoTalk unused for 72 hours, or AlimTalk blocked'],
  '0033': ['3000', 'on its way, for ever'],
};

export class KakaoList {
  #messages: Listed[] = [];

  add(id: string, to: string, message: KakaoMessage, atMs: Millis): void {
    const [statusCode] = lateCodes[to.replace(/^\+1500555/, '')] ?? ['4000'];
    this.#messages.push({ id, message, atMs, statusCode });
    if (this.#messages.length > 2 * messagesMax)
      this.#messages = this.#messages.slice(-messagesMax);
  }

  /** `startKey` is the id of the page's first message. */
  answer(query: URLSearchParams): StandInResponse {
    const limit = Number(query.get('limit') ?? 20);
    const from = instantIn(query.get('startDate'), 0);
    const to = instantIn(query.get('endDate'), Number.POSITIVE_INFINITY);
    const dateType = query.get('dateType') ?? 'CREATED';
    if (!Number.isInteger(limit) || limit < 1 || limit > pageMax) return invalid('limit');
    if (Number.isNaN(from) || Number.isNaN(to)) return invalid('startDate');
    if (dateType !== 'CREATED' && dateType !== 'UPDATED') return invalid('dateType');
    const wanted = query.getAll('messageIds[]').concat(query.getAll('messageId'));
    const found = this.#messages.filter(
      ({ id, atMs }) => atMs >= from && atMs <= to && (wanted.length === 0 || wanted.includes(id)),
    );
    const startKey = query.get('startKey');
    const first = startKey === null ? 0 : found.findIndex(({ id }) => id === startKey);
    if (first < 0) return invalid('startKey');
    const page = found.slice(first, first + limit);
    return jsonAnswer(200, {
      startKey,
      nextKey: found[first + limit]?.id ?? null,
      limit,
      messageList: Object.fromEntries(
        page.map(({ id, message, atMs, statusCode }) => [
          id,
          {
            ...message,
            messageId: id,
            statusCode,
            dateCreated: new Date(atMs).toISOString(),
            dateUpdated: new Date(atMs).toISOString(),
          },
        ]),
      ),
    });
  }
}

function instantIn(text: string | null, otherwise: Millis): Millis {
  return text === null ? otherwise : Date.parse(text);
}

function invalid(member: string): StandInResponse {
  return jsonAnswer(400, { errorCode: 'ValidationError', errorMessage: `${member} is not valid` });
}
