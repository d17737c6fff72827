// Messages and entries of in-app messages. The app's actor validates filters.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Button } from '../../channels/port/attempt.ts';
import type { TemplateRef } from '../../content/templates/template-ref.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Filter } from '../segments/filter.ts';
import type { CountedTimes, UncountedTimes } from '../segments/protocol.ts';

/** How a client shows it by itself. */
export const inAppKinds = ['modal', 'banner', 'card', 'push-prompt', 'none'] as const;
export const inAppPositions = ['top', 'bottom'] as const;

/** At once without it. */
type InAppTrigger =
  | {
      readonly event: string;
      /** Values that the event's props must have. */
      readonly where?: Readonly<Record<string, string | number | boolean>>;
    }
  | { readonly afterSeconds: number };

export interface InAppDisplay {
  readonly kind: (typeof inAppKinds)[number];
  readonly position?: (typeof inAppPositions)[number];
  readonly trigger?: InAppTrigger;
  /** On one device; without it until it is dismissed. */
  readonly maxShows?: number;
  readonly everyHours?: number;
  readonly dismissible?: boolean;
}

/** A saved message shown in the app to matching people during its period. */
export interface InAppRecord {
  readonly id: string;
  readonly messageId: string;
  /** Without it everyone. */
  readonly filter?: Filter;
  /** Included; without it from the beginning. */
  readonly startMs?: Millis;
  /** Excluded; without it forever. */
  readonly endMs?: Millis;
  /** The highest is shown first. */
  readonly priority: number;
  /** Also kept in the inbox, from which a dismissal does not remove it. */
  readonly inbox: boolean;
  /** Kept in the inbox only. */
  readonly isQuiet?: true;
  readonly display?: InAppDisplay;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Where people see it: while it is due, in the inbox, or in both. */
export const inAppShows = ['popup', 'inbox', 'both'] as const;
type InAppShow = (typeof inAppShows)[number];

/** What a call sets; `null` removes a member. */
export interface InAppInput {
  readonly messageId?: string;
  readonly filter?: unknown;
  readonly startMs?: Millis | null;
  readonly endMs?: Millis | null;
  readonly priority?: number;
  readonly inbox?: boolean;
  /** Instead of `inbox`. */
  readonly show?: InAppShow;
  readonly display?: InAppDisplay | null;
}

/** People, each counted once and without erased ones. */
export interface InAppCounts {
  readonly viewed: number;
  readonly clicked: number;
  readonly dismissed: number;
  readonly read: number;
  readonly archived: number;
}

export interface InAppView extends InAppRecord {
  readonly counts: InAppCounts;
}

/** Rendered for one person, in their language, as plain text. */
export interface FeedMessage {
  /** Of the in-app message; beacons carry it as `messageId`. */
  readonly id: string;
  readonly title?: string;
  readonly body: string;
  readonly image?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly Button[];
  readonly data?: Readonly<Record<string, string>>;
  readonly priority: number;
  /** Its start, or when it was created. */
  readonly sinceMs: Millis;
  readonly endMs: Millis | null;
  readonly display?: InAppDisplay;
}

export interface InboxItem extends FeedMessage {
  readonly read: boolean;
  readonly archived: boolean;
}

export interface Feed {
  /** Highest priority first, without those the person dismissed or archived. */
  readonly messages: readonly FeedMessage[];
  readonly inbox: {
    /** Newest first. */
    readonly items: readonly InboxItem[];
    /** Of the whole inbox, not of this page, without archived ones. */
    readonly unread: number;
    readonly nextCursor: string | null;
  };
}

export interface InboxPage {
  readonly limit: number;
  readonly cursor?: string;
  /** The archived ones instead. */
  readonly archived?: boolean;
}

/** What a person did with messages of their inbox, by ids of in-app messages. */
export interface InboxMarks {
  /** `all`: those that the person would be shown now. */
  readonly read: readonly string[] | 'all';
  readonly archive: readonly string[];
  /** Whether an `identityHash` proved who they are. */
  readonly isProven: boolean;
}

export interface InboxMarked {
  /** Of the whole inbox, from now on. */
  readonly unread: number;
  /** Ids that the app's inbox does not have, each once; the others were marked all the same. */
  readonly unknown: readonly string[];
}

export interface InAppProtocol {
  /** Refused with `not_found` for a message that the app does not have. */
  'inapp.create': {
    body: Caller & { input: InAppInput; template?: TemplateRef };
    reply: InAppView;
  };
  'inapp.read': { body: Caller & { id: string }; reply: InAppView };
  'inapp.update': { body: Caller & { id: string; input: InAppInput }; reply: InAppView };
  'inapp.delete': { body: Caller & { id: string }; reply: null };
  'inapp.list': { body: Caller; reply: readonly InAppView[] };
  /** What to read before a feed can be answered. */
  'inapp.uncounted': { body: Caller & { ref: PersonRef }; reply: UncountedTimes };
  'inapp.feed': {
    body: Caller & { ref: PersonRef; times?: CountedTimes } & InboxPage;
    reply: Feed;
  };
  /** Stores an event for each message that is not read or archived yet. */
  'inapp.mark': {
    body: Caller & { ref: PersonRef; times?: CountedTimes } & InboxMarks;
    reply: InboxMarked;
  };
}

export type InAppEntry =
  | (Entry & { readonly kind: 'inapp.saved'; readonly message: InAppRecord })
  | (Entry & { readonly kind: 'inapp.deleted'; readonly id: string });
