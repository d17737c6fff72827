// Messages and entries of bulk changes: the same change of many people, a slice a turn.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { CountedTimes, FilterRef } from '../segments/protocol.ts';

export interface BulkAction {
  /** Values replace, `null` removes. */
  readonly tags?: Readonly<Record<string, TagValue | null>>;
  /** Opts their addresses on these channels out of everything, or of marketing alone. */
  readonly suppress?: {
    readonly channels: readonly ChannelId[];
    readonly reason?: string;
    readonly scope?: 'marketing';
  };
  /** Erases them. Not with another action. */
  readonly delete?: true;
}

/** What became of people; a person counts once. */
export interface BulkCounts {
  /** People looked at, those who were gone meanwhile among them. */
  readonly looked: number;
  readonly changed: number;
  /** People whose record would become too large, or cannot be read. */
  readonly failed: number;
}

export interface BulkChange extends BulkCounts {
  readonly id: string;
  /** Counts up in the app. */
  readonly number: number;
  readonly action: BulkAction;
  /** Only counts. */
  readonly isDry: boolean;
  readonly state: 'running' | 'done';
  readonly matched: number;
  readonly startedMs: Millis;
  readonly updatedMs: Millis;
}

export interface BulkProtocol {
  /** Of those who match now, or of those named, without unknown ones. */
  'bulk.start': {
    body: Caller & {
      asked?: FilterRef;
      times?: CountedTimes;
      people?: readonly PersonRef[];
      action: BulkAction;
      isDry: boolean;
    };
    reply: BulkChange;
  };
  /** The next slice, by a timer. */
  'bulk.slice': { body: Caller & { number: number }; reply: null };
  'bulk.read': { body: Caller & { id: string }; reply: BulkChange };
}

export type BulkEntry =
  | (Entry & {
      readonly kind: 'bulk.started';
      readonly change: BulkChange;
      /** While it runs: a `Bitset.snapshot`, and the first person who is left. */
      readonly members?: Uint8Array;
      readonly from?: PersonOrdinal;
    })
  | (Entry & {
      readonly kind: 'bulk.progressed';
      readonly change: BulkChange;
      readonly from: PersonOrdinal;
    });
