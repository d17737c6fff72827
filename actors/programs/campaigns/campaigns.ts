// The campaigns of one app in memory, in the order of creation. Unfinished ones are also kept
// apart: an app has thousands of finished campaigns, and only the few others use messages and
// segments.

import type { Bytes } from '../../../engine/base/brand.ts';
import { WeighedMap } from '../../weight.ts';
import type { CampaignRecord, CampaignState } from './records.ts';

const finishedStates: ReadonlySet<CampaignState> = new Set(['completed', 'canceled', 'failed']);

export function isFinished({ state }: Pick<CampaignRecord, 'state'>): boolean {
  return finishedStates.has(state);
}

/** An unfinished campaign, and how a sentence names it: `the campaign "Spring" (cmp_…)`. */
interface CampaignUser {
  readonly record: CampaignRecord;
  readonly what: string;
}

export interface CampaignsSnapshot {
  readonly nextNumber: number;
  readonly records: readonly CampaignRecord[];
}

export class Campaigns {
  readonly #byId = new WeighedMap<CampaignRecord>((record) => record);
  readonly #unfinished = new Map<string, CampaignRecord>();
  #nextNumber = 1;

  /** What their records weigh. */
  get bytes(): Bytes {
    return this.#byId.bytes;
  }

  growth(record: CampaignRecord): Bytes {
    return this.#byId.growth(record.id, record);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Higher than any number before, those of deleted campaigns included. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  get(id: string): CampaignRecord | undefined {
    return this.#byId.get(id);
  }

  /** Whether nothing of this campaign may leave now; false without a campaign. */
  isPaused(id: string | undefined): boolean {
    return id !== undefined && this.#byId.get(id)?.state === 'paused';
  }

  /** In the order of creation. */
  records(): Iterable<CampaignRecord> {
    return this.#byId.values();
  }

  /** Drafts, and campaigns that are scheduled, sending or paused. */
  unfinishedRecords(): Iterable<CampaignRecord> {
    return this.#unfinished.values();
  }

  *unfinished(): Generator<CampaignUser> {
    for (const record of this.#unfinished.values())
      yield { record, what: `the campaign "${record.name}" (${record.id})` };
  }

  /** Unfinished campaigns that send this saved message, in any variant. */
  usersOf(messageId: string): readonly CampaignUser[] {
    return [...this.unfinished()].filter(
      ({ record }) =>
        record.messageId === messageId ||
        record.variants?.some((variant) => variant.messageId === messageId),
    );
  }

  usersOfSegment(segmentId: string): readonly CampaignUser[] {
    return [...this.unfinished()].filter(({ record }) => record.segmentId === segmentId);
  }

  usersOfTopic(key: string): readonly CampaignUser[] {
    return [...this.unfinished()].filter(({ record }) => record.topic === key);
  }

  save(record: CampaignRecord): void {
    // A record that is replaced keeps its place in the order.
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

  /** Checkpoints older than campaigns have none. */
  static restore(from: CampaignsSnapshot | undefined): Campaigns {
    const campaigns = new Campaigns();
    for (const record of from?.records ?? []) campaigns.save(record);
    campaigns.#nextNumber = from?.nextNumber ?? 1;
    return campaigns;
  }
}
