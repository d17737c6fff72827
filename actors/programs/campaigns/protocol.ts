// The messages of campaigns. Entries are in `entries.ts`, since dispatch and log readers need only
// those.

import type { Message } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { CountedTimes } from '../../audiences/segments/protocol.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { CountedPage, OrderedPage, Page } from '../../people/audience/protocol.ts';
import type { ScarceRoom } from '../../sending/gate/verdict.ts';
import type { WarmUpPlaced } from '../../sending/warm-up/forecast.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { WarningsOfCall } from '../field-warnings.ts';
import type { ChannelFunnel, Funnel } from './funnel.ts';
import type { Lift } from './lift.ts';
import type { CampaignLinks } from './link-tally.ts';
import type { Rates } from './rates.ts';
import type { CampaignRecord, CampaignSpec, CampaignState } from './records.ts';
import { type PersonOutcome, personOutcomes } from './tally.ts';

/** `filter` is checked by the actor, which knows how long the app keeps events. */
export type CampaignInput = Partial<Omit<CampaignSpec, 'filter'>> & { readonly filter?: unknown };

/** Replaces the fields in `input` and removes those in `removed`. */
export interface CampaignChange {
  readonly input: CampaignInput;
  readonly removed: readonly (keyof CampaignSpec)[];
}

export interface Waiting {
  /** Stable: `quiet_hours`, `throttled`, `daily_cap`, `local_time`, `paused` … */
  readonly reason: string;
  /** The reason as a sentence. */
  readonly text: string;
  readonly untilMs?: Millis;
  /** Of a provider that slowed sends down. */
  readonly sinceMs?: Millis;
  readonly people?: number;
}

/** Progress of an unfinished campaign, in turns: one per person and channel. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Over the last ten seconds. */
  readonly ratePerSecond: number;
  readonly expectedEndMs: Millis | null;
  /** `null` while it moves. */
  readonly waitingFor: Waiting | null;
}

/** People of an audience and who of them reached the goal. */
export interface Group {
  readonly size: number;
  /** `null` if it is not counted: no goal, or no holdout. */
  readonly converted: number | null;
  readonly conversionRate: number | null;
}

/** What a holdout tells of a campaign. */
export interface Comparison {
  readonly holdout: Group;
  /** `null` without a goal or a holdout. */
  readonly treated: Group | null;
  readonly lift: Lift | null;
}

export interface CampaignStats extends Funnel, Comparison {
  readonly campaignId: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly stateReason?: string;
  readonly audience: number;
  /** `null` while the message was sent to nobody. */
  readonly rates: Rates | null;
  readonly devices: Omit<ChannelFunnel, 'suppressed'>;
  readonly byChannel: Readonly<Partial<Record<ChannelId, ChannelFunnel>>>;
  readonly byVariant: Readonly<Record<string, Funnel & Omit<Comparison, 'holdout'>>>;
  /** Newest first, at most a hundred. */
  readonly occurrences: readonly (Funnel &
    Comparison & {
      readonly number: number;
      readonly startedMs: Millis;
      readonly endedMs: Millis | null;
      readonly audience: number;
      /** People whose local hour had passed at the start; sent a day later. */
      readonly nextDay: number;
      readonly winner: string | null;
    })[];
  readonly fallback: {
    readonly eligible: number;
    readonly sent: number;
    /** People it was sent to on no channel, and why; those who reacted meanwhile are in neither. */
    readonly suppressed: number;
    readonly suppressedBy: Readonly<Record<string, number>>;
  };
  /** People by reason. */
  readonly suppressedBy: Readonly<Record<string, number>>;
  /** People by reason. */
  readonly deferredBy: Readonly<Record<string, number>>;
  readonly progress: Progress | null;
}

type Verdict = 'send' | 'defer' | 'suppress' | 'holdout';

/** The verdict on one person. */
export interface PersonVerdict {
  readonly verdict: Verdict;
  /** The channels it would be sent on: bits by catalog index. */
  readonly channels: number;
  readonly reason?: string;
  readonly untilMs?: Millis;
  readonly variant?: string;
  /** On the fallback, if the person does not react. */
  readonly fallback?: FallbackVerdict;
}

export interface FallbackVerdict {
  readonly verdict: 'send' | 'defer' | 'suppress';
  readonly reason?: string;
}

export interface DryRun {
  readonly dryRunId: string;
  readonly atMs: Millis;
  readonly audience: number;
  readonly byChannel: Readonly<Partial<Record<ChannelId, number>>>;
  readonly byVariant: Readonly<Record<string, number>>;
  readonly wouldSend: number;
  readonly wouldSuppress: Readonly<Record<string, number>>;
  readonly wouldDefer: Readonly<Record<string, number>>;
  readonly holdout: number;
  /** People of the audience that nobody has vouched for. */
  readonly unvouched: number;
  /** What the fallback would do if nobody reacted; `null` without one. */
  readonly fallback: Pick<DryRun, 'wouldSend' | 'wouldSuppress' | 'wouldDefer'> | null;
  /** How a sender domain that warms up spreads the emails; `null` if it does not. */
  readonly warmUp: WarmUpSpread | null;
  readonly warnings: readonly DryRunWarning[];
  readonly sampled: readonly DryRunPerson[];
  readonly expiresMs: Millis;
}

/** Emails over days, as if the campaign had the domain's room for itself. */
export interface WarmUpSpread {
  readonly domain: string;
  readonly today: number;
  /** On the days after. */
  readonly later: number;
  /** How many days after today it takes. */
  readonly days: number;
}

/** What the tenant should know of the audience, before they send. */
export interface DryRunWarning {
  readonly code: 'keyless_events' | 'fallback_capped' | 'did_you_mean';
  readonly message: string;
}

export interface DryRunPerson {
  readonly subscriberId: string;
  readonly externalUserId?: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly channels: readonly ChannelId[];
  readonly variant?: string;
  readonly untilMs?: Millis;
  readonly fallback?: FallbackVerdict;
}

export interface DryRunBegun {
  readonly dryRunId: string;
  readonly atMs: Millis;
  /** As `Bitset.snapshot` writes. */
  readonly audience: Uint8Array;
  readonly room: ScarceRoom;
  /** Absent if no sender domain is warming up. */
  readonly warmUp?: WarmUpPlaced;
  readonly unvouched: number;
  readonly warnings: readonly DryRunWarning[];
}

/** What a list of recipients may be narrowed to. */
export const recipientOutcomes = [
  ...personOutcomes,
  'opened',
  'clicked',
  'converted',
  'unsubscribed',
  'complained',
  'holdout',
] as const;
export type RecipientFilter = (typeof recipientOutcomes)[number];

export interface CampaignRecipient extends Omit<PersonOutcome, 'outcome'> {
  readonly subscriberId: string;
  readonly externalUserId?: string;
  readonly outcome: PersonOutcome['outcome'] | 'holdout';
  readonly variant?: string;
  readonly occurrence: number;
}

/** A draft's answer also tells what is doubtful about it (`fallback-caps.ts`); not stored. */
export type AdvisedCampaign = CampaignRecord & {
  readonly advice?: readonly { readonly field: string; readonly warning: string }[];
};

/** To the front: its guard has stopped a campaign, and its owners are to be mailed. */
export interface CampaignGuarded extends Message {
  readonly kind: 'campaign.guarded';
  readonly org: Ordinal;
  readonly appId: string;
  readonly campaignId: string;
  /** Why, and what to mend. */
  readonly text: string;
}

export interface CampaignsProtocol {
  'campaign.create': {
    body: Caller & { input: CampaignInput; doubts?: WarningsOfCall };
    reply: AdvisedCampaign;
  };
  /** A draft with the same choices, under the name `Copy of …`, or the one given. */
  'campaign.duplicate': { body: Caller & { id: string; name?: string }; reply: AdvisedCampaign };
  'campaign.read': { body: Caller & { id: string }; reply: AdvisedCampaign };
  'campaign.update': {
    body: Caller & { id: string; change: CampaignChange; doubts?: WarningsOfCall };
    reply: AdvisedCampaign;
  };
  'campaign.delete': { body: Caller & { id: string }; reply: null };
  'campaign.list': {
    body: Caller & {
      state?: CampaignState;
      /** Without it: none that was archived. */
      archived?: 'only' | 'all';
      /** Part of the name, in any case. */
      q?: string;
      createdFromMs?: Millis;
      createdToMs?: Millis;
    } & OrderedPage;
    reply: CountedPage<AdvisedCampaign>;
  };
  'campaign.send': {
    body: Caller & {
      id: string;
      dryRunId?: string;
      tolerance?: number;
      confirmWarnings?: boolean;
      /** It begins after so long at the earliest, and can be unscheduled until then. */
      delayMs?: Millis;
      times?: CountedTimes;
    };
    reply: CampaignRecord;
  };
  /** Back to a draft. What was sent before stays in its stats. */
  'campaign.unschedule': { body: Caller & { id: string }; reply: AdvisedCampaign };
  'campaign.archive': { body: Caller & { id: string }; reply: AdvisedCampaign };
  'campaign.unarchive': { body: Caller & { id: string }; reply: AdvisedCampaign };
  'campaign.pause': { body: Caller & { id: string }; reply: CampaignRecord };
  'campaign.resume': { body: Caller & { id: string }; reply: CampaignRecord };
  'campaign.cancel': { body: Caller & { id: string }; reply: CampaignRecord };
  /** Answered by the host, with the four messages below. */
  'campaign.dry_run': { body: Caller & { id: string }; reply: DryRun };
  'dry_run.begin': { body: Caller & { id: string; times?: CountedTimes }; reply: DryRunBegun };
  /** `next: null` after the last slice. */
  'dry_run.slice': {
    body: Caller & DryRunBegun & { id: string; part: number; from: PersonOrdinal };
    reply: {
      next: PersonOrdinal | null;
      room: ScarceRoom;
      warmUp?: WarmUpPlaced;
      counts: readonly (readonly [PersonVerdict, number])[];
    };
  };
  'dry_run.end': {
    body: Caller & Omit<DryRunBegun, 'room'> & { id: string; parts: number };
    reply: null;
  };
  /** In the order of ordinals; `verdict` filters. */
  'dry_run.people': {
    body: Caller & {
      id: string;
      dryRunId: string;
      verdict?: Verdict;
      limit: number;
      cursor?: string;
    };
    reply: Page<DryRunPerson>;
  };
  'campaign.stats': { body: Caller & { ids: readonly string[] }; reply: readonly CampaignStats[] };
  /** In the order of ordinals, of one occurrence: the newest unless named. */
  'campaign.recipients': {
    body: Caller & {
      id: string;
      outcome?: RecipientFilter;
      variant?: string;
      occurrence?: number;
      limit: number;
      cursor?: string;
    };
    reply: CountedPage<CampaignRecipient>;
  };
  'campaign.links': { body: Caller & { id: string }; reply: CampaignLinks };
  /** A page of campaigns, each with its stats of the same instant. */
  'campaign.export': {
    body: Caller & { limit: number; cursor?: string };
    reply: Page<readonly [CampaignRecord, CampaignStats]>;
  };
}
