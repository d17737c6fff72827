// What callbacks see of a partition's memory.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { SeenEventIds } from '../../events/reads.ts';
import type { SendsMemory, SendsView } from '../transactional/view.ts';

/** Of an app. */
export type CallbacksView = SendsView & MarketingSends;

/** Of a partition. */
export type CallbacksMemory = Omit<SendsMemory, 'apps'> & AppsOf<CallbacksView> & SeenEventIds;

/** Whose sends marketing's are; campaigns and journeys lie in a house below. */
interface MarketingSends {
  readonly sending: {
    readonly waves: ReadonlyMap<number, WaveUnderWay>;
    begunAt(startedMs: Millis): readonly {
      readonly campaignId: string;
      readonly occurrence: {
        readonly number: number;
        readonly tally: {
          has(person: PersonOrdinal, step: 'sent' | 'delivered' | 'failed'): boolean;
        };
      };
    }[];
  };
  readonly journeys: { readonly nextSend: number };
}

interface WaveUnderWay {
  readonly campaignId: string;
  readonly occurrence: number;
  readonly channel: number;
  find(person: PersonOrdinal): number;
}
