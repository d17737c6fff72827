// The entries of journeys. People who moved alike share a packed move, so that a burst of
// enrollments takes a few bytes per person. `facts.ts` derives events from the entry alone.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { DeviceColumns } from '../../people/audience/device-columns.ts';
import type { WalkResult } from './advance.ts';
import type { JourneyRecord } from './records.ts';

/** One walk of a person, from where they waited or from the start. */
export interface Move extends WalkResult {
  readonly enrolls?: true;
}

export type JourneysEntry =
  /**
   * `awaited`: existing members of the segment, to enroll later; as `Bitset.snapshot` writes.
   * `replaces`: the journey whose place it takes. That one is saved after it, in the same decision.
   */
  | (Entry & {
      readonly kind: 'journey.saved';
      readonly journey: JourneyRecord;
      readonly awaited?: Uint8Array;
      readonly replaces?: string;
    })
  | (Entry & { readonly kind: 'journey.deleted'; readonly id: string })
  /** More people to enroll than one turn can. Packed. */
  | (Entry & {
      readonly kind: 'journey.awaited';
      readonly journeyId: string;
      readonly people: Uint8Array;
    })
  /** People that events without a key or proof enrolled in the hour of `atMs`. Packed. */
  | (Entry & {
      readonly kind: 'journey.triggered';
      readonly journeyId: string;
      readonly atMs: Millis;
      readonly people: Uint8Array;
    })
  /** People enrolled, woke, or converted. */
  | (Entry & {
      readonly kind: 'journey.moved';
      readonly journeyId: string;
      readonly atMs: Millis;
      /** Packed, ascending. */
      readonly people: Uint8Array;
      readonly moves: readonly Move[];
      /** An index into `moves` per person; absent if all took the first. */
      readonly codes?: Uint8Array;
      /** Absent without sends. Ordered by person, then by step. */
      readonly sends?: DeviceColumns;
      readonly firstSend: number;
      /** Ids of its sends name journey and step; absent in entries of earlier builds. */
      readonly namesSteps?: true;
      firstEvent: number;
      /** People no longer awaited, enrolled or not. Packed. */
      readonly passed?: Uint8Array;
    })
  /** Runs held by a restore go on, in these journeys. */
  | (Entry & { readonly kind: 'journeys.released'; readonly ids: readonly string[] });

export type RunsMoved = Extract<JourneysEntry, { readonly kind: 'journey.moved' }>;
