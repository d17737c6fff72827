// When to poll a provider that reports nothing by itself: a minute after a send, then ten minutes,
// then an hour, for all sends of the app at once. Only the first send of a stretch sets the poll,
// so a million sends cost one row and three timers.

import type { DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { type ResultPollRow, resultPolls } from '../../../storage/tables/result-poll.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { readableRow } from '../../readable-row.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import { AwaitedResults, type AwaitedText } from './awaited-results.ts';
import type { SettlementContext } from './settlement-effects.ts';
import { resultsPollTimer } from './timers.ts';

/** Waits between polls while nothing more is sent. */
export const pollWaitsMs: readonly Millis[] = [minuteMs, 10 * minuteMs, hourMs];
/** Overlap of a poll with the one before: clocks differ. */
export const pollOverlapMs: Millis = 2 * minuteMs;

export class ResultPolls {
  readonly #context: SettlementContext;
  readonly #channels = new Set<ChannelId>();

  readonly #texts: AwaitedResults;

  constructor(app: RelaysReads, context: SettlementContext) {
    this.#context = context;
    this.#texts = new AwaitedResults(app, context);
  }

  sent(channel: ChannelId): void {
    if (catalog[channel].isPolled) this.#channels.add(channel);
  }

  /** Whether the outcome of what leaves by a relay is asked for, message by message. */
  asksOf(relay: string | undefined): relay is string {
    return relay !== undefined && this.#texts.isAsked(relay);
  }

  accepted(message: AwaitedText): void {
    this.#texts.accepted(message);
  }

  documents(): readonly DocumentWrite[] {
    const polls = this.#changes().map(([channel, value]) => ({
      ...{ table: resultPolls, key: [channel], value },
    }));
    return [...polls, ...this.#texts.documents()];
  }

  timers(): readonly Entry[] {
    const { owner } = this.#context;
    const polls = this.#changes()
      .filter(([, row]) => row.asking === undefined)
      .map(([channel, { dueMs }]) => resultsPollTimer(owner, channel, dueMs));
    return [...polls, ...this.#texts.timers()];
  }

  #changes(): (readonly [ChannelId, ResultPollRow])[] {
    const { documents, nowMs } = this.#context;
    return [...this.#channels].flatMap((channel) => {
      const before = readableRow(documents, resultPolls, [channel]);
      const after = afterSend(before, nowMs);
      return after === before ? [] : [[channel, after] as const];
    });
  }
}

/** The poll's row after a send; the same object if it is set already. */
function afterSend(before: ResultPollRow | undefined, nowMs: Millis): ResultPollRow {
  const dueMs = nowMs + (pollWaitsMs[0] as Millis);
  if (before === undefined) {
    const sinceMs = nowMs - pollOverlapMs;
    return { sinceMs, pass: 0, dueMs, failures: 0 };
  }
  // A poll in progress may have passed this send: the next one starts as the first.
  if (before.asking !== undefined) return before.pass === -1 ? before : { ...before, pass: -1 };
  if (before.pass === 0 && before.dueMs <= dueMs) return before;
  return { ...before, pass: 0, dueMs: Math.min(before.dueMs, dueMs) };
}
