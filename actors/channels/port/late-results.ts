// Delivery results polled from a provider: a page of messages that changed in a period.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Failure } from './outcome.ts';

export interface ResultsQuery {
  readonly sinceMs: Millis;
  readonly untilMs: Millis;
  /** The start of the page; `null` for the first. */
  readonly startKey: string | null;
}

export interface LateResult {
  readonly sendId: string;
  readonly deviceId: string;
  readonly address: string;
  /** Absent if the message was delivered. */
  readonly failed?: { readonly reason: string; readonly effect: 'none' | 'opted_out' | 'dead' };
}

export type LateResults =
  | {
      readonly state: 'read';
      readonly results: readonly LateResult[];
      /** The start of the next page; `null` at the end. */
      readonly nextKey: string | null;
    }
  | { readonly state: 'failed'; readonly failure: Failure };
