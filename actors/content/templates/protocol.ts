// Messages and entries of message templates. Content arrives normalized, as for messages.

import type { Entry } from '../../../engine/actor/message.ts';
import type { TemplateRow } from '../../../storage/tables/template.ts';
import type { CountedPage, OrderedPage } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { ContentChange, MessageContent } from '../shape/message-schema.ts';

export interface TemplateView extends TemplateRow {
  readonly content: MessageContent;
}

/** A change of content and design as for messages; `name` is a new handle. */
interface TemplateChange extends Omit<ContentChange, 'removed'> {
  readonly name?: string;
  readonly design?: object;
  readonly removed: readonly (keyof MessageContent | 'design')[];
}

export interface TemplatesProtocol {
  /** Refused with `conflict` if the handle is in use. */
  'template.create': {
    body: Caller & { name: string; content: MessageContent; design?: object };
    reply: TemplateView;
  };
  /** `template` is an id or a handle, here and below. */
  'template.read': { body: Caller & { template: string }; reply: TemplateView };
  'template.update': {
    body: Caller & { template: string; change: TemplateChange };
    reply: TemplateView;
  };
  /** Deleting never fails because of a use: messages keep their own copy. */
  'template.delete': { body: Caller & { template: string }; reply: null };
  /** Oldest first. A page of long templates may be short; `nextCursor: null` is the end. */
  'template.list': {
    body: Caller & { q?: string } & OrderedPage;
    reply: CountedPage<TemplateView>;
  };
}

/** Memory has handles, but no content. */
export type TemplatesEntry =
  | (Entry & { readonly kind: 'template.created'; readonly id: string; readonly name: string })
  | (Entry & {
      readonly kind: 'template.changed';
      readonly id: string;
      readonly name: string;
      readonly nameBefore?: string;
    })
  | (Entry & { readonly kind: 'template.deleted'; readonly id: string; readonly name: string });
