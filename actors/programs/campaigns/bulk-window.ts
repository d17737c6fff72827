// How many people of campaigns may be in flight on a channel of an app. Enough that dispatch never
// waits for a commit, and no more: what is in flight when the process is killed is what may be sent
// twice. So it doubles while waves come back at once, and halves when they take long or come back
// unsent. Derived from what happens, never written down: a start begins small.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { WaveReport } from '../../sending/dispatch/protocol.ts';
import type { ChannelQueue } from '../../sending/transactional/channel-queue.ts';
import type { CampaignsView } from './view.ts';
import type { Wave } from './wave.ts';

/** A wave that is back within this time was waited for. */
const quickMs: Millis = 100;
const slowMs: Millis = 1_000;

export class BulkWindows {
  readonly #rows = new Map<string, number>();

  /** How many more may be handed out. */
  roomOn({ record, sending, outbox }: CampaignsView, channel: ChannelId, nowMs: Millis): number {
    const queue = outbox.channels.get(channel);
    const out = sending.rowsOn[channelIds.indexOf(channel)] ?? 0;
    if (queue !== undefined && queue.pausedUntilMs > nowMs) return 0;
    // While the circuit is open, sends of the outbox find out when it may close; where none is
    // left, one person does.
    if (queue !== undefined && queue.configFailures > 0) return isQuiet(queue) && out === 0 ? 1 : 0;
    // Sends of people with several devices go through the outbox, and wait there for calls to end.
    const lined = queue === undefined ? 0 : queue.bulkReady.length - queue.bulkHead;
    // What a provider refuses for now comes back at once and waits in the outbox: that has an end,
    // or all would end up there.
    const spare = limits.outboxCampaignsMax - outbox.openOn(channel) - out;
    return Math.min(this.#of(record.ordinal, channel) - out - lined, spare);
  }

  /** A report of a wave came. */
  reported(owner: Ordinal, wave: Wave, report: WaveReport, nowMs: Millis): void {
    const { channel } = report;
    const rows = this.#of(owner, channel);
    const tookMs = nowMs - wave.atMs;
    const isRefused = report.outcomes.some((one) => one === null || one.outcome === 'rate');
    const isBack = wave.open <= report.people.length;
    if (isRefused || tookMs > slowMs)
      this.#set(owner, channel, Math.max(limits.waveRowsMin, rows / 2));
    else if (isBack && tookMs <= quickMs && wave.people.length * 4 >= rows)
      this.#set(owner, channel, Math.min(rowsMax(channel), rows * 2));
  }

  #of(owner: Ordinal, channel: ChannelId): number {
    return this.#rows.get(`${owner}|${channel}`) ?? limits.waveRowsMin;
  }

  #set(owner: Ordinal, channel: ChannelId, rows: number): void {
    this.#rows.set(`${owner}|${channel}`, Math.floor(rows));
  }
}

/** Nothing of single sends is under way or could be. */
function isQuiet({ ready, head, bulkReady, bulkHead, inFlight }: ChannelQueue): boolean {
  return inFlight === 0 && head === ready.length && bulkHead === bulkReady.length;
}

function rowsMax(channel: ChannelId): number {
  return catalog[channel].onAmbiguous.bulk === 'resend'
    ? limits.waveRowsMax
    : limits.waveRowsPaidMax;
}
