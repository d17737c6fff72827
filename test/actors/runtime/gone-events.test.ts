// What a retention once hid stays hidden, whatever the next one is, and leaves the files within a
// day. A model of events over moving time is held against every way to read them: the list, the
// timeline, insights, segments and their explanations, before and after checkpoints and restarts.

import t, { type Test } from 'tap';
import { readPage, withHistory } from '../../../actors/events/read/list.ts';
import { StoredWalk } from '../../../actors/events/read/stored-walk.ts';
import type { Question, Trends } from '../../../actors/insight/insights/protocol.ts';
import { readInsight } from '../../../actors/insight/insights/run.ts';
import { eventLog } from '../../../actors/runtime/event-log.ts';
import { makeCheckpoint } from '../../../actors/runtime/folding.ts';
import { dayMs, hourMs } from '../../../engine/base/brand.ts';
import { newHashKey } from '../../../engine/base/hash.ts';
import { below, seededRng } from '../../../engine/base/rng.ts';
import { StopFlag } from '../../../engine/thread/shared-word.ts';
import { newestCheckpoint } from '../../../storage/checkpoint.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { MirroredStore } from '../../support/mirrored-store.ts';
import { anApp, TestPartition, testClock } from '../../support/partition.ts';
import { tries } from '../../support/tries.ts';

const tableKey = newHashKey(seededRng(5));
const people = Array.from({ length: 12 }, (_, number) => `user-${number}`);
const retentions = [7, 10, 30, 60, null];

interface Tracked {
  readonly id: string;
  readonly who: string;
  readonly atMs: number;
  /** When it was first hidden. */
  hiddenMs?: number;
}

class World {
  readonly store = new MirroredStore(temporaryDirectory());
  readonly clock = testClock(Date.UTC(2026, 2, 1, 5));
  readonly events: Tracked[] = [];
  readonly ids = new Map<string, string>();
  days: number | null = null;
  one = new TestPartition({ store: this.store, clock: this.clock });
  app = 0;

  static async begin(): Promise<World> {
    const world = new World();
    world.app = (await anApp(world.one)).app;
    for (const externalUserId of people) {
      const made = await world.one.value(world.app, 'subscriber.upsert', {
        subscriber: { externalUserId },
      });
      world.ids.set(externalUserId, made.subscriber.id);
    }
    return world;
  }

  get nowMs(): number {
    return this.clock.nowMs;
  }

  async track(who: string, atMs: number): Promise<void> {
    const id = `e${this.events.length}`;
    const event = { name: 'bought', externalUserId: who, id, at: new Date(atMs).toISOString() };
    const bytes = Buffer.from(JSON.stringify({ events: [event] }));
    const reply = await this.one.value(this.app, 'events.ingest', { keyless: false } as never, {
      bytes,
    });
    if (reply.accepted === 1) this.events.push({ id, who, atMs });
  }

  async keep(days: number | null) {
    this.hide();
    const shown = await this.one.value(this.app, 'settings.patch', {
      patch: { eventsRetentionDays: days },
    });
    this.days = days;
    this.hide();
    return shown;
  }

  /** Marks what the retention of now hides. */
  hide(): void {
    const cutMs = this.nowMs - (this.days ?? 90) * dayMs;
    for (const event of this.events) if (event.atMs < cutMs) event.hiddenMs ??= this.nowMs;
  }

  visible(fromMs = 0): readonly Tracked[] {
    this.hide();
    return this.events.filter(({ hiddenMs, atMs }) => hiddenMs === undefined && atMs > fromMs);
  }

  async fold(): Promise<void> {
    await this.store.synced();
    const { disk } = this.store;
    const made = makeCheckpoint({
      path: disk.path,
      partition: 0,
      source: disk,
      nowMs: this.nowMs,
      tableKey,
      sweep: true,
      bounds: { historyRowsMax: 24, foldRowsMax: 60, historyRunsMax: 3 },
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });
    if (made.outcome === 'made') while ((await disk.dropBlocks(made.dropThrough, 5)) > 0);
  }

  /** From the log alone, or from the newest checkpoint and the log after it. */
  async restart(): Promise<void> {
    await this.one.settle();
    await this.store.synced();
    const found = newestCheckpoint(this.store.disk.path, () => undefined);
    const checkpoint = found && { seq: found.manifest.seq, memory: [...found.parts()] };
    this.one = new TestPartition({
      store: this.store,
      clock: this.clock,
      ...(checkpoint === undefined ? {} : { checkpoint }),
    } as never);
    await this.one.settle();
  }

  async listed(who?: string): Promise<readonly string[]> {
    const subscriberId = who === undefined ? {} : { subscriberId: this.ids.get(who) };
    const { keptFromMs, erased, person, aliases } = await this.one.value(
      this.app,
      'events.locate',
      subscriberId as never,
    );
    await this.store.synced();
    const { disk } = this.store;
    const whose = person === null ? {} : { person, aliases };
    const query = { ...whose, fromMs: keptFromMs, limit: 10_000 };
    const what = { app: this.app, query, erased };
    return readPage(what as never, disk.path, eventLog(disk)).items.map(({ id }) => id ?? '');
  }

  async counted(days: number): Promise<number> {
    const question = { kind: 'insight.trends', events: ['bought'], interval: 'hour', days, by: -1 };
    const facts = await this.one.value(this.app, 'insight.facts', {
      question: question as unknown as Question,
    });
    await this.store.synced();
    const { disk } = this.store;
    const what = { app: this.app, question, facts, stop: new StopFlag().word };
    const found = withHistory(disk.path, (history) =>
      readInsight(what as never, eventLog(disk), history),
    ) as Trends;
    return found.events[0]?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  }

  /** How many did it within so many days, and the last time of one of them. */
  async segment(withinDays: number) {
    const asked = { filter: { event: 'bought', withinDays } };
    return (await this.one.value(this.app, 'segment.preview', { asked, sample: 0 } as never)).count;
  }

  async lastOf(who: string, days: number): Promise<number | null> {
    const asked = { filter: { event: 'bought', withinDays: days } };
    const ref = { externalUserId: who };
    const found = await this.one.value(this.app, 'segment.explain', { asked, ref } as never);
    return (found.conditions[0] as { lastMs?: number | null }).lastMs ?? null;
  }

  /** Ids of all events in files of history. */
  stored(): ReadonlySet<string> {
    const ids = new Set<string>();
    const { disk } = this.store;
    withHistory(disk.path, (history) => {
      const walk = new StoredWalk(this.app, eventLog(disk), history, { isSet: false });
      walk.files(walk.filesFrom({ fromMs: 0 }), { fromMs: 0 }, (events, from, to) => {
        for (let row = from; row < to; row++) ids.add(events.id(row) ?? '');
      });
    });
    return ids;
  }
}

t.test('what was hidden stays hidden, in every way to read it, and leaves the files', async (t) => {
  for (let seed = 1; seed <= tries(6) + 1; seed++) {
    const rng = seededRng(seed);
    const world = await World.begin();
    let hidden = 0;
    for (let step = 0; step < 60; step++) {
      const what = below(rng, 10);
      if (what < 4) {
        for (let left = 6; left > 0; left--) {
          const ageMs = below(rng, (world.days ?? 90) * 24) * hourMs;
          await world.track(people[below(rng, people.length)] as string, world.nowMs - ageMs);
        }
      } else if (what < 6) await world.one.advance(below(rng, 5 * 24) * hourMs + 1);
      else if (what === 6) await world.keep(retentions[below(rng, retentions.length)] ?? null);
      else if (what === 7) await world.fold();
      else if (what === 8) await world.restart();
      else await agrees(t, world, `seed ${seed}, step ${step}`);
    }
    await world.one.advance(dayMs);
    await world.fold();
    await agrees(t, world, `seed ${seed}, at the end`);
    const stored = world.stored();
    for (const { id, hiddenMs } of world.events) {
      if (hiddenMs === undefined) continue;
      hidden++;
      if (hiddenMs <= world.nowMs - dayMs) t.notOk(stored.has(id), `seed ${seed}: ${id} is stored`);
    }
    t.ok(hidden > 0, 'some were hidden');
    await world.store.disk.close();
  }
});

async function agrees(t: Test, world: World, when: string): Promise<void> {
  const { nowMs } = world;
  const ids = (some: readonly Tracked[]) => some.map(({ id }) => id).sort();
  t.same([...(await world.listed())].sort(), ids(world.visible()), `the list, ${when}`);
  const kept = world.days ?? 90;
  for (const days of [1, 7, kept]) {
    const visible = world.visible(nowMs - days * dayMs);
    const holders = new Set(visible.map(({ who }) => who));
    t.equal(await world.segment(days), holders.size, `a segment of ${days} days, ${when}`);
  }
  for (const who of new Set(world.events.map((event) => event.who))) {
    const own = world.visible().filter((event) => event.who === who);
    t.same([...(await world.listed(who))].sort(), ids(own), `the list of ${who}, ${when}`);
    const last = own.length === 0 ? null : Math.max(...own.map(({ atMs }) => atMs));
    t.equal(await world.lastOf(who, 1), last, `the last time of ${who}, ${when}`);
  }
  // A trend begins with a whole day of the app's zone, so it may reach back a day less.
  const from = Math.floor(nowMs / dayMs) * dayMs - (kept - 1) * dayMs;
  t.equal(await world.counted(kept), world.visible(from - 1).length, `a trend, ${when}`);
}

t.test('a longer retention shows nothing again, and the answer says what goes', async (t) => {
  const world = await World.begin();
  const { nowMs } = world;
  for (const days of [2, 20, 80]) await world.track('user-1', nowMs - days * dayMs);
  t.equal((await world.keep(null)).goneBeforeMs, nowMs - 90 * dayMs);
  t.equal((await world.keep(7)).goneBeforeMs, nowMs - 7 * dayMs);
  t.same(await world.listed(), ['e0']);
  const lifted = await world.keep(null);
  t.equal(lifted.goneBeforeMs, nowMs - 7 * dayMs, 'as before');
  t.same(await world.listed(), ['e0']);
  t.equal(await world.segment(30), 1);
  t.match(
    await world.one.ask(world.app, 'events.ingest', { keyless: false } as never, {
      bytes: Buffer.from(
        JSON.stringify({
          events: [
            { name: 'a', externalUserId: 'x', at: new Date(nowMs - 8 * dayMs).toISOString() },
          ],
        }),
      ),
    }),
    {
      value: {
        errors: [
          {
            error:
              'at: expected 2026-02-22T05:00:00.000Z or later, because a shorter retention ' +
              '(eventsRetentionDays) deleted older events permanently. From 2026-05-23T05:00:00.000Z ' +
              'on, expected at most 90 days in the past',
          },
        ],
      },
    },
  );
  await world.one.advance(3 * dayMs);
  const read = await world.one.value(world.app, 'settings.read', {});
  t.equal(read.goneBeforeMs, nowMs - 7 * dayMs, 'the longer one has hidden nothing since');
  t.same(await world.listed(), ['e0']);
  await world.store.disk.close();
});
