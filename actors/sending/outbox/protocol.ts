// Messages and entries of open sends, and what dispatchers are granted and report.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Attempt, OwnWording, RenderedContent } from '../../channels/port/attempt.ts';
import type { OpenRelay } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import type { SendingApp, TemplateSubscriber } from '../../content/liquid/context.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import type { UtmParameters } from '../../content/shape/utm-facts.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { MailWay } from '../mailboxes/figures.ts';
import type { WarmedMails } from '../warm-up/mails.ts';
import type { ChannelStateView, ProviderHealth, RelayHealth } from './circuit.ts';
import type { Origin, Settlement } from './records.ts';

export interface AttemptReport {
  readonly sendId: string;
  readonly target: number;
  readonly attempt: number;
  /** `undefined`: handed back unsent. */
  readonly outcome: Outcome | undefined;
  /** Of a Live Activity: which of its tokens was tried (`Attempt.activity`). */
  readonly rotations?: number;
  /** What it was to find out about (`GrantedAttempt`). */
  readonly probes?: readonly string[];
  /** Of an email that a provider was called for. */
  readonly mail?: ReportedMail;
}

/** `hosted`: the hash of the recipient's domain, where its mail exchangers told the provider. */
type ReportedMail = MailWay & { readonly hosted?: number };

export interface OutboxProtocol {
  'channel.list': { body: Caller; reply: readonly ChannelStateView[] };
  /** Of every relay that an app, or the apps of an org, may send through. */
  'relay.health': { body: Caller; reply: readonly RelayHealth[] };
  'transactional.wake': { body: Caller & { sendId: string }; reply: null };
  /** `after`: the send id where the previous turn stopped; absent in the first. */
  'transactional.sweep': { body: Caller & { after?: string }; reply: null };
  /** Writes the receipts of sends that a restore gave up. */
  'restored.abandon': { body: Caller; reply: null };
  'dispatch.report': {
    body: Caller & { channel: ChannelId; reports: readonly AttemptReport[] };
    reply: null;
  };
  'dispatch.resume': {
    body: Caller & {
      channel: ChannelId;
      /** Its account was mended, so a refused channel probes at once. */
      now?: true;
      /** That was a relay: what waits tries again, even if another asked for a pause. */
      relayMended?: true;
    };
    reply: null;
  };
}

export type OutboxEntry =
  | (Entry & {
      readonly kind: 'attempts.started';
      readonly channel: ChannelId;
      readonly atMs: Millis;
      /** `relay`: an index into `relays`. */
      readonly items: readonly (readonly [sendId: string, target: number, relay?: number])[];
      readonly relays?: readonly string[];
      /** Of emails that leave with copies: an index into `items`, and how many. */
      readonly copies?: readonly (readonly [item: number, copies: number])[];
      /** Parts of the provider whose open circuits these attempts probe; others wait meanwhile. */
      readonly probed?: readonly string[];
      /** What they begin of a sender domain that is warming up; campaigns' emails began before. */
      readonly warmed?: WarmedMails;
    })
  | (Entry & {
      readonly kind: 'attempts.settled';
      readonly channel: ChannelId;
      readonly atMs: Millis;
      readonly standing: ProviderHealth | null;
      /** Of emails that a provider was called for: the domain of their sender. */
      readonly domain?: string;
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
        /** Its relay had accepted it and reports now: its email is counted already. */
        readonly wasAccepted?: true;
      }[];
    })
  | (Entry & { readonly kind: 'send.woken'; readonly sendId: string; readonly atMs: Millis })
  | (Entry & {
      readonly kind: 'channel.resumed';
      readonly channel: ChannelId;
      /** Its circuit is probed before its time; and what waits for another try is due. */
      readonly now?: true;
      readonly wakes?: true;
    })
  | (Entry & { readonly kind: 'sends.swept'; readonly count: number });

/** What a marketing send is rendered from, at its attempt. */
interface Unrendered {
  readonly message: MessageContent;
  readonly person: TemplateSubscriber;
  readonly app: SendingApp;
  readonly utm?: UtmParameters;
}

/** An attempt to make: with its content, or with what to render it from. */
export interface GrantedAttempt {
  readonly target: number;
  readonly person: PersonOrdinal;
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly attempt: Omit<Attempt, 'content'> & { readonly content?: RenderedContent };
  readonly words?: Unrendered;
  /** Parts of the provider that were slow or failing: this call finds out about them. */
  readonly probes?: readonly string[];
  /** By which relay it leaves: one of the grant's, or the server's own way (`serverRelay`). */
  readonly relay?: string;
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
  /** Calls of this thread to the account; set while others share its campaigns. */
  readonly callsMax?: number;
  /** Opened; they never leave the process. */
  readonly relays?: readonly OpenRelay[];
  readonly attempts: readonly GrantedAttempt[];
}
