// What callbacks see of a partition's memory. They keep nothing in it but ids that they have seen.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Aged, AppsOf } from '../../area.ts';
import type { SeenEventIds, SeenEventIdsFolds } from '../../events/reads.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import type { Sender } from '../mailboxes/figures.ts';
import type { SendsMemory, SendsView } from '../outbox/reads.ts';

export type CallbacksView = SendsView & MarketingSends & RelaysReads;

export type CallbacksMemory = Omit<SendsMemory, 'apps'> &
  AppsOf<CallbacksView> &
  SeenEventIds &
  SeenEventIdsFolds &
  Aged;

/** Marketing sends; campaigns and journeys belong to a later house. */
interface MarketingSends {
  readonly sending: {
    readonly waves: ReadonlyMap<number, WaveInFlight>;
    begunAt(startedMs: Millis): readonly {
      readonly campaignId: string;
      readonly occurrence: {
        readonly number: number;
        readonly tally: {
          has(person: PersonOrdinal, step: 'sent' | 'delivered' | 'failed'): boolean;
          awaits(person: PersonOrdinal): boolean;
        };
      };
    }[];
    sendNamed(sendId: string, campaigns: CampaignRecords): MarketingSend | undefined;
    senderOf(sendId: string, campaigns: CampaignRecords): Sender | undefined;
    newestTo(
      person: PersonOrdinal,
      channel: number,
      within: Readonly<Record<'sinceMs' | 'untilMs', Millis>>,
      campaigns: CampaignRecords,
    ): { readonly startedMs: Millis; readonly number: number } | undefined;
  };
  readonly journeys: {
    readonly nextSend: number;
    readonly nextNumber: number;
    awaits(sendId: string, person: PersonOrdinal): boolean;
    sendNamed(sendId: string): MarketingSend | undefined;
    senderOf(sendId: string, person: PersonOrdinal): Sender | undefined;
  };
}

/** What events about a send refer to. */
interface MarketingSend {
  readonly campaignId?: string;
  readonly journeyId?: string;
  readonly messageId?: string;
  readonly variant?: string;
}

/** The app's campaigns, as `sendNamed` reads them. */
type CampaignRecords = { get(id: string): object | undefined };

interface WaveInFlight {
  readonly campaignId: string;
  readonly occurrence: number;
  readonly channel: number;
  find(person: PersonOrdinal): number;
}

/** What is known of a marketing send by its id; nothing of others. */
export function marketingSend(
  { sending, campaigns, journeys }: CallbacksView,
  sendId: string,
): MarketingSend {
  return sending.sendNamed(sendId, campaigns) ?? journeys.sendNamed(sendId) ?? {};
}
