// How many people of campaigns may be in flight on a channel of an app. Enough that dispatch never
// waits for a commit, but no more: what is in flight when the process dies may be sent twice. The
// window doubles while waves return fast and halves when they are slow or refused. In memory only:
// every start begins with the smallest window.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { WaveReport } from '../../sending/dispatch/protocol.ts';
import { callsOnAccount, channelsOfAccount } from '../../sending/outbox/account-calls.ts';
import { bulkCount, hasExpress } from '../../sending/outbox/channel-queue.ts';
import { isCircuitOpen } from '../../sending/outbox/circuit.ts';
import type { CampaignsView } from './memory.ts';
import type { Wave } from './wave.ts';
import type { RelayNow } from './wave-relays.ts';

/** A wave back within this time left dispatch idle. */
const quickMs: Millis = 100;
const slowMs: Millis = 1_000;

export class BulkWindows {
  readonly #rows = new Map<string, number>();

  /** How many more people may be handed out. */
  roomOn(
    app: CampaignsView,
    channel: ChannelId,
    nowMs: Millis,
    relay: RelayNow | undefined,
  ): number {
    const { record, sending, outbox } = app;
    const queue = outbox.channels.get(channel);
    const out = sending.rowsOn[channelIds.indexOf(channel)] ?? 0;
    if (relay !== undefined) {
      if (relay.way === undefined) return 0;
      if (relay.way.probes === true) return 1;
    } else {
      if (queue !== undefined && queue.pausedUntilMs > nowMs) return 0;
      // While the circuit is open, sends of the outbox probe it; if there are none, one person
      // does.
      if (queue !== undefined && isCircuitOpen(queue)) return isQuiet(app, channel) ? 1 : 0;
    }
    // Sends to people with several devices go through the outbox and queue there.
    const lined = queue === undefined ? 0 : bulkCount(queue);
    // Rate-limited rows return at once and wait in the outbox, which must not take all of them.
    const spare = limits.outboxCampaignsMax - outbox.openOn(channel) - out;
    return Math.min(this.#of(record.ordinal, channel) - out - lined, spare);
  }

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

/** Whether nothing of the account is in flight, nor a single send ready. */
function isQuiet(app: CampaignsView, channel: ChannelId): boolean {
  if (callsOnAccount(app, channel) > 0) return false;
  return channelsOfAccount(channel).every((id) => {
    const queue = app.outbox.channels.get(id);
    return queue === undefined || (!hasExpress(queue) && bulkCount(queue) === 0);
  });
}

function rowsMax(channel: ChannelId): number {
  return catalog[channel].onAmbiguous.bulk === 'resend'
    ? limits.waveRowsMax
    : limits.waveRowsPaidMax;
}
