// Whether a campaign must pause itself: too many of its latest emails bounced, were reported as
// spam, or were refused because of the sender. A fold. Only email counts: dead push tokens after an
// app was installed anew, or numbers without WhatsApp, say nothing against the sender.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { senderRefusals } from '../../channels/email/sender-refusals.ts';
import type { Receipt } from '../../sending/outbox/records.ts';
import type { GuardBounds } from '../../tenants/accounts/campaign-guard.ts';
import { LatestResults, type LatestResultsSnapshot } from './latest-results.ts';

export const guardReasons = ['guard_bounces', 'guard_complaints', 'guard_sender_refused'] as const;
export type GuardReason = (typeof guardReasons)[number];

/** `count` of the latest `of` were bad. */
export interface GuardStop {
  readonly reason: GuardReason;
  readonly count: number;
  readonly of: number;
}

export interface GuardSnapshot {
  readonly calls: LatestResultsSnapshot;
  readonly deliveries: LatestResultsSnapshot;
  readonly refusedInARow: number;
  /** Who was sent to since a resume; absent before the first. */
  readonly since?: Uint8Array;
}

const bounce = 1;
const refusal = 2;
const complaint = 1;
const refused: ReadonlySet<string> = new Set(senderRefusals);

export class Guard {
  #calls = new LatestResults();
  #deliveries = new LatestResults();
  #refusedInARow = 0;
  #since: Bitset | undefined;

  get isUsed(): boolean {
    return this.#calls.length > 0 || this.#refusedInARow > 0 || this.#since !== undefined;
  }

  /** The result of a call. What failed says nothing; what was suppressed was no call. */
  ended(channel: ChannelId, person: PersonOrdinal, status: Receipt['status'], reason = ''): void {
    if (channel !== 'email' || status === 'suppressed') return;
    const isAccepted = status === 'delivered' || status === 'accepted';
    const isRefusal = !isAccepted && refused.has(reason);
    if (status === 'failed' && !isRefusal) return;
    this.#since?.set(person);
    this.#refusedInARow = isRefusal ? this.#refusedInARow + 1 : 0;
    // Reports of spam are judged against what was accepted: a delivery may be reported after them.
    if (isAccepted) this.#deliveries.push(0);
    this.#calls.push(isRefusal ? refusal : status === 'bounced' ? bounce : 0);
  }

  /** A delivery was taken back. */
  bouncedLate(channel: ChannelId, person: PersonOrdinal, reason = ''): void {
    if (channel === 'email' && this.#isRecent(person))
      this.#calls.turn(refused.has(reason) ? refusal : bounce);
  }

  complained(person: PersonOrdinal): void {
    if (this.#isRecent(person)) this.#deliveries.turn(complaint);
  }

  /** Forgets the results of earlier sends: they would stop the campaign again at once. */
  reset(): void {
    if (!this.isUsed) return;
    this.#calls.clear();
    this.#deliveries.clear();
    this.#refusedInARow = 0;
    this.#since = new Bitset(0);
  }

  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    if (this.#since?.test(from)) this.#since.set(into);
  }

  against(bounds: GuardBounds): GuardStop | undefined {
    const { senderRefusalsInARow, bounceShare, complaintShare } = bounds;
    const row = this.#refusedInARow;
    if (senderRefusalsInARow !== null && row >= senderRefusalsInARow)
      return { reason: 'guard_sender_refused', count: row, of: row };
    const bounces = this.#calls.count(bounce);
    const refusals = this.#calls.count(refusal);
    const calls = { count: bounces + refusals, of: this.#calls.length };
    if (isAbove(calls, bounceShare, bounds.bouncesAfterCalls))
      return { reason: refusals > bounces ? 'guard_sender_refused' : 'guard_bounces', ...calls };
    const reports = { count: this.#deliveries.count(complaint), of: this.#deliveries.length };
    if (isAbove(reports, complaintShare, bounds.complaintsAfterDeliveries))
      return { reason: 'guard_complaints', ...reports };
    return undefined;
  }

  snapshot(): GuardSnapshot {
    return {
      calls: this.#calls.snapshot(),
      deliveries: this.#deliveries.snapshot(),
      refusedInARow: this.#refusedInARow,
      ...(this.#since === undefined ? {} : { since: this.#since.snapshot() }),
    };
  }

  /** Checkpoints of earlier builds have none. */
  static restore(from: GuardSnapshot | undefined): Guard {
    const guard = new Guard();
    if (from === undefined) return guard;
    guard.#calls = LatestResults.restore(from.calls);
    guard.#deliveries = LatestResults.restore(from.deliveries);
    guard.#refusedInARow = from.refusedInARow;
    guard.#since = from.since && Bitset.restore(from.since);
    return guard;
  }

  /** News of a send before the last resume says nothing of what was sent since. */
  #isRecent(person: PersonOrdinal): boolean {
    return this.#since === undefined || this.#since.test(person);
  }
}

function isAbove(
  { count, of }: Pick<GuardStop, 'count' | 'of'>,
  share: number | null,
  after: number,
): boolean {
  return share !== null && of >= after && count / of > share;
}
