// What message templates answer, and the entries they lead to. Content arrives in normal form, as
// that of messages does.

import type { Entry } from '../../../engine/actor/message.ts';
import type { TemplateRow } from '../../../storage/tables/template.ts';
import type { Page } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { ContentChange, MessageContent } from '../message-schema.ts';

/** A template as it is kept. */
export interface TemplateView extends TemplateRow {
  readonly content: MessageContent;
}

/** A change: content as of messages; `name` gives it another handle. */
interface TemplateChange extends ContentChange {
  readonly name?: string;
}

export interface TemplatesProtocol {
  /** Refused with `conflict` where the handle is taken. */
  'template.create': {
    body: Caller & { name: string; content: MessageContent };
    reply: TemplateView;
  };
  /** `template` is an id or a handle, here and below. */
  'template.read': { body: Caller & { template: string }; reply: TemplateView };
  'template.update': {
    body: Caller & { template: string; change: TemplateChange };
    reply: TemplateView;
  };
  /** Never refused for a use: whatever started from a template has a copy of it. */
  'template.delete': { body: Caller & { template: string }; reply: null };
  /**
   * Oldest first. A page of long templates may have fewer than `limit`; `nextCursor: null` is the
   * end.
   */
  'template.list': { body: Caller & { limit: number; cursor?: string }; reply: Page<TemplateView> };
}

/** Memory knows which handle leads where, and no content. */
export type TemplatesEntry =
  | (Entry & { readonly kind: 'template.created'; readonly id: string; readonly name: string })
  | (Entry & {
      readonly kind: 'template.changed';
      readonly id: string;
      readonly name: string;
      /** The handle it gave up. */
      readonly nameBefore?: string;
    })
  | (Entry & { readonly kind: 'template.deleted'; readonly id: string; readonly name: string });
