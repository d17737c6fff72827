// Messages and entries of transactional sends.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Words2, Words4 } from '../../../engine/base/words.ts';
import type { DeadLetterRow, SendOutcomeRow } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MailParts } from '../../channels/port/attempt.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import type { TemplateRef } from '../../content/templates/template-ref.ts';
import type { DeviceColumns } from '../../people/audience/device-columns.ts';
import type { OrderedPage, Page, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Origin, SendStatus } from '../outbox/records.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';

/** A named template is copied; the content beside it overrides the copy. */
export interface TransactionalRequest extends MessageContent, TemplateRef {
  readonly to: PersonRef;
  readonly channels?: readonly ChannelId[];
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Of its email; the files are kept already. */
  readonly mail?: MailParts;
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

/** Recipients who have the same members, and whose variables have the same names in one order. */
export interface RecipientColumns {
  readonly by: 'id' | 'externalUserId';
  readonly to: readonly string[];
  /** Absent if they have no variables. */
  readonly names?: readonly string[];
  /** By recipient, then by name. */
  readonly values: readonly unknown[];
  /** Two words for each; absent if they have none. */
  readonly prints?: Uint32Array;
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

export interface TransactionalProtocol {
  'transactional.accept': {
    body: Caller & { request: TransactionalRequest; claim: IdempotencyClaim | null };
    reply: { id: string; replayed: boolean };
  };
  /** The send that an earlier call with this key queued; nothing is changed. */
  'transactional.earlier': {
    body: Caller & { claim: IdempotencyClaim };
    reply: { id: string } | null;
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
      recipients: readonly BatchRecipient[] | RecipientColumns;
      /** Keys that earlier turns of this call claimed, each as 53 bits of its hash. */
      claimed: readonly number[];
      /** Only says whom an earlier call queued; nothing is queued. */
      onlyEarlier?: true;
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
      /** Copies of its email, for the daily cap; absent for none. */
      readonly copies?: number;
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
    });
