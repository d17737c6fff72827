// What the log of a world tells of sends, people and apps: plain facts, kept by its audit and read
// by whoever checks.

import type { SubscriberRow } from '../../storage/tables/subscriber.ts';

/** One device of a send, as the log tells it. */
export interface TargetFact {
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: string;
  state: 'due' | 'started' | 'waiting' | 'done' | 'forgotten';
  attempts: number;
  /** Starts in all, handed-back and uncounted ones too: each may make one call. */
  starts: number;
  dueMs: number;
  /** Its newest call had no answer: the provider may have it. */
  mayBeTaken?: boolean;
  /** The newest receipt. */
  status: string | undefined;
  redriven: boolean;
  /** What its last attempt ended with, before anything was told of it later. */
  answered?: string | undefined;
  /** Its provider has told of it, apart from answering calls. */
  told?: true;
  /** It had failed for good at some time: providers heard of it, whatever became of it since. */
  hasFailed?: boolean;
}

/** One accepted send, as the log tells it. */
export interface SendFact {
  readonly id: string;
  readonly app: number;
  readonly person: number;
  readonly atMs: number;
  readonly claim: string | undefined;
  readonly targets: readonly TargetFact[];
  /** What an entry's indexes point into: all targets, or after a redrive the redriven ones. */
  job: readonly TargetFact[];
  /** Or a journey's: it has no record of its own, and is no send that anybody asked for. */
  readonly isCampaign?: true;
}

/** A person's record as a turn left it; `undefined` for one that is gone. */
export interface WrittenPerson {
  readonly owner: number;
  readonly person: number;
  readonly row: SubscriberRow | undefined;
}

/** One app, as the log tells it. */
export interface AppFact {
  readonly ordinal: number;
  readonly org: number;
  readonly suppressed: Set<string>;
  /** Have opted out of marketing alone. */
  readonly noMarketing: Set<string>;
  /** The default of each topic, by key. */
  readonly topics: Map<string, string>;
  readonly people: Map<number, string | null>;
  /** Everybody's newest record. */
  readonly rows: Map<number, SubscriberRow>;
  /** Event rows stored, by `name|external id`. */
  readonly events: Map<string, number>;
  readonly eventIds: Map<string, number>;
  nextEvent: number;
  deleted: boolean;
}
