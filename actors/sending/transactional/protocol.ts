// Messages and entries of sends, and what dispatchers are granted and report.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';
import type { DeadLetterRow, SendOutcomeRow } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Attempt, OwnWording, RenderedContent } from '../../channels/port/attempt.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import type { SendingApp, TemplateSubscriber } from '../../content/liquid/context.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import type { TemplateRef } from '../../content/templates/template-ref.ts';
import type { DeviceColumns } from '../../people/audience/device-columns.ts';
import type { OrderedPage, Page, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { ChannelStateView, ProviderHealth } from './circuit.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';

export type SendStatus = 'pending' | 'delivered' | 'bounced' | 'failed' | 'suppressed';

/** Content of a send's row: plain for most channels, HTML for email. */
export interface SendContent {
  readonly plain: RenderedContent;
  readonly email?: RenderedContent;
}

/** A named template is copied; the content beside it overrides the copy. */
export interface TransactionalRequest extends MessageContent, TemplateRef {
  readonly to: PersonRef;
  readonly channels?: readonly ChannelId[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface SharedRequest extends Omit<TransactionalRequest, 'to'> {
  /** The template that earlier turns of the batch copied. */
  readonly copiedFrom?: string;
}

/** Of a call with an idempotency key that creates one object, whose id has this prefix. */
export interface Creation {
  readonly claim: IdempotencyClaim;
  readonly prefix: string;
  /** The message that creates it: questions that a host asks before it carry this along. */
  readonly kind: string;
}

export interface BatchRecipient {
  readonly to: PersonRef;
  /** Replace the shared content. */
  readonly title?: string;
  readonly body?: string;
  readonly data?: NonNullable<MessageContent['data']>;
  /** Merged over the batch's variables. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Its own idempotency key; without one the batch's key is used. */
  readonly key?: string;
  /** Of its request with the shared content; set if it has a key of either kind. */
  readonly fingerprint?: Words2;
}

/** All but the first two count as rejected and write nothing. */
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
  /** The queued send, or the earlier send of the same key. */
  readonly id?: string;
  readonly error?: string;
  readonly field?: string;
}

export interface SendView {
  readonly id: string;
  readonly status: SendStatus;
  readonly outcomes: readonly Omit<SendOutcomeRow, 'tries'>[];
  readonly failures: { readonly open: number; readonly recovered: number };
  /** A test send. */
  readonly test?: true;
}

/** A send of a list. Of an erased person without what names them. */
export interface ListedSend extends SendView {
  readonly acceptedMs: Millis;
  /** Each once; none without a device. */
  readonly channels: readonly string[];
  readonly subscriberId?: string;
  readonly externalUserId?: string;
  readonly title?: string;
  readonly templateId?: string;
}

export interface AttemptReport {
  readonly sendId: string;
  readonly target: number;
  readonly attempt: number;
  /** `undefined`: handed back unsent. */
  readonly outcome: Outcome | undefined;
  /** Of a Live Activity: which of its tokens was tried (`Attempt.activity`). */
  readonly rotations?: number;
  /** The part of the provider that it was to find out about (`GrantedAttempt`). */
  readonly probes?: string;
}

export interface TransactionalProtocol {
  'transactional.accept': {
    body: Caller & { request: TransactionalRequest; claim: IdempotencyClaim | null };
    reply: { id: string; replayed: boolean };
  };
  /** Sends a saved message to one person as a test. */
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
      /** A recipient without its own key gets `<key>#<subscriberId>`. */
      key: string | null;
      recipients: readonly BatchRecipient[];
      /** Keys that earlier turns of this call claimed, each as 53 bits of its hash. */
      claimed: readonly number[];
    };
    /**
     * `results`: of the first recipients, at least one; the rest need another turn with `claimed`
     * and `request`. A number means `queued` and is the send's place in `run`: a thousand ids are
     * slow to write.
     */
    reply: {
      results: readonly (RecipientResult | number)[];
      run: Words4;
      claimed: readonly number[];
      request?: SharedRequest;
    };
  };
  'transactional.read': { body: Caller & { id: string }; reply: SendView };
  'channel.list': { body: Caller; reply: readonly ChannelStateView[] };
  'send.list': {
    body: Caller &
      OrderedPage & {
        status?: SendStatus;
        channel?: ChannelId;
        /** An id or a handle. */
        template?: string;
        fromMs?: Millis;
        toMs?: Millis;
      };
    reply: Page<ListedSend>;
  };
  'transactional.wake': { body: Caller & { sendId: string }; reply: null };
  /** `after`: the send id where the previous turn stopped; absent in the first. */
  'transactional.sweep': { body: Caller & { after?: string }; reply: null };
  /** Writes the receipts of sends that a restore gave up. */
  'restored.abandon': { body: Caller; reply: null };
  'dispatch.report': {
    body: Caller & { channel: ChannelId; reports: readonly AttemptReport[] };
    reply: null;
  };
  /** `now`: the account was mended, so a refused channel probes at once. */
  'dispatch.resume': { body: Caller & { channel: ChannelId; now?: true }; reply: null };
  'dead_letter.list': {
    body: Caller & OrderedPage & LetterFilter;
    reply: Page<DeadLetterRow>;
  };
  'dead_letter.redrive': {
    /** One of `ids`, `reason` and `all`; the other members narrow the last two. */
    body: Caller & LetterFilter & { ids?: readonly string[]; all?: boolean; cursor?: string };
    /** `nextCursor`: set even if none of the rows read was open; `null` at the end. */
    reply: { redriven: number; nextCursor: string | null };
  };
}

/** Dead letters with all of these. */
export interface LetterFilter {
  readonly lane?: string;
  readonly reason?: string;
  readonly channel?: string;
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
  readonly status: Exclude<SendStatus, 'pending'>;
  readonly reason?: string;
  readonly detail?: string;
  readonly providerMessageId?: string;
  readonly attempts: number;
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
      /** Number of its receipt's event; only a send without devices has one at once. */
      firstEvent: number;
      readonly test?: true;
    })
  | (Entry & {
      readonly kind: 'creation.claimed';
      readonly claim: IdempotencyClaim;
      /** The words of its id. */
      readonly object: Words4;
      readonly atMs: Millis;
    })
  /** Sends of one batch that have devices; the others are a `send.queued` each. */
  | (Entry & {
      readonly kind: 'batch.queued';
      readonly atMs: Millis;
      readonly expiresMs: Millis | null;
      /** Words of the first send's id; the others follow it (`send-chunk.ts`). */
      readonly run: Words4;
      /** The person of each send, 32 bits. */
      readonly people: Uint8Array;
      /** Six words for each send: key and fingerprint, or zeros. Absent if no send has a key. */
      readonly claims?: Uint8Array;
      readonly targets: DeviceColumns;
    })
  | (Entry & {
      readonly kind: 'attempts.started';
      readonly channel: ChannelId;
      readonly atMs: Millis;
      readonly items: readonly (readonly [sendId: string, target: number])[];
      /** Parts of the provider whose open circuits these attempts probe; others wait meanwhile. */
      readonly probed?: readonly string[];
    })
  | (Entry & {
      readonly kind: 'attempts.settled';
      readonly channel: ChannelId;
      readonly atMs: Millis;
      readonly standing: ProviderHealth | null;
      /** Number of the first receipt's event; the others follow. */
      firstEvent: number;
      readonly items: readonly {
        readonly sendId: string;
        readonly target: number;
        readonly deviceId: string;
        readonly settlement: Settlement;
        readonly origin?: Omit<Origin, 'copy'>;
        /** A callback changed the receipt after the send had ended; `target` has no meaning. */
        readonly isLate?: true;
        /** Had failed before; then it was redriven, or a late callback reported its result. */
        readonly isRedriven?: true;
      }[];
    })
  | (Entry & { readonly kind: 'send.woken'; readonly sendId: string; readonly atMs: Millis })
  | (Entry & {
      readonly kind: 'channel.resumed';
      readonly channel: ChannelId;
      /** Its circuit is probed before its time. */
      readonly now?: true;
    })
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

/** What a marketing send is rendered from, at its attempt. */
interface Unrendered {
  readonly message: MessageContent;
  readonly person: TemplateSubscriber;
  readonly app: SendingApp;
}

/** An attempt to make: with its content, or with what to render it from. */
export interface GrantedAttempt {
  readonly target: number;
  readonly person: PersonOrdinal;
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly attempt: Omit<Attempt, 'content'> & { readonly content?: RenderedContent };
  readonly words?: Unrendered;
  /** The part of the provider that was slow or failing: this call finds out about it. */
  readonly probes?: string;
}

/** Attempts that are committed as started, with all that a dispatcher needs to make them. */
export interface DispatchGrant {
  readonly kind: 'dispatch.grant';
  readonly partition: number;
  readonly app: number;
  readonly channel: ChannelId;
  /** Decrypted; never leaves the process. */
  readonly credentials: unknown;
  /** The app's, for all attempts. */
  readonly wording?: OwnWording;
  /** The account was slow or failing: this call finds out about it. */
  readonly probes?: true;
  readonly attempts: readonly GrantedAttempt[];
}
