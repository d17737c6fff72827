// What shards and dispatchers say to each other beside grants and reports.

import type { Answer } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { IdParts } from '../../../engine/base/id.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { LateResults, ResultsQuery } from '../../channels/late-results.ts';
import type { Outcome } from '../../channels/outcome.ts';
import type { ProviderConfig } from '../../channels/provider-config.ts';
import type { MessageContent } from '../../content/message-schema.ts';
import type { EmailSender } from '../../tenants/accounts/records.ts';

/** What a dispatch thread is started with. */
export interface DispatchData {
  readonly index: number;
  readonly providers: ProviderConfig;
  readonly allowPrivateNetworks: boolean;
  readonly logLevel: string;
  readonly dataDir: string;
  /**
   * The text of `ENGAGE_MASTER_KEY`, where it is set: links that unsubscribe are sealed where mails
   * are made.
   */
  readonly masterKey: string | undefined;
  readonly publicUrl: string;
}

/**
 * People of a campaign, committed as handed out: their records, and what it takes to send each of
 * them the message.
 */
export interface DispatchWave {
  readonly kind: 'dispatch.wave';
  readonly partition: number;
  readonly app: Ordinal;
  readonly channel: ChannelId;
  readonly wave: number;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
  readonly appId: string;
  readonly appName: string;
  /** Of the app, for people without one. */
  readonly timezone: string;
  readonly email: EmailSender;
  /** Whether opens and clicks of mails are looked for. */
  readonly isTracked: boolean;
  /** The parts that the ids of all its sends share; the person is the last 32 bits. */
  readonly sendParts: IdParts;
  readonly acceptedMs: Millis;
  readonly contents: readonly MessageContent[];
  /** Which of the contents each gets; absent where there is one. */
  readonly variants?: Uint8Array;
  readonly people: Uint32Array;
  /** Their records at rest, one behind the other, and where each ends. */
  readonly records: Uint8Array;
  readonly ends: Uint32Array;
}

/** The question of an app's actor what became of its messages; answered by `ResultsReport`. */
export interface PollResults extends ResultsQuery {
  readonly kind: 'dispatch.poll';
  readonly partition: number;
  readonly app: Ordinal;
  readonly channel: ChannelId;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
}

/** A page of it. */
export interface ResultsReport extends Pick<ResultsQuery, 'untilMs' | 'startKey'> {
  readonly kind: 'callback.polled';
  readonly by: number;
  readonly channel: ChannelId;
  readonly answer: LateResults;
}

/** What became of a question that a dispatcher asked. */
export interface DispatchAnswer {
  readonly kind: 'dispatch.answer';
  readonly correlation: number;
  readonly answer: Answer;
}

/** What came of some rows of a wave. */
export interface WaveReport {
  readonly kind: 'dispatch.wave_report';
  readonly by: number;
  readonly channel: ChannelId;
  readonly wave: number;
  /** Ascending. */
  readonly people: Uint32Array;
  /**
   * The different outcomes, without what a provider called the message; `null` is one that was
   * handed back unsent.
   */
  readonly outcomes: readonly (Outcome | null)[];
  /** An index into them for each. */
  readonly codes: Uint8Array;
  /** The device of each (`device-ids.ts`). */
  readonly devices: Uint8Array;
  /** What the provider called each; absent where it called none by a name. */
  readonly providerIds?: readonly string[];
}
