// When a provider that tells nothing by itself is asked what became of messages: a minute after a
// send, then ten minutes, then an hour, for all sends of the app in one go. What a reader would get
// wrong: a send sets nothing of its own. The first of a stretch sets the poll, and those after it
// find it set, so a million of them cost a row and three timers.

import type { DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { type ResultPollRow, resultPolls } from '../../../storage/tables/result-poll.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { SettlementContext } from './aftermath.ts';
import { readableRow } from './read-row.ts';
import { resultsPollTimer } from './timers.ts';

/** From one poll to the next, while nothing more is sent. */
export const pollWaitsMs: readonly Millis[] = [minuteMs, 10 * minuteMs, hourMs];
/** How far a poll looks back behind the one before it: clocks differ. */
export const pollOverlapMs: Millis = 2 * minuteMs;

/** The polls that one batch of settlements sets. */
export class ResultPolls {
  readonly #context: SettlementContext;
  readonly #channels = new Set<ChannelId>();

  constructor(context: SettlementContext) {
    this.#context = context;
  }

  /** A provider took a message. */
  sent(channel: ChannelId): void {
    if (catalog[channel].isPolled) this.#channels.add(channel);
  }

  documents(): readonly DocumentWrite[] {
    return this.#changes().map(([channel, value]) => ({
      ...{ table: resultPolls, key: [channel], value },
    }));
  }

  timers(): readonly Entry[] {
    const { owner } = this.#context;
    return this.#changes()
      .filter(([, row]) => row.asking === undefined)
      .map(([channel, { dueMs }]) => resultsPollTimer(owner, channel, dueMs));
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

/** A poll once something was sent; the same object where it is set already. */
export function afterSend(before: ResultPollRow | undefined, nowMs: Millis): ResultPollRow {
  const dueMs = nowMs + (pollWaitsMs[0] as Millis);
  if (before === undefined) {
    const sinceMs = nowMs - pollOverlapMs;
    return { sinceMs, pass: 0, dueMs, failures: 0 };
  }
  // One under way may have passed this send by: the next begins as if it were the first.
  if (before.asking !== undefined) return before.pass === -1 ? before : { ...before, pass: -1 };
  if (before.pass === 0 && before.dueMs <= dueMs) return before;
  return { ...before, pass: 0, dueMs: Math.min(before.dueMs, dueMs) };
}
