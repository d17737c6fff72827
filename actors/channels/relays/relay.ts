// A relay: one account of a service, or one mail server, that takes messages of a channel. What a
// kind of relay implements, and what it is given. Tenants choose a relay, never its address, except
// of `smtp` and `http`, whose calls pass the guard on addresses.

import type { z } from 'zod';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../channel-ids.ts';
import type { MailPiece } from '../email/attached.ts';
import type { Mail } from '../email/mime.ts';
import type { AdapterContext, MayBegin } from '../port/adapter.ts';
import type { CallbackItem } from '../port/callback-item.ts';
import type { CredentialCheck, Outcome } from '../port/outcome.ts';

/** A send of the transactional lane is `transactional`, of campaigns and journeys `marketing`. */
export const streams = ['transactional', 'marketing'] as const;
export type Stream = (typeof streams)[number];

/** In the order that lists show. */
export const relayKindNames = [
  'smtp',
  'ses',
  'sendgrid',
  'postmark',
  'mailgun',
  'resend',
  'brevo',
  'http',
] as const;
export type RelayKindName = (typeof relayKindNames)[number];

/** In health and receipts: what the server itself, or the app's credential, sends by. */
export const serverRelay = 'server';

/** Whether a part of a channel's provider is a relay: other parts are hosts and domains. */
export function isRelayName(part: string): boolean {
  return part === serverRelay || part.startsWith('rel_');
}

/** A relay as a dispatch thread gets it, opened. It never leaves the process. */
export interface OpenRelay {
  /** `rel_…` */
  readonly id: string;
  readonly kind: RelayKindName;
  /** Matches the schema of its kind. */
  readonly config: RelayConfig;
  /** Changes with each change of `config`: what was built for another is closed. */
  readonly fingerprint: string;
  readonly perSecond?: number;
  readonly perDay?: number;
  /** It tells what became of a message, so that its acceptance is not a delivery yet. */
  readonly reports?: true;
}

export type RelayConfig = Readonly<Record<string, unknown>>;

/** What a kind is, as data: without the code that talks to it. */
export interface RelayKind {
  /** As people know it: `Amazon SES`. */
  readonly label: string;
  readonly channels: readonly ChannelId[];
  /** What a tenant enters: settings and secrets. Unknown members are dropped. */
  readonly configSchema: z.ZodType<RelayConfig>;
  /** Members of the configuration that no answer ever contains. */
  readonly secrets: readonly string[];
  /** Base addresses by the X of `ENGAGE_X_URL`; `null`: the kind picks one for each account. */
  readonly urls?: Readonly<Record<string, string | null>>;
  /** How its events prove themselves, for documents. Absent: it reports nothing. */
  readonly events?: { readonly proof: string };
}

/** One mail for a relay, with what services want apart. */
export interface RelayMail {
  readonly mail: Mail;
  /** The envelope sender; services without one ignore it. */
  readonly returnPath: string;
  /** The whole signed message, written when it is asked for. */
  readonly raw: () => string;
  /** The same without a copy of its files: texts, and bytes that mails share (`SmtpMessage`). */
  readonly pieces: () => readonly MailPiece[];
  /** Our own id, which the service must echo in its events (`mail-mark.ts`). */
  readonly mark: string;
  readonly stream: Stream;
  /** The same at every try of this mail, unlike that of any other: for idempotency keys. */
  readonly uuid: string;
  /** For services that keep tags or metadata; at most three, in `[A-Za-z0-9_-]`. */
  readonly tags: Readonly<Record<string, string>>;
}

/** One account of a service, open in a dispatch thread. Connects with the first mail. */
export interface RelayAccount {
  /** Never rejects for what the service does. Asks `mayBegin` right before the first byte. */
  send(mail: RelayMail, mayBegin?: MayBegin): Promise<Outcome>;
  /** One real call that sends nothing. */
  check(): Promise<CredentialCheck>;
  /** Lets calls in flight end, at most ten seconds. */
  close(): Promise<void>;
}

/** How a kind of relay opens an account; `config` matches its schema. */
export type OpenRelayAccount = (relay: OpenRelay, context: AdapterContext) => RelayAccount;

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

/** What a service says became of a mail. */
export const relayEventKinds = [
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

export type ReadRelayCall =
  | {
      readonly state: 'read';
      readonly events: readonly RelayEvent[];
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

/** A kind's `service.ts`: how it is talked to. */
export interface RelayService {
  readonly open: () => Promise<OpenRelayAccount>;
  readonly readEvents?: () => Promise<ReadRelayEvents>;
}
