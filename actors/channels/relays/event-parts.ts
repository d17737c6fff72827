// What the events of all services share: the mail that a mark names, a server's reply within a
// service's words, and bounded texts. Pure. Strangers wrote parts of these texts.

import type { Millis } from '../../../engine/base/brand.ts';
import { readMailMark } from '../email/mail-mark.ts';
import type { RelayEvent } from '../port/relay-events.ts';

const detailCharsMax = 200;
const replyCharsMax = 1_500;
const addressCharsMax = 320;
const urlCharsMax = 2_048;
const userAgentCharsMax = 512;

/** What a service says of an event; empty texts count as absent. */
export interface SaidEvent {
  readonly kind: RelayEvent['kind'];
  /** The echoed mark. */
  readonly mark: unknown;
  readonly atMs: Millis | undefined;
  readonly to?: string;
  /** The service's words for the cause. */
  readonly detail?: string;
  readonly reply?: RelayEvent['reply'];
  readonly list?: RelayEvent['list'];
  readonly url?: string;
  readonly userAgent?: string;
  readonly byMachine?: boolean;
}

/** The event; `undefined` if its mark is none of ours. Without a time it happened now. */
export function relayEvent(said: SaidEvent, nowMs: Millis): RelayEvent | undefined {
  const mail = readMailMark(said.mark);
  if (mail === undefined) return undefined;
  const { sendId, deviceId } = mail;
  const { kind, to = '', detail = '', reply, list, url = '', userAgent = '' } = said;
  const words = oneLine(detail, detailCharsMax);
  return {
    kind,
    sendId,
    deviceId,
    // A service's clock may run ahead of ours: nothing has happened after now.
    atMs: Math.min(said.atMs ?? nowMs, nowMs),
    ...(to !== '' && to.length <= addressCharsMax && { to }),
    ...(reply !== undefined && { reply }),
    ...(words !== '' && { detail: words }),
    ...(list !== undefined && { list }),
    ...(url !== '' && url.length <= urlCharsMax && { url }),
    ...(userAgent !== '' && { userAgent: oneLine(userAgent, userAgentCharsMax) }),
    ...(said.byMachine === true && { byMachine: true }),
  };
}

/** A reply such as `smtp; 550 5.1.1 user unknown`; `undefined` if the text starts with no code. */
export function replyIn(words: string): RelayEvent['reply'] {
  const text = oneLine(words, replyCharsMax).replace(/^(?:smtp|x-[\w-]{1,40}) ?; ?/i, '');
  const [, first, enhanced, rest = ''] =
    /^([245]\d\d)[ -]?(?:#?([245]\.\d{1,3}\.\d{1,3})(?![.\d]) ?)?(.*)$/.exec(text) ?? [];
  if (first === undefined) return undefined;
  return replyOf(Number(first), enhanced, rest);
}

/** A reply that a service has taken apart. */
export function replyOf(
  code: number,
  enhanced: string | undefined,
  words: string,
): RelayEvent['reply'] {
  if (!Number.isInteger(code) || code < 200 || code > 599) return undefined;
  const isEnhanced = enhanced !== undefined && /^[245]\.\d{1,3}\.\d{1,3}$/.test(enhanced);
  const text = oneLine(words, replyCharsMax);
  return { code, ...(isEnhanced && { enhanced }), text };
}

/** Epoch milliseconds of a date-time text; `undefined` if it is none. */
export function millisOfDate(text: string): Millis | undefined {
  const atMs = text.length <= 40 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

function oneLine(text: string, charsMax: number): string {
  return text
    .slice(0, charsMax)
    .replace(/[\p{Cc}\p{Zl}\p{Zp} ]+/gu, ' ')
    .trim();
}
