// What services tell of the messages that they took, as all kinds of relays read it.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { CallbackItem } from './callback-item.ts';
import type { RelayConfig } from './open-relay.ts';

/** What a service says became of a mail. */
const relayEventKinds = [
  /** It has the mail. */
  'accepted',
  /** The recipient's server asked to wait; the service goes on trying. */
  'deferred',
  'delivered',
  /** Given up, for a reason that passes: a full mailbox, a server that could not be reached. */
  'soft_bounce',
  /** There is no such mailbox. */
  'hard_bounce',
  /** The reader called it spam. */
  'complained',
  /** The reader left by the service's own link, header or page. */
  'unsubscribed',
  /** The service did not try: its own list has the address. */
  'dropped',
  /** Refused for its sender or content: nobody else would have got it either. */
  'refused',
  'opened',
  'clicked',
] as const;
export type RelayEventKind = (typeof relayEventKinds)[number];

export interface RelayEvent {
  readonly kind: RelayEventKind;
  /** From the mark that the service echoed; events without one are left out and counted. */
  readonly sendId: string;
  readonly deviceId: string;
  /** When it happened, by the service's clock. */
  readonly atMs: Millis;
  /** The recipient as the service names it. */
  readonly to?: string;
  /** What the recipient's server answered, if the service passes it on. */
  readonly reply?: { readonly code: number; readonly enhanced?: string; readonly text: string };
  /** The service's own word for it, at most 200 characters. */
  readonly detail?: string;
  /** Of `dropped`: why the address is on the service's list. */
  readonly list?: 'bounces' | 'complaints' | 'unsubscribes' | 'other';
  /** Of `clicked`. */
  readonly url?: string;
  /** Of `opened` and `clicked`. */
  readonly userAgent?: string;
  /** Of `opened` and `clicked`: the service says that a program did it, not a person. */
  readonly byMachine?: true;
}

/** What a gateway for texts says, or what a person wrote to its number. */
export interface RelayItem {
  /** Whose message it is; absent if the call does not say: then the app that owns the relay. */
  readonly app?: Ordinal;
  readonly item: CallbackItem;
}

/** A call of a service to `POST /v1/webhooks/relay/:relayId`, unread. */
export interface RelayCall {
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Of the address, without `?`. */
  readonly query: string;
  readonly nowMs: Millis;
  /** Fetches a public https address, for certificates and confirmations. `undefined`: it failed. */
  readonly fetchText: (url: string) => Promise<string | undefined>;
}

export type ReadRelayCall =
  | {
      readonly state: 'read';
      readonly events: readonly RelayEvent[];
      /** Of a proof that covers a token instead of the body: it proves the first body alone. */
      readonly proof?: { readonly token: string; readonly bodyHash: string };
      /** Of a gateway for texts, in the order of the call. */
      readonly items?: readonly RelayItem[];
      /** Of mails that are not ours, of kinds that say nothing, or without a mark. */
      readonly ignored: number;
    }
  /** The service's question whether this address wants its events; answered already. */
  | { readonly state: 'confirmed' }
  /** `reason`: snake_case, for the count of refused calls. */
  | { readonly state: 'refused'; readonly reason: 'signature' | 'too_old' | 'unreadable' }
  /** The proof cannot be checked now. Answer 503: some services never repeat a call after a 4xx. */
  | { readonly state: 'unavailable' };

/** Checks the proof over the raw bytes, before anything of them is read, then reads the events. */
export type ReadRelayEvents = (call: RelayCall, config: RelayConfig) => Promise<ReadRelayCall>;
