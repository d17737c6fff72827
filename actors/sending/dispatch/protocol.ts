// Messages between shards and dispatchers besides grants and reports.

import type { Answer } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { IdParts } from '../../../engine/base/id.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MailboxGroup } from '../../channels/email/mailbox-groups.ts';
import type { OwnWording } from '../../channels/port/attempt.ts';
import type { LateResults, ResultsQuery } from '../../channels/port/late-results.ts';
import type { OpenRelay, serverRelay } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import type { ProviderConfig } from '../../channels/port/provider-config.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import type { UtmParameters } from '../../content/shape/utm-facts.ts';
import type { MailSettings } from '../../tenants/accounts/records.ts';
import type { StripeSettings } from '../../tenants/billing/stripe/port.ts';
import type { MailWay } from '../mailboxes/figures.ts';

/** The start data of a dispatch thread. */
export interface DispatchData {
  readonly index: number;
  readonly providers: ProviderConfig;
  /** Absent: nothing is charged. */
  readonly stripe?: StripeSettings;
  readonly allowPrivateNetworks: boolean;
  /** Set when a provider's clock agrees with ours (four bytes). */
  readonly clockAgreed?: SharedArrayBuffer;
  readonly logLevel: string;
  readonly dataDir: string;
  /**
   * The value of `ENGAGE_MASTER_KEY`, where it is set: unsubscribe links are sealed where mails are
   * composed.
   */
  readonly masterKey: string | undefined;
  readonly publicUrl: string;
  /** See `ShardData`. */
  readonly recalls?: SharedArrayBuffer;
  /** Name servers for mail exchangers, as `address:port`; absent: the system's. */
  readonly dnsServers?: readonly string[];
  /** Pauses of accounts that dispatch threads share (`sharedHoldsBytes`). */
  readonly holds?: SharedArrayBuffer;
  /** Paces of relays (`sharedPacesBytes`). */
  readonly paces?: SharedArrayBuffer;
  /** Of each shard, until when its leases hold (`LeaseWords`); absent without a cluster. */
  readonly leases?: readonly SharedArrayBuffer[];
}

/**
 * Rows of an app that must not begin any more: of these people, this campaign or this journey, or
 * all. They come back unsent, and the app's actor decides about them again.
 */
export interface DispatchRecall {
  readonly kind: 'dispatch.recall';
  readonly app: Ordinal;
  readonly people?: readonly PersonOrdinal[];
  readonly campaignId?: string;
  readonly journeyId?: string;
}

/**
 * The shard no longer owns what it granted from this address: another server does, and has ended
 * it as of unknown outcome. What has not begun is dropped, and nobody waits for a report.
 */
export interface DispatchDisowned {
  readonly kind: 'dispatch.disowned';
  /** As in its grants. */
  readonly partition: number;
}

/**
 * People of a campaign, committed as dispatched: their records, and what is needed to send the
 * message to each. Threads that share a campaign get one of the same number each.
 */
export interface DispatchWave {
  readonly kind: 'dispatch.wave';
  readonly partition: number;
  readonly app: Ordinal;
  readonly channel: ChannelId;
  readonly wave: number;
  readonly campaignId: string;
  /** The key of its topic. */
  readonly topic?: string;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
  readonly appId: string;
  readonly appName: string;
  /** The app's, for people without one. */
  readonly timezone: string;
  readonly email: MailSettings;
  /** In place of the server's name in links of ours. */
  readonly linkHost?: string;
  readonly wording?: OwnWording;
  /** Parts of the provider that fail or are slowed down: their rows come back unsent. */
  readonly held?: readonly string[];
  /** See `DispatchGrant`. */
  readonly probes?: true;
  readonly callsMax?: number;
  /** By which all rows leave, opened; its name alone is the server's own way. */
  readonly relay?: OpenRelay | typeof serverRelay;
  /** The shared part of its sends' ids; the person is the last 32 bits. */
  readonly sendParts: IdParts;
  readonly acceptedMs: Millis;
  readonly contents: readonly MessageContent[];
  /** The campaign parameters of each of `contents`; absent where there are none. */
  readonly utm?: readonly (UtmParameters | undefined)[];
  /** An index into `contents` per person; absent where there is one. */
  readonly variants?: Uint8Array;
  readonly people: Uint32Array;
  /** Their stored records, concatenated, and where each ends. */
  readonly records: Uint8Array;
  readonly ends: Uint32Array;
}

/** An app's actor asks for delivery results; `ResultsReport` answers. */
export interface PollResults extends ResultsQuery {
  readonly kind: 'dispatch.poll';
  readonly partition: number;
  readonly app: Ordinal;
  readonly channel: ChannelId;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
}

/** One page of results. */
export interface ResultsReport extends Pick<ResultsQuery, 'untilMs' | 'startKey'> {
  readonly kind: 'callback.polled';
  readonly by: number;
  readonly channel: ChannelId;
  /** Of a question to a gateway. */
  readonly relayId?: string;
  readonly answer: LateResults;
}

/** The answer to a dispatcher's question. */
export interface DispatchAnswer {
  readonly kind: 'dispatch.answer';
  readonly correlation: number;
  readonly answer: Answer;
}

/** The outcomes of some rows of a wave. */
export interface WaveReport {
  readonly kind: 'dispatch.wave_report';
  readonly by: number;
  readonly channel: ChannelId;
  readonly wave: number;
  /** Ascending. */
  readonly people: Uint32Array;
  /**
   * The distinct outcomes, without the provider's message ids; `null` is a row that was returned
   * unsent.
   */
  readonly outcomes: readonly (Outcome | null)[];
  /** An index into `outcomes` per person. */
  readonly codes: Uint8Array;
  /** The device of each person (`device-ids.ts`). */
  readonly devices: Uint8Array;
  /** The provider's id of each message; absent where it returned none. */
  readonly providerIds?: readonly string[];
  /** Of emails. */
  readonly mail?: WaveMail;
}

/** Where the mails of a wave went, as far as providers were called for them. */
interface WaveMail extends Pick<MailWay, 'domain' | 'relay'> {
  /** Per person, an index into `mailboxGroups`. */
  readonly groups: Uint8Array;
  /** Domains of recipients by a hash, whose provider their mail exchangers told. */
  readonly hosted?: readonly (readonly [hash: number, group: MailboxGroup])[];
}
