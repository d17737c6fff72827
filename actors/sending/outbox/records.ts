// What is kept of a send: its status, its content, where it comes from, and what became of its
// targets. Apart from the protocol, which also knows how providers and relays stand.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { RenderedContent } from '../../channels/port/attempt.ts';
import type { Stream } from '../../channels/port/open-relay.ts';

export type SendStatus = 'pending' | 'delivered' | 'bounced' | 'failed' | 'suppressed';

/** `accepted`: by a relay that reports later what became of it; `pending` for callers. */
export type ReceiptStatus = Exclude<SendStatus, 'pending'> | 'accepted';

/** What a callback makes of a send that has ended. */
export type LateStatus = 'accepted' | 'delivered' | 'bounced';

/** Content of a send's row: plain for most channels, HTML for email. */
export interface SendContent {
  readonly plain: RenderedContent;
  readonly email?: RenderedContent;
}

/** Where the content of a marketing send comes from, and what its receipts refer to. */
export interface Origin {
  /** Key of its content copy. */
  readonly copy: string;
  readonly messageId?: string;
  readonly campaignId?: string;
  /** Of the campaign. */
  readonly occurrence?: number;
  readonly journeyId?: string;
  /** The key of its topic. */
  readonly topic?: string;
  /** Of a journey's step that says so. */
  readonly stream?: Stream;
}

/** What an outcome means for its target. */
export type Settlement =
  | { readonly next: 'due' }
  | {
      readonly next: 'waiting';
      readonly dueMs: Millis;
      readonly counted: boolean;
      readonly ambiguous: boolean;
      /** What the provider answered. */
      readonly refusal?: string;
      /** The target was due and did not start: the gate holds it. */
      readonly unstarted?: true;
    }
  | { readonly next: 'done'; readonly receipt: Receipt };

/** The newest receipt of each device decides the send's status; every receipt is an event. */
export interface Receipt {
  readonly person: PersonOrdinal;
  readonly status: ReceiptStatus;
  readonly reason?: string;
  readonly detail?: string;
  readonly providerMessageId?: string;
  /** By which relay it left, where its channel has relays, and what that was called then. */
  readonly relay?: string;
  readonly relayName?: string;
  /** Of an email: how many copies its call had; absent for none. */
  readonly copies?: number;
  readonly attempts: number;
  readonly test?: true;
}
