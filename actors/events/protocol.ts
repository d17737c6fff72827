// Messages and entries of the event stream.

import type { Entry } from '../../engine/actor/message.ts';
import type { Bytes, Millis, Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { UnknownMember } from '../faults.ts';
import type { KeylessCreated, KeylessQuota } from '../people/keyless.ts';
import type { NameQuota, NamesBrought } from '../people/name-limit.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';

export interface IngestReply extends KeylessCreated, NamesBrought {
  readonly accepted: number;
  readonly rejected: number;
  /** Of those accepted, how many were stored before. */
  readonly repeated: number;
  readonly errors: readonly { readonly index: number; readonly error: string }[];
  /** Members that nobody reads, each name once; absent for none. */
  readonly unknown?: readonly UnknownMember[];
  /** Of several requests in one message: how many events of each were accepted, all of them. */
  readonly each?: readonly number[];
  /** Nothing was done: these requests must be asked one by one. */
  readonly isApart?: true;
}

export interface EventView {
  readonly id: string;
  /** The event's number in its app. */
  readonly seq: number;
  readonly name: string;
  readonly subscriberId: string | null;
  readonly externalUserId: string | null;
  readonly deviceId: string | null;
  readonly channel: string | null;
  readonly sendId: string | null;
  readonly campaignId: string | null;
  readonly messageId: string | null;
  readonly journeyId: string | null;
  readonly atMs: Millis;
  readonly receivedMs: Millis;
  readonly props: unknown;
  readonly meta: unknown;
}

type EventReferences = Readonly<Partial<Record<'journeyId' | 'campaignId' | 'sendId', string>>>;

export interface EventQuery {
  readonly person?: PersonOrdinal;
  /** Ordinals of people merged into them, ascending. */
  readonly aliases?: readonly PersonOrdinal[];
  readonly name?: string;
  /** Only events that refer to all of these. */
  readonly of?: EventReferences;
  readonly fromMs?: Millis;
  readonly toMs?: Millis;
  readonly limit: number;
  /** Events below this seq: where the previous page ended. */
  readonly beforeSeq?: number;
  /** Events above this seq: what a tail has shown already. */
  readonly afterSeq?: number;
}

export interface EventsProtocol {
  /** The bytes are the request's body. */
  'events.ingest': {
    body: Caller & {
      /** Without an API key: creation is capped, and identity may be required. */
      keyless: boolean;
      /** Proof of identity without an API key. */
      clientToken?: string;
      /** For a keyless call. */
      room?: KeylessQuota;
      /** For a keyless call. */
      names?: NameQuota;
      /** Refuses a call with members that nobody reads. */
      strict?: boolean;
      /** With an API key: the bytes are those of several requests, which are so long. */
      parts?: readonly Bytes[];
    };
    reply: IngestReply;
  };
  /** The person of a read, and the erased people to hide. */
  'events.locate': {
    body: Caller & { subscriberId?: string };
    reply: {
      app: Ordinal;
      person: PersonOrdinal | null;
      aliases: readonly PersonOrdinal[];
      erased: readonly PersonOrdinal[];
      /** Older events are past retention. */
      keptFromMs: Millis;
    };
  };
  /** The newest event's seq; 0 without events. */
  'events.newest': { body: Caller; reply: number };
  /** Newest first. */
  'events.list': {
    body: Caller & { query: Omit<EventQuery, 'person' | 'aliases'> & { subscriberId?: string } };
    reply: { items: readonly EventView[]; nextCursor: string | null };
  };
}

/** A request's accepted events as a columnar batch (`batch.ts`). */
export type EventsEntry = Entry & {
  readonly kind: 'events.tracked';
  readonly atMs: Millis;
  readonly keyless: boolean;
  /** Without a key: the person whose session an `identityHash` proved. */
  readonly proven?: PersonOrdinal;
  /** The runtime writes its seqs (`numberedBatch`). */
  batch: Uint8Array;
};

export interface FoundingProtocol {
  /** Draws a new partition's event id key. */
  'partition.found': { body: object; reply: null };
}

export type FoundingEntry = Entry & {
  readonly kind: 'partition.founded';
  readonly eventIdKey: HashKey;
};
