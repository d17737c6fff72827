// What the log says of one app's campaigns, as plain facts: occurrences, whose turns ended how,
// what was handed out, who answered. Kept by `campaign-audit.ts`, recounted by
// `campaign-recount.ts`. People who were merged keep their own facts; only `whole` knows that they
// are one by now.

import type { CampaignRecord } from '../../actors/programs/campaigns/records.ts';
import type { Phase, Turn } from '../../actors/sending/dispatch/entries.ts';
import type { AppSettings } from '../../actors/tenants/accounts/records.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { SendFact } from './log-facts.ts';
import { CapBook } from './naive-policy.ts';

/** One send of a campaign, to one person on one channel. */
interface CampaignSend {
  readonly send: SendFact;
  readonly occurrence: OccurrenceFact;
  readonly phase: Phase;
}

/** One occurrence. */
export interface OccurrenceFact {
  readonly campaignId: string;
  readonly number: number;
  readonly startedMs: Millis;
  readonly audience: ReadonlySet<number>;
  /** Without those held out. */
  readonly targeted: ReadonlySet<number>;
  /** By person: the channels that surely reached them as it began. */
  readonly reachedOn: Map<number, readonly string[]>;
  /** The newest turn of each, by `phase|channel|person`. */
  readonly turns: Map<string, Turn['turn']>;
  /** Devices that were sent it. */
  readonly devices: Set<string>;
  readonly sends: CampaignSend[];
  /** People with a turn that ended in `suppress`. */
  readonly suppressed: Set<number>;
  /**
   * What a goal counts from: when each was first sent it, or its fallback since, in whole seconds.
   */
  readonly sentMs: Map<number, Millis>;
  readonly opened: Set<number>;
  readonly clicked: Set<number>;
  readonly converted: Set<number>;
  /** Of the audience as it was drawn, those whose goal event came in the time of both groups. */
  readonly reachedGoal: Set<number>;
  /** When anyone was last sent it; the start before that. */
  lastSentMs: Millis;
  /** Whom the fallback had to look at, once it began. */
  eligible: Set<number> | undefined;
  endedMs: Millis | undefined;
  isStopped: boolean;
}

/** One campaign. */
export interface CampaignFact {
  record: CampaignRecord;
  readonly occurrences: Map<number, OccurrenceFact>;
}

/** One app's. */
export class AppCampaigns {
  readonly campaigns = new Map<string, CampaignFact>();
  readonly caps = new CapBook();
  readonly sends = new Map<string, CampaignSend>();
  /** Erased, or merged into somebody. */
  readonly gone = new Set<number>();
  readonly #into = new Map<number, number>();
  settings: AppSettings | undefined;
  timezone = 'UTC';

  /** Whether what strangers say of opens, clicks and goals counts. */
  get countsKeyless(): boolean {
    return this.settings?.keylessEvents?.countEngagement ?? true;
  }

  /** Whoever somebody is by now. */
  whole(person: number): number {
    const into = this.#into.get(person);
    return into === undefined ? person : this.whole(into);
  }

  merged(person: number, into: number): void {
    this.#into.set(person, into);
    this.gone.add(person);
  }

  /** Whether somebody was merged, or somebody into them. */
  wasMerged(person: number): boolean {
    return this.#into.has(person) || [...this.#into.values()].includes(person);
  }

  /** Everybody who is one person by now. */
  *same(person: number): Generator<number> {
    const whole = this.whole(person);
    yield whole;
    for (const other of this.#into.keys()) if (this.whole(other) === whole) yield other;
  }

  find(campaignId: string, number: number): OccurrenceFact | undefined {
    return this.campaigns.get(campaignId)?.occurrences.get(number);
  }
}

/**
 * Whether something of a person's send in an occurrence is in flight, and whether a provider heard
 * of any.
 */
export function standingOf(
  app: AppCampaigns,
  occurrence: OccurrenceFact,
  person: number,
): { readonly isOpen: boolean; readonly isHeard: boolean } {
  const whole = app.whole(person);
  const targets = occurrence.sends
    .filter((one) => app.whole(one.send.person) === whole)
    .flatMap(({ send }) => send.targets);
  return {
    isOpen: targets.some(({ state }) => state !== 'done'),
    isHeard: targets.some(
      ({ state, status, hasFailed }) =>
        hasFailed === true || (state === 'done' && status !== 'suppressed'),
    ),
  };
}
