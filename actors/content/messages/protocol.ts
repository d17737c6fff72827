// What saved messages answer, and the entries they lead to. Content arrives in normal form: the
// edge has judged it (`actors/content/accept-content.ts`), and what a change leaves out is not
// judged again.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { MessageRow } from '../../../storage/tables/message.ts';
import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import type { EmailEnvelope, RenderedContent } from '../../channels/attempt.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Payload } from '../../channels/preview.ts';
import type { Page, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Scalar, TemplateSubscriber } from '../context.ts';
import type { MessageContent } from '../message-schema.ts';
import type { TemplateNamed } from '../templates/template-named.ts';

/** Content, and what it is called by those who choose it. */
interface MessageInput {
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

/** Whose view of which message is asked for. */
export interface PreviewQuestion extends Caller {
  readonly id: string;
  /** Somebody without tags where nobody is named. */
  readonly to?: PersonRef;
  /** Every channel, in the catalogue's order, unless one is named. */
  readonly channel?: ChannelId;
  /** Instead of the person's own, in the form of `languageKey`. */
  readonly language?: string;
  readonly variables?: Readonly<Record<string, Scalar>>;
}

/** All that a preview is made of, as of one instant. */
export interface PreviewFacts {
  readonly content: MessageContent;
  readonly app: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly email: Omit<EmailEnvelope, 'unsubscribeUrl'>;
  };
  readonly person: TemplateSubscriber;
  readonly devices: readonly DeviceRow[];
  readonly nowMs: Millis;
}

/** What would leave on one channel. */
export interface PreviewItem {
  readonly channel: ChannelId;
  /**
   * The variant that is shown, as `localizations` names it; `null` where the message speaks for
   * itself.
   */
  readonly language: string | null;
  /** The device it would go to; `null` for a placeholder. */
  readonly deviceId: string | null;
  /** Absent where it cannot be rendered, or would make the answer too long. */
  readonly content?: RenderedContent;
  /** Absent where its provider would not get it. */
  readonly payload?: Payload;
  readonly error?: { readonly field?: string; readonly error: string };
}

export interface MessagesProtocol {
  /**
   * Of a template its content is copied, with that of the message over it; `not_found` for one that
   * is not there.
   */
  'message.create': {
    body: Caller & { message: MessageInput; template?: TemplateNamed };
    reply: MessageView;
  };
  'message.read': { body: Caller & { id: string }; reply: MessageView };
  'message.update': { body: Caller & { id: string; change: MessageChange }; reply: MessageView };
  /** Refused with `conflict` while something uses it. */
  'message.delete': { body: Caller & { id: string }; reply: null };
  /** Answered by the host, with the facts below: what it takes to render is no turn's to bear. */
  'message.preview': { body: PreviewQuestion; reply: { items: readonly PreviewItem[] } };
  'message.facts': { body: PreviewQuestion; reply: PreviewFacts };
  /**
   * Oldest first. A page of long messages may have fewer than `limit`; `nextCursor: null` is the
   * end.
   */
  'message.list': { body: Caller & { limit: number; cursor?: string }; reply: Page<MessageView> };
}

/** Memory counts messages and holds none of them. */
export type MessagesEntry =
  | (Entry & { readonly kind: 'message.created'; readonly id: string })
  | (Entry & { readonly kind: 'message.changed'; readonly id: string })
  | (Entry & { readonly kind: 'message.deleted'; readonly id: string });
