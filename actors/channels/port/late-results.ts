// Delivery results polled from a provider: a page of messages that changed in a period, or the
// answers about messages that are asked for one by one.

import type { Millis } from '../../../engine/base/brand.ts';
import type { DeliveryReport } from './delivery-report.ts';
import type { OpenRelay } from './open-relay.ts';
import type { Failure } from './outcome.ts';

export interface ResultsQuery {
  readonly sinceMs: Millis;
  readonly untilMs: Millis;
  /** The start of the page; `null` for the first. */
  readonly startKey: string | null;
  /** Asks a gateway instead, about these messages alone. */
  readonly asked?: AskedResults;
}

export interface AskedResults {
  readonly relay: OpenRelay;
  readonly messages: readonly AskedMessage[];
}

export interface AskedMessage {
  readonly sendId: string;
  readonly deviceId: string;
  /** The gateway's id of it; absent where it gave none. */
  readonly name?: string;
  /** When it was due: with its ids the key of its row. */
  readonly dueMs: Millis;
}

export interface LateResult {
  readonly sendId: string;
  readonly deviceId: string;
  readonly address: string;
  /** Absent if the message was delivered. */
  readonly failed?: { readonly reason: string; readonly effect: 'none' | 'opted_out' | 'dead' };
}

/** What a gateway says of a message; without `news` it says nothing that its rules know. */
export interface ToldResult {
  readonly message: AskedMessage;
  readonly news?: DeliveryReport;
}

export type LateResults =
  | {
      readonly state: 'read';
      readonly results: readonly LateResult[];
      /** The start of the next page; `null` at the end. */
      readonly nextKey: string | null;
    }
  /** To `asked`. `failure`: why the others were not asked, or got no answer. */
  | {
      readonly state: 'told';
      readonly told: readonly ToldResult[];
      readonly failure?: Failure;
    }
  | { readonly state: 'failed'; readonly failure: Failure };
