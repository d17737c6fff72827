// What the callbacks of all providers have in common: a report on a message, or a person who
// leaves, returns or writes. Blocking an account counts as an opt-out, like STOP, and following it
// again as START.

import type { Millis } from '../../engine/base/brand.ts';
import type { WebhookChannel } from './channel-ids.ts';
import type { DeliveryReport } from './delivery-report.ts';
import { type Keyword, keywordIn } from './keywords.ts';

/** The longest part of an id that is stored. */
export const idCharsMax = 128;

/** A message from a person to the app. */
export interface Inbound {
  /** The provider's id of it. */
  readonly id: string;
  readonly from: string;
  readonly keyword: Keyword | undefined;
  /** The reason of the opt-out; default `stop`. */
  readonly reason?: string;
}

/**
 * How a report names its message: by our ids, by the UUID made from them, or by the provider's id.
 */
export type MessageName =
  | { readonly sendId: string; readonly deviceId: string }
  | { readonly uuid: string }
  | { readonly name: string };

export type CallbackItem =
  | ({
      readonly kind: 'status';
      /** One of these received the message. Empty where the provider does not say. */
      readonly addresses: readonly string[];
      readonly news: DeliveryReport;
    } & MessageName)
  | ({ readonly kind: 'inbound'; readonly atMs: Millis | undefined } & Inbound)
  | { readonly kind: 'unknown' };

export const unknownItem: CallbackItem = { kind: 'unknown' };

/** What a person did or wrote; unknown where the person or the id is missing. */
export function inboundItem({
  id,
  from,
  atMs,
  text = '',
  left,
}: {
  readonly id: string;
  readonly from: string;
  readonly atMs: Millis | undefined;
  readonly text?: string;
  readonly left?: boolean;
}): CallbackItem {
  if (id === '' || from === '') return unknownItem;
  const did = { kind: 'inbound', id: id.slice(0, idCharsMax), from, atMs } as const;
  if (left === undefined) return { ...did, keyword: keywordIn(text) };
  return left ? { ...did, keyword: 'stop', reason: 'unfollowed' } : { ...did, keyword: 'start' };
}

/** By channel. */
export type WebhookReaders = Readonly<Record<WebhookChannel, { readonly webhook: WebhookReader }>>;

/** Reads the webhook calls of a provider. The proof is checked over the bytes as received. */
export interface WebhookReader {
  /** The member of the credential that the header proves knowledge of. */
  readonly secret: string;
  /** The expected header; `undefined` where the credential has no such member. */
  wanted(credential: unknown, body: Uint8Array): string | undefined;
  /** All items of a body, in its order; one unknown item for a body that is not a JSON object. */
  items(body: Uint8Array): readonly CallbackItem[];
}
