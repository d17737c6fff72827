// What saved messages answer, and the entries they lead to. Content arrives in normal form: the edge has judged it
// (`actors/content/accept-content.ts`), and what a change leaves out is not judged again.

import type { Entry } from '../../engine/actor/message.ts';
import type { MessageRow } from '../../storage/tables/message.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { Page } from '../audience/protocol.ts';
import type { MessageContent } from '../content/message-schema.ts';

/** Content, and what it is called by those who choose it. */
export interface MessageInput {
  readonly name?: string;
  readonly content: MessageContent;
}

/** A message as it is kept. */
export interface MessageView extends MessageRow {
  readonly content: MessageContent;
}

/** A change: members that are given replace, wholesale; those that are removed go. */
export interface MessageChange extends MessageInput {
  readonly removed: readonly (keyof MessageContent | 'name')[];
}

export interface MessagesProtocol {
  'message.create': { body: Caller & { message: MessageInput }; reply: MessageView };
  'message.read': { body: Caller & { id: string }; reply: MessageView };
  'message.update': { body: Caller & { id: string; change: MessageChange }; reply: MessageView };
  /** Refused with `conflict` while something uses it. */
  'message.delete': { body: Caller & { id: string }; reply: null };
  /** Oldest first. A page of long messages may have fewer than `limit`; `nextCursor: null` is the end. */
  'message.list': { body: Caller & { limit: number; cursor?: string }; reply: Page<MessageView> };
}

/** Memory counts messages and holds none of them. */
export type MessagesEntry =
  | (Entry & { readonly kind: 'message.created'; readonly id: string })
  | (Entry & { readonly kind: 'message.changed'; readonly id: string })
  | (Entry & { readonly kind: 'message.deleted'; readonly id: string });
