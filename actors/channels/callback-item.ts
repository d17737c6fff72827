// What the callbacks of every provider come down to: a report on a message, or somebody who leaves,
// comes back or writes. Whoever blocks an account has opted out of it as if they had written STOP,
// and whoever comes back has asked for it again.

import type { Millis } from '../../engine/base/brand.ts';
import type { WebhookChannel } from './channel-ids.ts';
import type { DeliveryReport } from './delivery-report.ts';
import { type Keyword, keywordIn } from './keywords.ts';

/** The most of an id that is remembered. */
export const idCharsMax = 128;

/** A message from somebody to us. */
export interface Inbound {
  /** The provider's id of it. */
  readonly id: string;
  readonly from: string;
  readonly keyword: Keyword | undefined;
  /** Why the address is out from then on; `stop` unless given. */
  readonly reason?: string;
}

/**
 * How a report names its message: by our ids, by the UUID made of them, or by the provider's name.
 */
export type MessageName =
  | { readonly sendId: string; readonly deviceId: string }
  | { readonly uuid: string }
  | { readonly name: string };

/** One thing that a body says. */
export type CallbackItem =
  | ({
      readonly kind: 'status';
      /** Where the message went: one of these. Empty where the provider does not say. */
      readonly addresses: readonly string[];
      readonly news: DeliveryReport;
    } & MessageName)
  | ({ readonly kind: 'inbound'; readonly atMs: Millis | undefined } & Inbound)
  | { readonly kind: 'unknown' };

export const unknownItem: CallbackItem = { kind: 'unknown' };

/** Something that somebody did or wrote, where it names them and can be told from another. */
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

/**
 * Reads the calls of a provider that calls one address of an app with everything. Judged on the
 * bytes as they came.
 */
export interface WebhookReader {
  /** The member of the credential that the header is made with. */
  readonly secret: string;
  /** What the header should hold; `undefined` where the credential cannot tell. */
  wanted(credential: unknown, body: Uint8Array): string | undefined;
  /** Everything a body says, in its order; one unknown thing for a body that is no JSON object. */
  items(body: Uint8Array): readonly CallbackItem[];
}
