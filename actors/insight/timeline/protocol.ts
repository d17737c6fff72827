// Stories of sends and people, as codes, and what was sent. The edge adds `sentences.ts`.

import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { SendOutcomeRow, SendTryRow } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Dropped, MailParts, RenderedContent } from '../../channels/port/attempt.ts';
import type { MessagePreview, PreviewFacts } from '../../content/messages/protocol.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { ListedSend, SendView } from '../../sending/transactional/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { CheckName, NextCode, StoryCode, StoryKind } from './codes.ts';

/** A check before a send; uncertain ones are omitted. */
export interface Check {
  readonly check: CheckName;
  readonly passed: boolean;
}

/** A file of an email, without its bytes. */
interface NamedFile {
  readonly filename: string;
  readonly contentType: string;
  /** Its length. */
  readonly bytes: number;
}

/** Something that happened, or that holds now. */
export interface StoryEntry {
  readonly kind: StoryKind;
  readonly code: StoryCode;
  /** When it happened; for a state, since when, or the time of the read if unknown. */
  readonly atMs: Millis;
  /** Stable. */
  readonly reason?: string;
  /** The provider's own text. */
  readonly detail?: string;
  /** The number of the call, or of all calls. */
  readonly attempt?: number;
  readonly checks?: readonly Check[];
  readonly next?: { readonly code: NextCode; readonly atMs?: Millis };
  readonly eventId?: string;
  /** The name of an event; for `campaign_send` the subscriber's id. */
  readonly name?: string;
  readonly step?: string;
  readonly sendId?: string;
  readonly campaignId?: string;
  /** As it is now; absent if it was deleted. */
  readonly campaignName?: string;
  readonly journeyId?: string;
  readonly journeyName?: string;
  readonly messageId?: string;
  /** Of the message, or its first words. */
  readonly title?: string;
  readonly channel?: string;
  /** If about several. */
  readonly channels?: readonly string[];
  readonly deviceId?: string;
  /**
   * Who asked for an opt-out: `api`, `callback`, `unsubscribe` or `bounce`; or for other
   * preferences: `api`, `sdk`, `page`, `import` or `unsubscribe`.
   */
  readonly source?: string;
  /** What was chosen, by the key of a topic; `null`: the topic's default. */
  readonly choices?: Readonly<Record<string, string | null>>;
  /** What else of the preferences changed: `channels`, `language`, `timezone`. */
  readonly changed?: readonly string[];
  readonly providerMessageId?: string;
  /** The relay that has the message or tells of it, and what that was called then. */
  readonly relay?: string;
  readonly relayName?: string;
  /** Files of its email; of the acceptance. */
  readonly attachments?: readonly NamedFile[];
  /** What the channel could not carry of the message. */
  readonly dropped?: readonly Dropped[];
  /** A test send. */
  readonly test?: true;
}

/** A target that is not done. */
export interface OpenTarget {
  readonly deviceId: string;
  readonly channel: string;
  readonly state: 'due' | 'started' | 'waiting' | 'done';
  readonly attempts: number;
  readonly dueMs: Millis;
  readonly tries: readonly SendTryRow[];
  /** Of a call in progress, as it is called now. */
  readonly relayName?: string;
  /** The channel is paused until then; 0 for no pause. */
  readonly pausedUntilMs: Millis;
  /** The provider asks for fewer messages: after a pause, one send finds out. */
  readonly isSlowed: boolean;
  /** The provider refuses the app's credential. */
  readonly isRefused: boolean;
  /** Calls to the provider do not get through. */
  readonly isUnreached: boolean;
}

interface DeviceInstant {
  readonly deviceId: string;
  readonly channel: string;
  readonly atMs: Millis;
}

interface ToldInstant extends DeviceInstant {
  /** What the relay that told it was called then. */
  readonly relayName?: string;
}

/** All that is known of one send. */
export interface SendDetails {
  readonly sendId: string;
  readonly acceptedMs: Millis;
  readonly isMarketing: boolean;
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly messageId?: string;
  readonly title?: string;
  readonly test?: true;
  readonly channels: readonly string[];
  readonly outcomes: readonly SendOutcomeRow[];
  /** Its person: no device is shown. */
  readonly isErased?: true;
  /** Redrives of failures that have not failed again. */
  readonly redrives?: readonly DeviceInstant[];
  /** Files of its email. */
  readonly attachments?: readonly NamedFile[];
  /** By channel; only of sends whose content is stored. */
  readonly dropped?: Readonly<Record<string, readonly Dropped[]>>;
  /** Empty once the send is over. */
  readonly open: readonly OpenTarget[];
  readonly held?: 'campaign_paused' | 'restored';
  /** Read receipts of the provider. */
  readonly reads: readonly ToldInstant[];
  /** The first that a relay reports of each device. */
  readonly deferrals?: readonly (ToldInstant & { readonly detail?: string })[];
}

/** A campaign's send; its receipts are events of the person. */
export interface CampaignSendDetails {
  readonly campaignId: string;
  readonly subscriberId: string | null;
  readonly channel: string;
  readonly startedMs: Millis;
}

/** Of a campaign or a journey. */
export type NamedId = readonly [id: string, name: string];

export type ExplainedSend =
  | { readonly kind: 'send'; readonly send: SendDetails }
  | { readonly kind: 'campaign'; readonly of: CampaignSendDetails }
  | { readonly kind: 'unknown' };

export const contentStates = [
  'as_sent',
  'may_differ',
  'not_rendered',
  'erased',
  'not_kept',
] as const;

/** What one channel got. */
export interface SentItem {
  /** Absent of a message that had no device to go to. */
  readonly channel?: ChannelId;
  /** Empty where the send does not say. */
  readonly deviceIds: readonly string[];
  readonly content: RenderedContent;
}

/** What a send said; `items` has some in the first two states alone. */
export interface SentContent {
  readonly state: (typeof contentStates)[number];
  readonly items: readonly SentItem[];
  /** Absent where it is kept until something is deleted. */
  readonly keptUntilMs?: Millis;
}

/** An event of a send, which says whose it was. */
export interface SendReceipt {
  readonly subscriberId: string | null;
  readonly name: string;
  readonly channel: string | null;
  readonly deviceId: string | null;
}

export interface SentFacts extends SentContent {
  /** Of the sending app and the person, as they are now. */
  readonly facts?: Omit<PreviewFacts, 'content'>;
  readonly isMarketing: boolean;
  readonly isTest: boolean;
}

export interface SentPreview extends Omit<SentContent, 'items'> {
  readonly items: MessagePreview['items'];
  /** Of its email. */
  readonly mail?: MailParts;
}

interface SendQuestion extends Caller {
  readonly id: string;
  /** Its events, once the answer without them was `unfound`. */
  readonly receipts?: readonly SendReceipt[];
}

export interface TimelineProtocol {
  /** The outcome of a send and why; `unknown` for another tenant's. */
  'send.explain': {
    /** Without its story, `told` is `unknown`. */
    body: Caller & { id: string; withStory: boolean; withContent: boolean };
    reply: {
      send: SendView | ListedSend;
      content?: SentContent | 'unfound';
      told: ExplainedSend;
      names: readonly NamedId[];
      readMs: Millis;
    };
  };
  'send.content': { body: SendQuestion; reply: SentContent | 'unfound' };
  /** What each channel's provider was given; the host answers it, after `send.preview_facts`. */
  'send.preview': { body: SendQuestion; reply: SentPreview | 'unfound' };
  'send.preview_facts': { body: SendQuestion; reply: SentFacts | 'unfound' };
  /** Finds the person, and what only memory knows. `withNow`: also what holds now. */
  'timeline.locate': {
    body: Caller & { ref: PersonRef; withNow: boolean };
    reply: {
      app: Ordinal;
      person: PersonOrdinal;
      aliases: readonly PersonOrdinal[];
      erased: readonly PersonOrdinal[];
      keptFromMs: Millis;
      readMs: Millis;
      /** Newest first. */
      open: readonly SendDetails[];
      now: readonly StoryEntry[];
      /** The number of the app's newest event: who follows a person asks again by it. */
      newestEvent: number;
    };
  };
  /** The names of campaigns and journeys; of those that exist. */
  'timeline.names': {
    body: Caller & { ids: readonly string[] };
    reply: readonly NamedId[];
  };
  /** Newest first; answered by the host, after `timeline.locate`. `now` only on the first page. */
  'timeline.read': {
    body: Caller & { ref: PersonRef; limit: number; cursor?: string };
    reply: {
      items: readonly StoryEntry[];
      nextCursor: string | null;
      now: readonly StoryEntry[];
    };
  };
}
