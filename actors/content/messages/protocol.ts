// Messages and entries of saved messages. Content arrives normalized by
// `actors/content/accept/accept-content.ts`.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { MessageRow } from '../../../storage/tables/message.ts';
import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type {
  Dropped,
  EmailEnvelope,
  OwnWording,
  RenderedContent,
} from '../../channels/port/attempt.ts';
import type { Payload } from '../../channels/port/preview.ts';
import type { CountedPage, OrderedPage, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { UtmSetting } from '../../tenants/accounts/records.ts';
import type { Scalar, TemplateSubscriber } from '../liquid/context.ts';
import type { ContentInput, ContentIssue, MessageContent } from '../shape/message-schema.ts';
import type { UtmFacts } from '../shape/utm-facts.ts';
import type { TemplateRef } from '../templates/template-ref.ts';

/** Content, and its name for authors. */
export interface MessageInput {
  readonly name?: string;
  readonly content: MessageContent;
  /** An editor's own document; never rendered. */
  readonly design?: object;
  /** The channels it is written for, in the catalog's order; no rule for what it is sent on. */
  readonly writtenFor?: readonly ChannelId[];
}

export interface MessageView extends MessageRow {
  readonly content: MessageContent;
  readonly writtenFor?: readonly ChannelId[];
}

/** What sends a message. `copied`: what it is sending, it copied before; an edit is for later. */
export interface MessageUse {
  readonly type: 'campaign' | 'journey';
  readonly id: string;
  readonly name: string;
  /** Of a campaign; `active` for a live journey. */
  readonly state: string;
  readonly copied: boolean;
}

/** A campaign that is not over, a journey or an in-app message, in use or not. */
export interface MessageUser {
  readonly kind: 'campaign' | 'journey' | 'in_app_message';
  readonly id: string;
  /** In-app messages have none. */
  readonly name: string | null;
  readonly state: string;
}

export interface ChangedMessage extends MessageView {
  /** The first of them. */
  readonly inUse: readonly MessageUse[];
  readonly inUseTotal: number;
}

/** A change: given members replace whole members; `removed` ones go. */
export interface MessageChange extends MessageInput {
  readonly removed: readonly (keyof MessageContent | 'name' | 'design' | 'writtenFor')[];
}

export interface PreviewQuestion extends Caller {
  /** The saved message. */
  readonly id?: string;
  /** What is shown instead of a saved message, as it was sent. */
  readonly draft?: ContentInput;
  readonly to?: PersonRef;
  /** Instead of a stored person. Without either, a person without tags. */
  readonly person?: Omit<TemplateSubscriber, 'id'>;
  /** Without it, every channel in the catalog's order. */
  readonly channels?: readonly ChannelId[];
  /** Instead of the person's own, in the form of `languageKey`. */
  readonly language?: string;
  readonly variables?: Readonly<Record<string, Scalar>>;
}

/** Everything a preview needs, as of one instant. */
export interface PreviewFacts {
  readonly content: MessageContent;
  /** Whether the person is one that the call names or makes up: only then are names unknown. */
  readonly isSomebody: boolean;
  readonly app: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly email: Omit<EmailEnvelope, 'unsubscribeUrl'>;
    readonly wording?: OwnWording;
  };
  /** The campaign parameters of its links, if the app has any. */
  readonly utm?: { readonly setting: UtmSetting; readonly from: Omit<UtmFacts, 'channel'> };
  readonly person: TemplateSubscriber;
  readonly devices: readonly DeviceRow[];
  readonly nowMs: Millis;
}

export interface PreviewItem {
  readonly channel: ChannelId;
  /** The variant shown, as in `localizations`; `null` for the message itself. */
  readonly language: string | null;
  /** The device it would go to; `null` for a placeholder. */
  readonly deviceId: string | null;
  /** Absent if it cannot be rendered, or would make the response too long. */
  readonly content?: RenderedContent;
  /** Absent if the provider would refuse it. */
  readonly payload?: Payload;
  /** What the channel cannot carry of the content; the rest is sent. */
  readonly dropped?: readonly Dropped[];
  readonly error?: { readonly field?: string; readonly error: string };
}

export interface MessagePreview {
  readonly items: readonly PreviewItem[];
  readonly issues: readonly ContentIssue[];
  /** What its templates read; sorted. */
  readonly usesVariables: readonly string[];
}

export interface MessagesProtocol {
  /** Copies the template's content under the message's own; `not_found` for an unknown template. */
  'message.create': {
    body: Caller & { message: MessageInput; template?: TemplateRef };
    reply: MessageView;
  };
  /** Under the name `Copy of …`, or the one given. */
  'message.duplicate': { body: Caller & { id: string; name?: string }; reply: MessageView };
  'message.read': { body: Caller & { id: string }; reply: MessageView };
  'message.update': {
    body: Caller & { id: string; change: MessageChange };
    reply: ChangedMessage;
  };
  /** The first of them, and how many there are. */
  'message.uses': {
    body: Caller & { id: string };
    reply: { readonly items: readonly MessageUser[]; readonly total: number };
  };
  /** Refused with `conflict` while something uses it. */
  'message.delete': { body: Caller & { id: string }; reply: null };
  /** The host answers it from the pool, with the facts below: rendering may outlast a turn. */
  'message.preview': { body: PreviewQuestion; reply: MessagePreview };
  'message.facts': { body: PreviewQuestion; reply: PreviewFacts };
  /** Oldest first. A page of long messages may be short; `nextCursor: null` is the end. */
  'message.list': {
    body: Caller & { q?: string } & OrderedPage;
    reply: CountedPage<MessageView>;
  };
}

/** Memory only counts messages. */
export type MessagesEntry =
  | (Entry & { readonly kind: 'message.created'; readonly id: string })
  | (Entry & { readonly kind: 'message.changed'; readonly id: string })
  | (Entry & { readonly kind: 'message.deleted'; readonly id: string });
