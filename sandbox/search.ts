// Finds messages; JSON for lists and details. The first search after many mails parses them.

import { parseId } from '../engine/base/id.ts';
import { colorsOf } from './email/mail-html.ts';
import type { Ledger } from './ledger.ts';
import type { Content, Exchange, Message } from './message.ts';

export const listLimitMax = 500;
const excerptCharacters = 500;

/** All given fields must match, ignoring case. */
interface MessageQuery {
  readonly channel?: string | undefined;
  /** Part of the recipient. */
  readonly to?: string | undefined;
  /** Each word must occur in recipient, ids, sender, title, text or details, or be an app's id. */
  readonly q?: string | undefined;
  readonly sendId?: string | undefined;
  /** An app's id or number, or a send of the app: its id carries the number. */
  readonly app?: string | undefined;
  /** Only messages older than this one. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** What only the whole message has. */
type Whole = 'html' | 'details' | 'said' | 'bubbles' | 'rows';

interface MessageSummary extends Omit<Content, Whole> {
  readonly id: number;
  readonly at: string;
  readonly channel: string;
  readonly look: string;
  readonly to: string;
  readonly sendId?: string;
  readonly deviceId?: string;
  /** The sending app's number. */
  readonly app?: number;
  readonly outcome: string;
  readonly fault?: string;
  /** HTTP or SMTP code; absent without a response. */
  readonly status?: number;
}

export async function findMessages(ledger: Ledger, query: MessageQuery): Promise<Message[]> {
  const words = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found: Message[] = [];
  for (const message of ledger.newestFirst()) {
    if (found.length >= query.limit) break;
    if (!fitsFields(message, query)) continue;
    if (words.length > 0 && !fitsWords(message, await ledger.contentOf(message), words)) continue;
    found.push(message);
  }
  return found;
}

/** For a list; text is cut to 500 characters. */
export async function summaryOf(ledger: Ledger, message: Message): Promise<MessageSummary> {
  const {
    html: _html,
    details: _details,
    said: _said,
    bubbles: _bubbles,
    rows: _rows,
    files: _files,
    text,
    ...content
  } = await ledger.contentOf(message);
  const { id, channel, look, to, sendId, deviceId, outcome, fault, exchange } = message;
  const app = appOf(message);
  return {
    id,
    at: new Date(message.atMs).toISOString(),
    channel,
    look,
    to,
    ...(sendId !== undefined && { sendId }),
    ...(deviceId !== undefined && { deviceId }),
    ...(app !== undefined && { app }),
    outcome,
    ...(fault !== undefined && { fault }),
    ...(exchange.answer && { status: exchange.answer.status }),
    ...content,
    ...(text !== undefined && { text: text.slice(0, excerptCharacters) }),
  };
}

/** The whole message. `htmlPath` leads to its HTML part, if any; `colors` are those it is for. */
export async function detailOf(ledger: Ledger, message: Message) {
  const {
    text,
    html,
    said,
    bubbles,
    rows,
    files = [],
    details = [],
  } = await ledger.contentOf(message);
  return {
    ...(await summaryOf(ledger, message)),
    ...(text !== undefined && { text }),
    ...(html !== undefined && { htmlPath: `/inbox/mail/${message.id}`, colors: colorsOf(html) }),
    ...(said !== undefined && { said }),
    ...(bubbles !== undefined && { bubbles }),
    ...(rows !== undefined && { rows }),
    ...(files.length > 0 && {
      files: files.map((file, i) => ({ ...file, path: `/inbox/mail/${message.id}/files/${i}` })),
    }),
    details,
    exchange: exchangeView(message.exchange),
  };
}

function exchangeView({ request, requestHeaders, requestBody, answer }: Exchange) {
  const text = requestBody.toString();
  // Decoding replaces invalid UTF-8, so bytes would differ.
  const isText = Buffer.byteLength(text) === requestBody.length && !text.includes('\u0000');
  return {
    request,
    requestHeaders: pairsOf(requestHeaders),
    requestBody: isText ? text : requestBody.toString('base64'),
    requestBodyEncoding: isText ? 'utf8' : 'base64',
    requestBodyBytes: requestBody.length,
    answer: answer ?? null,
  };
}

function pairsOf(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? '', flat[i + 1] ?? '']);
  return pairs;
}

function fitsFields(
  message: Message,
  { channel, to, sendId, app, beforeId }: MessageQuery,
): boolean {
  return (
    (channel === undefined || message.channel === channel) &&
    (sendId === undefined || message.sendId === sendId) &&
    (beforeId === undefined || message.id < beforeId) &&
    (to === undefined || message.to.toLowerCase().includes(to.toLowerCase())) &&
    (app === undefined || isOfApp(message, app))
  );
}

function fitsWords(message: Message, content: Content, words: readonly string[]): boolean {
  const haystack = [
    message.channel,
    message.to,
    message.sendId,
    message.deviceId,
    message.fault,
    content.sender,
    content.title,
    content.text,
    content.note,
    ...(content.details ?? []).flat(),
  ]
    .join('\n')
    .toLowerCase();
  return words.every(
    (word) => haystack.includes(word) || (word.startsWith('app_') && isOfApp(message, word)),
  );
}

function isOfApp(message: Message, app: string): boolean {
  const id = parseId('app', app) ?? parseId('ntf', app);
  const number = /^\d{1,10}$/.test(app) ? Number(app) : id?.ordinal;
  return number !== undefined && appOf(message) === number;
}

function appOf({ sendId }: Message): number | undefined {
  return sendId === undefined ? undefined : parseId('ntf', sendId)?.ordinal;
}
