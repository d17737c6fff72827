// What in-app messages answer, and the entries they lead to. Who saw, clicked or dismissed one
// comes with tracked events, not from here. A filter comes as it was sent and is judged by the
// app's actor.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Button } from '../../channels/attempt.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Filter } from '../segments/filter.ts';
import type { CountedTimes, UncountedTimes } from '../segments/protocol.ts';

/** A saved message, to be shown in the app to those who match while it is time. */
export interface InAppRecord {
  readonly id: string;
  readonly messageId: string;
  /** Everybody without one. */
  readonly filter?: Filter;
  /** Included; from the beginning without one. */
  readonly startMs?: Millis;
  /** Excluded; for ever without one. */
  readonly endMs?: Millis;
  /** The highest is shown first. */
  readonly priority: number;
  /** Also kept in the inbox, where a dismissal does not take it out. */
  readonly inbox: boolean;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Members that a call sets; `null` removes one. */
export interface InAppInput {
  readonly messageId?: string;
  readonly filter?: unknown;
  readonly startMs?: Millis | null;
  readonly endMs?: Millis | null;
  readonly priority?: number;
  readonly inbox?: boolean;
}

/** How many people did each, once each; erased people count no more. */
export interface InAppCounts {
  readonly viewed: number;
  readonly clicked: number;
  readonly dismissed: number;
  readonly read: number;
}

export interface InAppView extends InAppRecord {
  readonly counts: InAppCounts;
}

/** An in-app message as one person gets it: rendered, in their language, as plain text. */
export interface FeedMessage {
  /** Of the in-app message: what beacons carry as `messageId`. */
  readonly id: string;
  readonly title?: string;
  readonly body: string;
  readonly image?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly Button[];
  readonly data?: Readonly<Record<string, string>>;
  readonly priority: number;
  /** Since when it is there: its start, or when it was made. */
  readonly sinceMs: Millis;
  readonly endMs: Millis | null;
}

export interface InboxItem extends FeedMessage {
  readonly read: boolean;
}

/** What an app shows one person now. */
export interface Feed {
  /** To be shown now, highest priority first; none that the person dismissed. */
  readonly messages: readonly FeedMessage[];
  readonly inbox: {
    /** Newest first. */
    readonly items: readonly InboxItem[];
    /** Of the whole inbox, not of this page. */
    readonly unread: number;
    readonly nextCursor: string | null;
  };
}

export interface InAppProtocol {
  /** Refused with `not_found` for a message that the app does not have. */
  'inapp.create': {
    body: Caller & { input: InAppInput & { messageId: string } };
    reply: InAppView;
  };
  'inapp.read': { body: Caller & { id: string }; reply: InAppView };
  'inapp.update': { body: Caller & { id: string; input: InAppInput }; reply: InAppView };
  'inapp.delete': { body: Caller & { id: string }; reply: null };
  'inapp.list': { body: Caller; reply: readonly InAppView[] };
  /** Names whose instants have to be read before a feed can be answered. */
  'inapp.uncounted': { body: Caller & { ref: PersonRef }; reply: UncountedTimes };
  /** `limit` and `cursor` are of the inbox. */
  'inapp.feed': {
    body: Caller & { ref: PersonRef; limit: number; cursor?: string; times?: CountedTimes };
    reply: Feed;
  };
}

export type InAppEntry =
  | (Entry & { readonly kind: 'inapp.saved'; readonly message: InAppRecord })
  | (Entry & { readonly kind: 'inapp.deleted'; readonly id: string });
