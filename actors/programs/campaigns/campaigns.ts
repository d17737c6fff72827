// The campaigns of one app in memory, in the order they were made, and the number that the next one
// gets. What a reader would get wrong: an app keeps thousands that are over and a few that are not,
// and only those few use messages, segments and filters. So they are also kept apart, and whoever
// asks for users never walks the rest.

import type { CampaignRecord, CampaignState } from './records.ts';

const finishedStates: ReadonlySet<CampaignState> = new Set(['completed', 'canceled', 'failed']);

/** Whether a campaign is over for good. */
export function isFinished({ state }: Pick<CampaignRecord, 'state'>): boolean {
  return finishedStates.has(state);
}

/**
 * A campaign that uses something, and in words that can begin a sentence: `the campaign "Spring"
 * (cmp_…)`.
 */
interface CampaignUser {
  readonly record: CampaignRecord;
  readonly what: string;
}

export interface CampaignsSnapshot {
  readonly nextNumber: number;
  readonly records: readonly CampaignRecord[];
}

/** See the head of this file. */
export class Campaigns {
  readonly #byId = new Map<string, CampaignRecord>();
  readonly #unfinished = new Map<string, CampaignRecord>();
  #nextNumber = 1;

  get size(): number {
    return this.#byId.size;
  }

  /** What the next campaign is numbered; higher than that of any before, deleted ones included. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get(id: string): CampaignRecord | undefined {
    return this.#byId.get(id);
  }

  /** Whether nothing of this campaign may leave now; of no campaign everything may. */
  isPaused(id: string | undefined): boolean {
    return id !== undefined && this.#byId.get(id)?.state === 'paused';
  }

  /** All of them, in the order they were made. */
  records(): Iterable<CampaignRecord> {
    return this.#byId.values();
  }

  /** Drafts, and those that are scheduled, under way or paused: for who asks in every turn. */
  unfinishedRecords(): Iterable<CampaignRecord> {
    return this.#unfinished.values();
  }

  /** The same, with their words. */
  *unfinished(): Generator<CampaignUser> {
    for (const record of this.#unfinished.values())
      yield { record, what: `the campaign "${record.name}" (${record.id})` };
  }

  /** Unfinished campaigns that send this saved message, to all or to a variant. */
  usersOf(messageId: string): readonly CampaignUser[] {
    return [...this.unfinished()].filter(
      ({ record }) =>
        record.messageId === messageId ||
        record.variants?.some((variant) => variant.messageId === messageId),
    );
  }

  /** Unfinished campaigns whose audience is this segment. */
  usersOfSegment(segmentId: string): readonly CampaignUser[] {
    return [...this.unfinished()].filter(({ record }) => record.segmentId === segmentId);
  }

  save(record: CampaignRecord): void {
    // The place in the order stays.
    this.#byId.set(record.id, record);
    if (isFinished(record)) this.#unfinished.delete(record.id);
    else this.#unfinished.set(record.id, record);
    this.#nextNumber = Math.max(this.#nextNumber, record.number + 1);
  }

  delete(id: string): void {
    this.#byId.delete(id);
    this.#unfinished.delete(id);
  }

  snapshot(): CampaignsSnapshot {
    return { nextNumber: this.#nextNumber, records: [...this.#byId.values()] };
  }

  /** Older checkpoints have no campaigns. */
  static restore(from: CampaignsSnapshot | undefined): Campaigns {
    const campaigns = new Campaigns();
    for (const record of from?.records ?? []) campaigns.save(record);
    campaigns.#nextNumber = from?.nextNumber ?? 1;
    return campaigns;
  }
}
