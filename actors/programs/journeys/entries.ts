// The entries of journeys. People who went the same way share it and are packed, so that a storm of
// enrolments is a few bytes a person; readers of the log make the events of it (`facts.ts`), so
// everything an event says is in the entry.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { DeviceColumns } from '../../people/audience/device-columns.ts';
import type { Advanced } from './advance.ts';
import type { JourneyRecord } from './records.ts';

/** How far somebody came, from where they stood; or from the beginning. */
export interface Move extends Advanced {
  readonly enrolls?: true;
}

export type JourneysEntry =
  /**
   * `awaited`: people who were in its segment already and shall enrol, as `Bitset.snapshot` writes.
   */
  | (Entry & {
      readonly kind: 'journey.saved';
      readonly journey: JourneyRecord;
      readonly awaited?: Uint8Array;
    })
  | (Entry & { readonly kind: 'journey.deleted'; readonly id: string })
  /** People who shall enrol, and were more than one turn takes. Packed. */
  | (Entry & {
      readonly kind: 'journey.awaited';
      readonly journeyId: string;
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
      /** An index into `moves` for each person; absent where all went the first way. */
      readonly codes?: Uint8Array;
      /**
       * Absent where nothing was sent. Those of the first person first, each in the order of the
       * walk.
       */
      readonly sends?: DeviceColumns;
      readonly firstSend: number;
      firstEvent: number;
      /** Who is awaited no more, whether they enrolled or not. Packed. */
      readonly passed?: Uint8Array;
    })
  /** Whoever was held by a restore goes on, in these journeys. */
  | (Entry & { readonly kind: 'journeys.released'; readonly ids: readonly string[] });

export type Moved = Extract<JourneysEntry, { readonly kind: 'journey.moved' }>;
