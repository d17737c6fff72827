// What the callbacks of LINE, Zalo, Viber and Telegram come down to: news of a message, or somebody
// who leaves, comes back or writes. Easily got wrong: whoever blocks an account has opted out of it
// as if they had written STOP, and whoever comes back has asked for it again.

import type { Millis } from '../../engine/base/brand.ts';
import type { News } from '../sending/callbacks/receipt-state.ts';
import { idCharsMax } from './callback-json.ts';
import type { Inbound } from './carrier/callbacks.ts';
import { keywordIn } from './keywords.ts';

/** The channels whose providers call one address of an app with everything. */
export const chatChannels = ['line', 'zalo', 'viber', 'telegram'] as const;
export type ChatChannel = (typeof chatChannels)[number];

/** The header in which each proves that it is them. */
export const chatSigningHeaders = {
  line: 'x-line-signature',
  zalo: 'x-zevent-signature',
  viber: 'x-viber-content-signature',
  telegram: 'x-telegram-bot-api-secret-token',
} as const satisfies Record<ChatChannel, string>;

/** One thing that a body says. */
export type ChatItem =
  | {
      readonly kind: 'status';
      /** The provider's own name for the message. */
      readonly name: string;
      /** Whose it was: one of these. */
      readonly addresses: readonly string[];
      readonly news: News;
    }
  | ChatInbound
  | { readonly kind: 'unknown' };

export type ChatInbound = { readonly kind: 'inbound'; readonly atMs: Millis | undefined } & Inbound;

export const unknownItem: ChatItem = { kind: 'unknown' };

/** Something that somebody did or wrote, where it names them and can be told from another. */
export function inboundItem(
  what: Omit<ChatInbound, 'kind' | 'keyword'> & {
    readonly text?: string;
    readonly left?: boolean;
  },
): ChatItem {
  const { id, from, atMs, text = '', left } = what;
  if (id === '' || from === '') return unknownItem;
  const did = { kind: 'inbound', id: id.slice(0, idCharsMax), from, atMs } as const;
  if (left === undefined) return { ...did, keyword: keywordIn(text) };
  return left ? { ...did, keyword: 'stop', reason: 'unfollowed' } : { ...did, keyword: 'start' };
}
