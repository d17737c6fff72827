// What all providers' callbacks share: a report on a message, or a person who leaves, returns or
// writes. Blocking an account counts as STOP, following it again as START.

import type { Millis } from '../../../engine/base/brand.ts';
import type { WebhookChannel } from '../channel-ids.ts';
import { type Said, saidIn } from '../words/keywords.ts';
import type { DeliveryReport } from './delivery-report.ts';

/** Stored length of an id; the rest is cut. */
export const idCharsMax = 128;

export interface Inbound extends Said {
  readonly id: string;
  readonly from: string;
  /** What a STOP or START is about; default everything. */
  readonly about?: 'marketing';
  /** The reason of the opt-out; default `stop`, or `stop_marketing`. */
  readonly reason?: string;
  /** Of two at one instant the higher one is newer. */
  readonly number?: number;
  /** The message that it answers, if the provider says so. */
  readonly answers?: AnsweredName;
}

/** How a report names its message: our ids, the UUID made from them, or the provider's id. */
export type MessageName =
  | { readonly sendId: string; readonly deviceId: string }
  | { readonly uuid: string }
  | { readonly name: string };

/** How an answer names the message that it is about. */
type AnsweredName = Exclude<MessageName, { readonly uuid: string }>;

export type CallbackItem =
  | ({
      readonly kind: 'status';
      /** One of these received the message. Empty if the provider does not say. */
      readonly addresses: readonly string[];
      readonly news: DeliveryReport;
    } & MessageName)
  | ({ readonly kind: 'inbound'; readonly atMs: Millis | undefined } & Inbound)
  /** A person has another number now. */
  | {
      readonly kind: 'moved';
      readonly id: string;
      readonly from: string;
      readonly to: string;
    }
  | { readonly kind: 'unknown' };

export const unknownItem: CallbackItem = { kind: 'unknown' };

/** What a person did or wrote; unknown if the person or the id is missing. */
export function inboundItem({
  id,
  from,
  atMs,
  texts = [],
  left,
  number,
  answers,
}: {
  readonly id: string;
  readonly from: string;
  readonly atMs: Millis | undefined;
  /** What was written, or a pressed button's label and data. */
  readonly texts?: readonly string[];
  readonly left?: boolean;
  readonly number?: number;
  readonly answers?: AnsweredName | undefined;
}): CallbackItem {
  if (id === '' || from === '') return unknownItem;
  const order = number === undefined ? {} : { number };
  const about = answers === undefined ? {} : { answers };
  const did = {
    ...({ kind: 'inbound', id: id.slice(0, idCharsMax), from, atMs } as const),
    ...order,
    ...about,
  };
  if (left === undefined) return { ...did, ...saidIn(...texts) };
  return left ? { ...did, keyword: 'stop', reason: 'unfollowed' } : { ...did, keyword: 'start' };
}

export type WebhookReaders = Readonly<Record<WebhookChannel, { readonly webhook: WebhookReader }>>;

/** Reads a provider's webhook calls. The proof covers the bytes as received. */
export interface WebhookReader {
  /** The credential field that the header proves knowledge of. */
  readonly secret: string;
  /** The expected header; `undefined` if the credential has no such field. */
  wanted(credential: unknown, body: Uint8Array): string | undefined;
  /** All items of a body, in order; one unknown item if it is not a JSON object. */
  items(body: Uint8Array): readonly CallbackItem[];
}
