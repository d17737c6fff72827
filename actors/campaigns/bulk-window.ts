// How many people of campaigns may be in flight on a channel of an app. Enough that dispatch never waits for a commit, and no
// more: what is in flight when the process is killed is what may be sent twice. So it doubles while waves come back at once,
// and halves when they take long or come back unsent. Derived from what happens, never written down: a start begins small.

import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import { type ChannelId, catalog, channelIds } from '../channels/catalog.ts';
import type { WaveReport } from '../dispatch/protocol.ts';
import { limits } from '../limits.ts';
import type { AppState } from '../state.ts';
import type { Wave } from './wave.ts';

/** A wave that is back within this time was waited for. */
const quickMs: Millis = 100;
const slowMs: Millis = 1_000;

export class BulkWindows {
  readonly #rows = new Map<string, number>();

  /** How many more may be handed out. */
  roomOn({ record, sending, outbox }: AppState, channel: ChannelId, nowMs: Millis): number {
    const queue = outbox.channels.get(channel);
    // People with several devices wait in the outbox, and count as much: whoever is handed out is not held by a pause.
    const due = queue === undefined ? 0 : queue.bulkReady.length - queue.bulkHead;
    const rows = due + (sending.rowsOn[channelIds.indexOf(channel)] ?? 0);
    if (queue !== undefined && queue.pausedUntilMs > nowMs) return 0;
    // While the circuit is open, one at a time finds out whether it may close: it may be that nobody else is left to.
    if (queue !== undefined && queue.configFailures > 0) return rows + queue.inFlight === 0 ? 1 : 0;
    return this.#of(record.ordinal, channel) - rows;
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

function rowsMax(channel: ChannelId): number {
  return catalog[channel].onAmbiguous.bulk === 'resend'
    ? limits.waveRowsMax
    : limits.waveRowsPaidMax;
}
