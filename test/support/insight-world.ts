// Random days of two apps on real files, folded into checkpoints now and then, with the whole log
// kept beside them: what an insight answers from files can be held against every raw event. Erased
// people are out of both.

import type { HistoryBounds } from '../../actors/events/history/history-pass.ts';
import { withHistory } from '../../actors/events/read/list.ts';
import type { Facts, Insight, Question } from '../../actors/insight/insights/protocol.ts';
import { readInsight } from '../../actors/insight/insights/run.ts';
import { eventLog } from '../../actors/runtime/event-log.ts';
import { eventsOf } from '../../actors/runtime/facts.ts';
import { makeCheckpoint } from '../../actors/runtime/folding.ts';
import { decodeBlock } from '../../engine/actor/block.ts';
import { newHashKey } from '../../engine/base/hash.ts';
import { below, type Rng, seededRng } from '../../engine/base/rng.ts';
import { StopFlag } from '../../engine/thread/shared-word.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { MirroredStore } from './mirrored-store.ts';
import { TestPartition, testClock } from './partition.ts';
import { RandomDays } from './random-days.ts';

/** An event as it was stored. */
export interface RawEvent {
  readonly name: string;
  readonly person: number;
  readonly atMs: number;
  readonly props: Readonly<Record<string, unknown>>;
  readonly seq: number;
  readonly channel: number;
  readonly sendId: string | undefined;
  readonly deviceId: string | undefined;
}

/** A question without its caller. */
type Asked = Question extends infer One ? (One extends Question ? Omit<One, 'by'> : never) : never;

const tableKey = newHashKey(seededRng(5));
const bounds: Partial<HistoryBounds> = { historyRowsMax: 24, foldRowsMax: 60, historyRunsMax: 3 };

export class InsightWorld {
  readonly store: MirroredStore;
  readonly one: TestPartition;
  readonly days: RandomDays;
  readonly rng: Rng;

  private constructor(store: MirroredStore, one: TestPartition, days: RandomDays, rng: Rng) {
    this.store = store;
    this.one = one;
    this.days = days;
    this.rng = rng;
  }

  static async begin(seed: number, nowMs = Date.UTC(2026, 2, 1)): Promise<InsightWorld> {
    const store = new MirroredStore(temporaryDirectory());
    const one = new TestPartition({ store, rng: seededRng(seed), clock: testClock(nowMs) });
    const days = await RandomDays.begin(one, seededRng(seed, 'days'));
    return new InsightWorld(store, one, days, seededRng(seed, 'world'));
  }

  /**
   * Lives, and folds what there is at times, so that events lie anywhere between history and the
   * log.
   */
  async live(steps: number): Promise<void> {
    for (let left = steps; left > 0; left -= 8) {
      await this.days.live(Math.min(left, 8));
      if (below(this.rng, 3) === 0) await this.fold();
    }
    await this.store.synced();
  }

  async fold(sweep = false): Promise<void> {
    await this.store.synced();
    const { disk } = this.store;
    const outcome = makeCheckpoint({
      path: disk.path,
      partition: 0,
      source: disk,
      nowMs: this.one.clock.nowMs,
      tableKey,
      sweep,
      bounds,
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });
    if (outcome.outcome === 'made') while ((await disk.dropBlocks(outcome.dropThrough, 5)) > 0);
  }

  /** An app that is still there. */
  get app(): number {
    return this.days.apps[below(this.rng, this.days.apps.length)] as number;
  }

  /** The facts of a question, as the app's actor gives them. */
  async facts(app: number, asked: Asked): Promise<Facts> {
    const question = { ...asked, by: -1 } as Question;
    return this.one.value(app, 'insight.facts', { question });
  }

  /** The answer to a question, read from the files. */
  async ask<Found extends Insight>(
    app: number,
    asked: Asked,
    stop = new StopFlag(),
  ): Promise<Found> {
    const facts = await this.facts(app, asked);
    await this.store.synced();
    const question = { ...asked, by: -1 } as Question;
    const what = { app, question, facts, stop: stop.word };
    const { disk } = this.store;
    return withHistory(disk.path, (history) => readInsight(what, eventLog(disk), history)) as Found;
  }

  /**
   * Every event of an app that is of nobody who was erased, in no order, from the log that never
   * was dropped.
   */
  raw(app: number): readonly RawEvent[] {
    const erased = this.one.product.state.apps.get(app)?.people.erased ?? new Set();
    return this.store
      .blocks(1, 1e9)
      .flatMap(({ block }) => decodeBlock(block).entries.filter(({ owner }) => owner === app))
      .flatMap((entry) => eventsOf(entry))
      .flatMap((events) =>
        Array.from({ length: events.count }, (_, row) => ({
          name: events.name(row),
          person: events.person(row),
          atMs: events.atMs(row),
          seq: events.seq(row),
          channel: events.channel(row),
          sendId: events.reference(row, 'sendId'),
          deviceId: events.reference(row, 'deviceId'),
          props: JSON.parse(events.propsJson(row) ?? '{}') as Record<string, unknown>,
        })),
      )
      .filter(({ person }) => !erased.has(person));
  }

  async close(): Promise<void> {
    await this.store.synced();
    await this.store.disk.close();
  }
}

/**
 * What the wall clock of a zone shows at an instant, asked of Intl alone: a day, an hour, and which
 * offset it is at.
 */
export function shownIn(
  zone: string,
  atMs: number,
): { date: string; hour: string; offset: string } {
  const parts = formatterOf(zone).formatToParts(atMs);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const date = `${of('year')}-${of('month')}-${of('day')}`;
  return { date, hour: of('hour'), offset: of('timeZoneName') };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'longOffset',
  });
  formatters.set(zone, made);
  return made;
}

/** A date, as text, some days later. */
export function daysLater(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The Monday of a date's week. */
export function mondayOf(date: string): string {
  return daysLater(date, -((new Date(Date.parse(date)).getUTCDay() + 6) % 7));
}
