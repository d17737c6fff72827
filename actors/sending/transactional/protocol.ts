// What the transactional lane answers, what dispatchers report, and the entries both lead to.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/expiring-map.ts';
import type { DeadLetterRow } from '../../../storage/tables/send.ts';
import type { Attempt, RenderedContent } from '../../channels/attempt.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Outcome } from '../../channels/outcome.ts';
import type { SendingApp, TemplateSubscriber } from '../../content/context.ts';
import type { MessageContent } from '../../content/message-schema.ts';
import type { TemplateRef } from '../../content/templates/protocol.ts';
import type { DeviceColumns } from '../../people/audience/device-columns.ts';
import type { Page, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';

export type SendStatus = 'pending' | 'delivered' | 'bounced' | 'failed' | 'suppressed';

/** The content of a send's row: a plain form for most channels and HTML for email. */
export interface SendContent {
  readonly plain: RenderedContent;
  readonly email?: RenderedContent;
}

/** A template is copied, with the content given beside it over its own. */
export interface TransactionalRequest extends MessageContent, TemplateRef {
  readonly to: PersonRef;
  readonly channels?: readonly ChannelId[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** What all recipients of a batch share. */
export type SharedRequest = Omit<TransactionalRequest, 'to'>;

/** One recipient of a batch, with what it has of its own. */
export interface BatchRecipient {
  readonly to: PersonRef;
  /** These three take the place of what is shared. */
  readonly title?: string;
  readonly body?: string;
  readonly data?: NonNullable<MessageContent['data']>;
  /** Merged over those of the batch. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** A key of its own, in place of the batch's. */
  readonly key?: string;
  /** Of its request, what is shared included; there where it has a key of either kind. */
  readonly fingerprint?: Words2;
}

/** What became of one recipient. All but the first two count as rejected, and have left nothing. */
export type RecipientOutcome =
  | 'queued'
  | 'replayed'
  | 'not_found'
  | 'in_flight'
  | 'invalid'
  | 'conflict'
  | 'failed';

export interface RecipientResult {
  readonly outcome: RecipientOutcome;
  /** Of the send that was queued, or that the key had made before. */
  readonly id?: string;
  readonly error?: string;
  readonly field?: string;
}

interface OutcomeView {
  readonly deviceId: string;
  readonly channel: string;
  readonly status: Exclude<SendStatus, 'pending'>;
  readonly reason?: string;
  readonly detail?: string;
  readonly providerMessageId?: string;
  readonly attempts: number;
  readonly atMs: Millis;
}

export interface SendView {
  readonly id: string;
  readonly status: SendStatus;
  readonly outcomes: readonly OutcomeView[];
  readonly failures: { readonly open: number; readonly recovered: number };
  /** Set on what was sent to try a message out. */
  readonly test?: true;
}

/** A batch of one dispatcher's outcomes for one app and channel. */
export interface AttemptReport {
  readonly sendId: string;
  readonly target: number;
  readonly attempt: number;
  /** `undefined`: handed back unsent. */
  readonly outcome: Outcome | undefined;
  /** Of a Live Activity: which of its tokens was tried (`Attempt.activity`). */
  readonly rotations?: number;
}

export interface TransactionalProtocol {
  'transactional.accept': {
    body: Caller & { request: TransactionalRequest; claim: IdempotencyClaim | null };
    reply: { id: string; replayed: boolean };
  };
  /** A saved message to one person, to try it out. */
  'message.test': {
    body: Caller & {
      id: string;
      to: PersonRef;
      channels?: readonly ChannelId[];
      claim: IdempotencyClaim | null;
    };
    reply: { id: string; replayed: boolean };
  };
  'transactional.accept_batch': {
    body: Caller & {
      request: SharedRequest;
      /** Each recipient without a key of its own has `<key>#<subscriberId>`. */
      key: string | null;
      recipients: readonly BatchRecipient[];
      /**
       * The keys that turns before this one have claimed for the same call, each as 53 bits of its
       * hash.
       */
      claimed: readonly number[];
    };
    /**
     * `results` are of the first recipients, at least one; the others are for another turn. A
     * number stands for `queued`, and for the place of the send's id in `run`: a thousand ids take
     * longer to write than all else of an answer. `claimed` is for the next turn, and `request`, in
     * which a template that was named is copied.
     */
    reply: {
      results: readonly (RecipientResult | number)[];
      run: Words4;
      claimed: readonly number[];
      request?: SharedRequest;
    };
  };
  'transactional.read': { body: Caller & { id: string }; reply: SendView };
  'transactional.wake': { body: Caller & { sendId: string }; reply: null };
  /**
   * `after`: how far the turn before came, as a send's id (perhaps of none that there is); absent
   * in the first.
   */
  'transactional.sweep': { body: Caller & { after?: string }; reply: null };
  /** Sends that a restore gave up still lack their receipts. */
  'restored.abandon': { body: Caller; reply: null };
  'dispatch.report': {
    body: Caller & { channel: ChannelId; reports: readonly AttemptReport[] };
    reply: null;
  };
  'dispatch.resume': { body: Caller & { channel: ChannelId }; reply: null };
  'dead_letter.list': {
    body: Caller & { lane?: string; reason?: string; limit: number; cursor?: string };
    reply: Page<DeadLetterRow>;
  };
  'dead_letter.redrive': {
    body: Caller & { ids?: readonly string[]; reason?: string; all?: boolean; cursor?: string };
    /**
     * `nextCursor`: where to go on, also when none of those looked at was open; `null` at the end.
     */
    reply: { redriven: number; nextCursor: string | null };
  };
}

/** How a channel stands with its provider after a batch of outcomes. */
export interface ChannelStanding {
  readonly pausedUntilMs: Millis;
  readonly configFailures: number;
}

/** Where the words of a marketing send come from, and what its receipts name. */
export interface Origin {
  /** Key of the copy of its content. */
  readonly copy: string;
  readonly messageId?: string;
  readonly campaignId?: string;
  /** Of the campaign. */
  readonly occurrence?: number;
  readonly journeyId?: string;
}

/** What became of one attempt. */
export type Settlement =
  | { readonly next: 'due' }
  | {
      readonly next: 'waiting';
      readonly dueMs: Millis;
      readonly counted: boolean;
      readonly ambiguous: boolean;
      /** What the provider said. */
      readonly refusal?: string;
      /** It was due and not started: policy holds it. */
      readonly unstarted?: true;
    }
  | { readonly next: 'done'; readonly receipt: Receipt };

/** A receipt: the newest of a device decides the send's status; every one is an event, too. */
export interface Receipt {
  readonly person: PersonOrdinal;
  readonly status: Exclude<SendStatus, 'pending'>;
  readonly reason?: string;
  readonly detail?: string;
  readonly providerMessageId?: string;
  readonly attempts: number;
  /** Of a send that was made to try a message out. */
  readonly test?: true;
}

export type TransactionalEntry =
  | (Entry & {
      readonly kind: 'send.queued';
      readonly sendId: string;
      readonly person: PersonOrdinal;
      readonly atMs: Millis;
      readonly expiresMs: Millis | null;
      readonly targets: readonly { readonly deviceId: string; readonly channel: ChannelId }[];
      readonly claim: IdempotencyClaim | null;
      /** The number of its receipt's event, where it has one at once (no device). */
      firstEvent: number;
      /** Made to try a message out. */
      readonly test?: true;
    })
  /** Sends of one batch, all with devices: those without are each a `send.queued`. */
  | (Entry & {
      readonly kind: 'batch.queued';
      readonly atMs: Millis;
      readonly expiresMs: Millis | null;
      /** The words of the first send's id; the others' follow it (`send-chunk.ts`). */
      readonly run: Words4;
      /** Of each send, 32 bits: its person. */
      readonly people: Uint8Array;
      /**
       * Of each send, six words: the key and the fingerprint, or zeros. Absent where none has a
       * key.
       */
      readonly claims?: Uint8Array;
      readonly targets: DeviceColumns;
    })
  | (Entry & {
      readonly kind: 'attempts.started';
      readonly channel: ChannelId;
      readonly atMs: Millis;
      readonly items: readonly (readonly [sendId: string, target: number])[];
    })
  | (Entry & {
      readonly kind: 'attempts.settled';
      readonly channel: ChannelId;
      readonly atMs: Millis;
      readonly standing: ChannelStanding | null;
      /** The number of the first receipt's event; the others follow. */
      firstEvent: number;
      readonly items: readonly {
        readonly sendId: string;
        readonly target: number;
        readonly deviceId: string;
        readonly settlement: Settlement;
        /** Of a marketing send. */
        readonly origin?: Omit<Origin, 'copy'>;
        /**
         * The provider tells of it after its end; `target` means nothing, and the send was over
         * before.
         */
        readonly isLate?: true;
        /**
         * It had failed before, and an operator sent it again, or its provider told what became of
         * it.
         */
        readonly isRedriven?: true;
      }[];
    })
  | (Entry & { readonly kind: 'send.woken'; readonly sendId: string; readonly atMs: Millis })
  | (Entry & { readonly kind: 'channel.resumed'; readonly channel: ChannelId })
  | (Entry & {
      readonly kind: 'send.redriven';
      readonly sendId: string;
      readonly person: PersonOrdinal;
      readonly atMs: Millis;
      readonly targets: readonly {
        readonly deviceId: string;
        readonly channel: ChannelId;
        readonly deadLetter: string;
      }[];
      readonly origin?: Origin;
    })
  | (Entry & { readonly kind: 'sends.swept'; readonly count: number });

/** What the words of a marketing send are made of, where its attempt is made. */
interface Unrendered {
  readonly message: MessageContent;
  readonly person: TemplateSubscriber;
  readonly app: SendingApp;
}

/** An attempt to be made: with its content, or with what that is rendered from. */
export interface GrantedAttempt {
  readonly target: number;
  readonly attempt: Omit<Attempt, 'content'> & { readonly content?: RenderedContent };
  readonly words?: Unrendered;
}

/**
 * What a dispatcher is granted: attempts that are committed as started, with what it takes to make
 * them.
 */
export interface DispatchGrant {
  readonly kind: 'dispatch.grant';
  readonly partition: number;
  readonly app: number;
  readonly channel: ChannelId;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
  readonly attempts: readonly GrantedAttempt[];
}
