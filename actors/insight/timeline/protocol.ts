// A person's story, and a send's: what the timeline answers, in codes. `words.ts` has a sentence
// for each of them, which the edge adds; nothing here is a sentence, and nothing of a message's
// content is here.

import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { SendOutcomeRow, SendTryRow } from '../../../storage/tables/send.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { SendView } from '../../sending/transactional/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { CheckName, NextCode, StoryCode, StoryKind } from './codes.ts';

/**
 * One thing that was looked at before something left. What is not known for certain is not there.
 */
export interface Check {
  readonly check: CheckName;
  readonly passed: boolean;
}

/** One thing that happened, or that holds now. */
export interface StoryEntry {
  readonly kind: StoryKind;
  readonly code: StoryCode;
  /**
   * When it happened; of a state, since when it holds, or the instant of the read where nobody
   * knows.
   */
  readonly atMs: Millis;
  /** Why, as a stable word. */
  readonly reason?: string;
  /** The provider's own words. */
  readonly detail?: string;
  /** Which call to the provider it was, or how many there were. */
  readonly attempt?: number;
  readonly checks?: readonly Check[];
  readonly next?: { readonly code: NextCode; readonly atMs?: Millis };
  readonly eventId?: string;
  /** The name of an event, and of a journey's step. */
  readonly name?: string;
  readonly step?: string;
  readonly sendId?: string;
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly messageId?: string;
  readonly channel?: string;
  /** Where it is about several. */
  readonly channels?: readonly string[];
  readonly deviceId?: string;
  /** Who asked for an opt-out: `api`, `callback`, `unsubscribe` or `bounce`. */
  readonly source?: string;
  readonly providerMessageId?: string;
  /** Sent to try a message out. */
  readonly test?: true;
}

/** A target that is not done, with what keeps it. */
export interface OpenTarget {
  readonly deviceId: string;
  readonly channel: string;
  readonly state: 'due' | 'started' | 'waiting' | 'done';
  readonly attempts: number;
  readonly dueMs: Millis;
  readonly tries: readonly SendTryRow[];
  /** The channel starts nothing before; 0 for no pause. */
  readonly pausedUntilMs: Millis;
  /** The provider refuses the app's credential. */
  readonly isRefused: boolean;
}

/** What there is to tell of one send. */
export interface SendTold {
  readonly sendId: string;
  readonly acceptedMs: Millis;
  readonly isMarketing: boolean;
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly messageId?: string;
  readonly test?: true;
  readonly channels: readonly string[];
  readonly outcomes: readonly SendOutcomeRow[];
  /** When an operator had a failure sent again; not after it failed anew. */
  readonly redrives?: readonly {
    readonly deviceId: string;
    readonly channel: string;
    readonly atMs: Millis;
  }[];
  /** Empty for a send that is over. */
  readonly open: readonly OpenTarget[];
  /** Why nothing of it starts. */
  readonly held?: 'campaign_paused' | 'restored';
  /** What receipts of the provider said later: who read it, and when. */
  readonly reads: readonly {
    readonly deviceId: string;
    readonly channel: string;
    readonly atMs: Millis;
  }[];
}

/** A send of a campaign that is over or in flight: its receipts are events of this person. */
export interface CampaignSendTold {
  readonly campaignId: string;
  readonly subscriberId: string | null;
  readonly channel: string;
  readonly startedMs: Millis;
}

export type ExplainedSend =
  | { readonly kind: 'send'; readonly send: SendTold }
  | { readonly kind: 'campaign'; readonly of: CampaignSendTold }
  | { readonly kind: 'unknown' };

export interface TimelineProtocol {
  /** What came of a send, and why. Another tenant's, and one that never was, is `unknown`. */
  'send.explain': {
    body: Caller & { id: string };
    reply: { send: SendView; told: ExplainedSend; readMs: Millis };
  };
  /**
   * Whom a timeline is of, and what only memory knows of them. `withNow` asks what holds now as
   * well.
   */
  'timeline.locate': {
    body: Caller & { ref: PersonRef; withNow: boolean };
    reply: {
      app: Ordinal;
      person: PersonOrdinal;
      aliases: readonly PersonOrdinal[];
      erased: readonly PersonOrdinal[];
      keptFromMs: Millis;
      readMs: Millis;
      /** Their open sends, the newest first. */
      open: readonly SendTold[];
      now: readonly StoryEntry[];
    };
  };
  /**
   * A page, newest first; answered by the host, after `timeline.locate`. `now` is empty but on the
   * first page.
   */
  'timeline.read': {
    body: Caller & { ref: PersonRef; limit: number; cursor?: string };
    reply: {
      items: readonly StoryEntry[];
      nextCursor: string | null;
      now: readonly StoryEntry[];
    };
  };
}
