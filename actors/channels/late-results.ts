// What a provider says when it is asked what became of messages: a page of those that changed in a
// stretch of time, as far as anything is known of them.

import type { Millis } from '../../engine/base/brand.ts';
import type { Failure } from './outcome.ts';

/** A page of what changed from one instant to another. */
export interface ResultsQuery {
  readonly sinceMs: Millis;
  readonly untilMs: Millis;
  /** Where the page begins; `null` for the first. */
  readonly startKey: string | null;
}

/** What became of one message to one device. */
export interface LateResult {
  readonly sendId: string;
  readonly deviceId: string;
  /** Where it was sent. */
  readonly address: string;
  /** Absent where it arrived. */
  readonly failed?: { readonly reason: string; readonly effect: 'none' | 'opted_out' | 'dead' };
}

export type LateResults =
  | {
      readonly state: 'read';
      readonly results: readonly LateResult[];
      /** Where the next page begins; `null` at the end. */
      readonly nextKey: string | null;
    }
  | { readonly state: 'failed'; readonly failure: Failure };
