// Messages and entries of the event stream.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { KeylessCreated, KeylessQuota } from '../people/keyless.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';

/** The reply to `POST /e`. */
export interface IngestReply extends KeylessCreated {
  readonly accepted: number;
  readonly rejected: number;
  readonly errors: readonly { readonly index: number; readonly error: string }[];
}

export interface EventView {
  readonly id: string;
  /** The number of the event within its app. */
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

export interface EventQuery {
  readonly person?: PersonOrdinal;
  /** Other ordinals of that person's events, ascending: of people merged into them. */
  readonly aliases?: readonly PersonOrdinal[];
  readonly name?: string;
  readonly fromMs?: Millis;
  readonly toMs?: Millis;
  readonly limit: number;
  /** Only events with a smaller seq: where the previous page ended. */
  readonly beforeSeq?: number;
}

export interface EventsProtocol {
  /** The bytes are the request's body. */
  'events.ingest': {
    body: Caller & {
      /** Without an API key: creation of people is capped, and identity may be required. */
      keyless: boolean;
      /** Proof of identity in a call without an API key. */
      clientToken?: string;
      /** Of a keyless call. */
      room?: KeylessQuota;
    };
    reply: IngestReply;
  };
  /** Resolves a read: the person it is about, and the erased people it must not show. */
  'events.locate': {
    body: Caller & { subscriberId?: string };
    reply: {
      app: Ordinal;
      person: PersonOrdinal | null;
      aliases: readonly PersonOrdinal[];
      erased: readonly PersonOrdinal[];
      /** Older events are past their retention. */
      keptFromMs: Millis;
    };
  };
  /** Newest first. */
  'events.list': {
    body: Caller & { query: Omit<EventQuery, 'person' | 'aliases'> & { subscriberId?: string } };
    reply: { items: readonly EventView[]; nextCursor: string | null };
  };
}

/** One request's accepted events, as one columnar batch (`batch.ts`). */
export type EventsEntry = Entry & {
  readonly kind: 'events.tracked';
  readonly atMs: Millis;
  readonly keyless: boolean;
  /** The runtime writes the seqs of its events into it (`numberedBatch`). */
  batch: Uint8Array;
};

export interface FoundingProtocol {
  /** Draws a new partition's key for event ids. */
  'partition.found': { body: object; reply: null };
}

export type FoundingEntry = Entry & {
  readonly kind: 'partition.founded';
  readonly eventIdKey: HashKey;
};
