// The part of the edge for route handlers. Apart from edge.ts, so that a route does not reach the
// code that authenticates, limits and configures.

import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type { Tracked } from '../../actors/channels/email/tracked.ts';
import type {
  CallbackCounts,
  CheckCredential,
  CredentialCheck,
  RegisterWebhook,
  TrialResult,
  TryRelay,
  WebhookRegistration,
} from '../../actors/channels/port/outcome.ts';
import type { MessageNamed } from '../../actors/people/about-send.ts';
import type { KeyGrant, Tenant, TxtAnswer } from '../../actors/tenants/accounts/protocol.ts';
import type {
  StripeAnswer,
  StripeAnswers,
  StripeEvent,
  StripeQuestion,
} from '../../actors/tenants/billing/stripe/port.ts';
import type { Asker } from '../../engine/actor/asker.ts';
import type { Bytes, Millis, Ordinal, PersonOrdinal, Seconds } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { Rng } from '../../engine/base/rng.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { LaneState, RateLane } from './admission/rate-lane.ts';

/** What a link of ours names, whose token is sealed. */
interface PersonLink {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
}

/** `seconds`: by how much. */
export interface ClockWarning {
  readonly code: 'clock_behind' | 'clock_unconfirmed' | 'quarantined';
  /** Of the clock: by how much. */
  readonly seconds?: Seconds;
  /** For the quarantine: the number of orgs and apps. */
  readonly count?: number;
  readonly message: string;
}

/** By what a repeat was known. */
export type DuplicateKind = 'idempotency_key' | 'event_id' | 'callback';

export interface CallEdge {
  readonly config: CallConfig;
  readonly router: Asker;
  readonly admission: CallAdmission;
  readonly clock: Clock;
  readonly rng: Rng;
  /** False while starting, and once draining. */
  ready(): boolean;
  /** What is wrong with the clock; absent where nobody watches it. */
  clockWarnings?(): readonly ClockWarning[];
  countCallbacks?(channel: ChannelId, counts: CallbackCounts): void;
  /** Calls of mail services that proved nothing. `kind`: of the relay. */
  countRelayRefusal?(kind: string, reason: string): void;
  /**
   * Checks the proof of a mail service's call, then reads its events; `undefined` if such a relay
   * reports nothing. `query`: of the address, without `?`.
   */
  readRelayCall?(
    kind: string,
    config: Readonly<Record<string, unknown>>,
    call: {
      readonly body: Uint8Array;
      readonly header: (name: string) => string | undefined;
      readonly query: string;
    },
  ): Promise<unknown>;
  /** Repeats that changed nothing. */
  countDuplicates?(kind: DuplicateKind, count: number): void;
  /** Absent if nothing is sent. */
  registerWebhook?(ask: RegisterWebhook): Promise<WebhookRegistration>;
  /** Absent if nothing is sent. */
  checkCredential?(ask: CheckCredential): Promise<CredentialCheck>;
  /** Absent if nothing is sent. */
  tryRelay?(ask: TryRelay): Promise<TrialResult>;
  /** Where the sandbox shows what was sent; absent in live mode. */
  readonly inboxUrl?: string;
  /** Absent if no key of Stripe is set. */
  readonly stripe?: StripeAccess;
  /** The TXT records of a name, for checks of sender domains. */
  lookUpTxt(tenant: Tenant, name: string): Promise<TxtAnswer>;
  /** A file at an address that a caller names; absent where nothing is sent. */
  fetchFile?(
    tenant: Tenant,
    url: string,
    bytesMax: Bytes,
  ): Promise<{ readonly bytes: Uint8Array; readonly type?: string } | { readonly problem: string }>;
  /** The name that a name is an alias of, in the same form. */
  lookUpCname(tenant: Tenant, name: string): Promise<TxtAnswer>;
  /** An unsubscribe link's content; `undefined` if forged or damaged. */
  openUnsubscribe(token: string): UnsubscribeLink | undefined;
  /** What a confirmation link names; `undefined` if forged or damaged. */
  openConfirm(
    token: string,
  ): (PersonLink & { readonly number: number; readonly identity: string }) | undefined;
  /** Whose preferences a link opens; `undefined` if forged or damaged. */
  openPreferences(token: string): (PersonLink & { readonly address?: string }) | undefined;
  /** The path of such a link. */
  preferencesPath(link: PersonLink & { readonly address?: string }): string;
  /** A pixel's or tracked link's content; `undefined` if forged or damaged. */
  readTracked(token: string): Tracked | undefined;
  /** Where receivers report about a sender domain; `null` without a listener for bounces. */
  dmarcAddress(app: Ordinal, domain: string): string | null;
  /** Whether another link of the same mail was clicked within the same second. Notes the click. */
  isBurst(tracked: Tracked): boolean;
  /** Opens a live stream, or throws a refusal; absent where there are none. */
  openLive?(ask: LiveAsk): Promise<LivePieces>;
  /**
   * The grant of an API key that somebody signs in with; `null` if it is not valid. Throws if the
   * address showed too many that are not.
   */
  keyGrant(text: string, address: string): Promise<KeyGrant | null>;
  /** Which credentials there are. */
  readonly credentials: Credentials;
  /**
   * Mails a sign-in link to an address, if it is a member somewhere. Returns at once. `place`:
   * where it is asked for, as of `placeOf`.
   */
  mailSignInLink(email: string, place: string): void;
  /** A hash of a network address by a key of this server. */
  placeOf(address: string): string;
  /** The address in the link of a sign-in mail that stops them; `undefined` if it is not ours. */
  openMailStop(token: string): string | undefined;
  /** The HTML of previewed emails. */
  readonly mailPreviews: MailPages;
  /** What only this server can derive from a name: bytes for a key, by each master key. */
  clientKeyBytes(name: string): readonly Uint8Array[];
}

/** `name` and `hash` as of `credentialMark`. */
interface Credentials {
  has(name: string, hash: Uint8Array): boolean;
  remove(name: string, hash: Uint8Array): void;
}

/** Who wants to follow what of an app. */
export interface LiveAsk {
  readonly grant: KeyGrant;
  readonly appId: string;
  /** As in the query. */
  readonly topics: string;
  readonly lastsMs: Millis;
  /** The newest event that the reader has. */
  readonly afterSeq: number | undefined;
}

interface LivePieces extends AsyncIterable<string> {
  stop(): void;
}

export interface StripeAccess {
  ask<Kind extends StripeQuestion['kind']>(
    question: Extract<StripeQuestion, { readonly kind: Kind }>,
  ): Promise<StripeAnswer<StripeAnswers[Kind]>>;
  /** Verifies and reads a webhook event. */
  read(bytes: Uint8Array, signature: string): Promise<StripeEvent>;
}

interface MailPages {
  /** Returns a token. */
  keep(app: Ordinal, html: string, nowMs: Millis, rng: Rng): string;
  read(token: string, nowMs: Millis): string | undefined;
}

export interface CallConfig {
  readonly partitions: number;
  readonly mode: 'sandbox' | 'live';
  readonly publicUrl: string;
  readonly ingestUrl: string;
  /** For reports of security problems; absent if the operator names none. */
  readonly securityContact?: string | undefined;
  /** Whether tenants may name addresses of the operator's network. */
  readonly allowPrivateNetworks: boolean;
  /** Of every email's envelope sender, if set. */
  readonly bounceDomain: string | undefined;
  /** This server's name, if names of tenants' domains may lead to it. */
  readonly linkHost?: string | undefined;
  /** Of the server's own way for mails, if it has one. */
  readonly smtpUrl?: string | undefined;
  /** Each app has one address of it, if set. */
  readonly platformDomain: string | undefined;
}

export interface UnsubscribeLink {
  readonly app: Ordinal;
  readonly address: string;
  /** The mail was marketing. */
  readonly isMarketing: boolean;
  /** Which mail; absent in links of earlier builds. */
  readonly about?: MessageNamed;
  /** The key of its topic; absent for a mail without one. */
  readonly topic?: string;
}

interface NamesFree {
  readonly mayName: number;
  readonly retryAfterSeconds: Seconds;
}

export interface Admitted {
  readonly state: LaneState;
  readonly refusal: Fault | undefined;
}

interface CallAdmission {
  readonly perIpPerMinute: number;
  /** Charges `units` to a lane of the key's org, all or nothing. */
  charge(grant: KeyGrant, lane: RateLane, units: number): Admitted;
  /** Why an address may try no more of what it names for now. */
  failedTooOften(address: string, name: string): Fault | undefined;
  /** Counts a wrong link. */
  countFailure(address: string, name: string): void;
  /** Charges who holds a session, link or key, where their address has no room. */
  holder(name: string): Fault | undefined;
  /** Charges a look-up of a credential that is not listed, or says why there is none. */
  lookUp(address: string): Fault | undefined;
  /** Does not charge the lane. */
  peek(grant: KeyGrant, lane: RateLane): LaneState;
  /** Charges a keyless call's body to its address in this app, or says why it may not pass. */
  keylessBytes(address: string, app: Ordinal, bytes: Bytes): Fault | undefined;
  /** How many new names a keyless call may bring; `undefined` for no limit. */
  nameQuota(address: string, app: Ordinal): NamesFree | undefined;
  /** The same for a call that names at most `wanted`: other calls cannot use them meanwhile. */
  holdNames(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void;
  /** Counts the new names that the call brought, and returns the rest. */
  releaseNames(hold: Hold | undefined, brought: number): void;
  /**
   * Holds room for up to `wanted` people that a keyless call from `address` may create in `app`.
   * Addresses without a limit pass nothing to `then`. `then` may run after other calls of the
   * address.
   */
  holdPeople(
    address: string,
    app: Ordinal,
    wanted: number,
    then: (hold: Hold | undefined) => void,
  ): void;
  /** Counts the people that the call created, and returns the rest of the room. */
  releasePeople(hold: Hold | undefined, made: number): void;
}

/** Part of an address's remaining minute, held for one call. */
export interface Hold {
  /** What the call wanted or, if less is free, what is free. */
  readonly count: number;
  /** What the address has used of its minute before. */
  readonly used: number;
  /** If `count` is short: whole seconds until more is free, 1 to 60; else 0. */
  readonly waitSeconds: Seconds;
  /** Counts `used` of it, at most `count`, and returns the rest. Call it exactly once. */
  release(used: number, nowMs: Millis): void;
}
