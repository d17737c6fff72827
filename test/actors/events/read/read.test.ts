// Pages of events from the log and from history, against what the whole log says: nothing is
// missing, nothing is there twice, and a cursor stays good, whatever is made, joined, erased or
// dropped meanwhile.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { EventFile } from '../../../../actors/events/history/event-file.ts';
import { newestHistory, noHistory } from '../../../../actors/events/history/event-history.ts';
import type { HistoryBounds } from '../../../../actors/events/history/history-pass.ts';
import type { EventQuery } from '../../../../actors/events/protocol.ts';
import { readPage } from '../../../../actors/events/read/list.ts';
import type { EventsReply } from '../../../../actors/events/read/pool-read.ts';
import { readEvents } from '../../../../actors/events/read/read.ts';
import { placeOfCursor } from '../../../../actors/list-cursor.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import { makeCheckpoint } from '../../../../actors/runtime/folding.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { newHashKey } from '../../../../engine/base/hash.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { manifestsOf } from '../../../../storage/checkpoint.ts';
import { historyPath } from '../../../../storage/history.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { MirroredStore } from '../../../support/mirrored-store.ts';
import { TestPartition, testClock } from '../../../support/partition.ts';
import { RandomDays } from '../../../support/random-days.ts';
import { tries } from '../../../support/tries.ts';

const tableKey = newHashKey(seededRng(5));
const small: Partial<HistoryBounds> = { historyRowsMax: 24, foldRowsMax: 60, historyRunsMax: 3 };

interface World {
  readonly store: MirroredStore;
  readonly one: TestPartition;
  readonly days: RandomDays;
}

async function world(seed: number): Promise<World> {
  const store = new MirroredStore(temporaryDirectory());
  const one = new TestPartition({ store, rng: seededRng(seed), clock: testClock() });
  return { store, one, days: await RandomDays.begin(one, seededRng(seed, 'days')) };
}

async function fold({ store, one }: World, sweep = false): Promise<void> {
  await store.synced();
  const outcome = makeCheckpoint({
    path: store.disk.path,
    partition: 0,
    source: store.disk,
    nowMs: one.clock.nowMs,
    tableKey,
    sweep,
    bounds: small,
    onProblem: (problem) => {
      throw new Error(problem);
    },
  });
  if (outcome.outcome === 'made') while ((await store.disk.dropBlocks(outcome.dropThrough, 5)) > 0);
}

interface Expected {
  readonly seq: number;
  readonly name: string;
  readonly person: number;
  readonly atMs: number;
}

/** Every event of an app, newest first, from the log that never was dropped. */
function everyEvent({ store }: World, app: number): Expected[] {
  return store
    .blocks(1, 1e9)
    .flatMap(({ block }) => decodeBlock(block).entries.filter(({ owner }) => owner === app))
    .flatMap((entry) => eventsOf(entry))
    .flatMap((events) =>
      Array.from({ length: events.count }, (_, row) => ({
        seq: events.seq(row),
        name: events.name(row),
        person: events.person(row),
        atMs: events.atMs(row),
      })),
    )
    .sort((a, b) => b.seq - a.seq);
}

function matching(
  events: readonly Expected[],
  query: EventQuery,
  gone: ReadonlySet<number>,
): number[] {
  return events
    .filter(({ person }) => !gone.has(person))
    .filter(({ person }) => query.person === undefined || person === query.person)
    .filter(({ name }) => query.name === undefined || name === query.name)
    .filter(({ atMs }) => query.fromMs === undefined || atMs >= query.fromMs)
    .filter(({ atMs }) => query.toMs === undefined || atMs < query.toMs)
    .map(({ seq }) => seq);
}

function erasedIn({ one }: World, app: number): ReadonlySet<number> {
  return one.product.state.apps.get(app)?.people.erased ?? new Set();
}

function page({ store, one }: World, app: number, query: EventQuery): EventsReply {
  const erased = [...erasedIn({ store, one } as World, app)];
  return readPage({ app, query, erased }, store.disk.path, eventLog(store.disk));
}

const query = fc.record(
  {
    person: fc.integer({ min: 0, max: 12 }),
    name: fc.constantFrom('purchase', 'delivered', 'ปุ่ม', 'nothing'),
    from: fc.integer({ min: 0, max: 20 }),
    to: fc.integer({ min: 0, max: 20 }),
    limit: fc.integer({ min: 1, max: 40 }),
  },
  { requiredKeys: ['limit'] },
);

t.test(
  'pages over log and history show what the whole log says, whatever is made meanwhile',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1e6 }),
        fc.array(query, { minLength: 4, maxLength: 4 }),
        async (seed, queries) => {
          const all = await world(seed);
          const rng = seededRng(seed, 'reads');
          const beginMs = all.one.clock.nowMs;
          for (const { from, to, ...rest } of queries) {
            await all.days.live(10 + below(rng, 25));
            if (below(rng, 3) > 0) await fold(all);
            await all.store.synced();
            const app = all.days.apps[below(rng, all.days.apps.length)] as number;
            const asked: EventQuery = {
              ...rest,
              ...(from === undefined ? {} : { fromMs: beginMs + from * dayMs }),
              ...(to === undefined ? {} : { toMs: beginMs + to * dayMs }),
            };
            const expected = matching(everyEvent(all, app), asked, erasedIn(all, app));
            const found: number[] = [];
            for (let cursor: string | null | undefined; cursor !== null; ) {
              const some = page(all, app, {
                ...asked,
                ...(cursor === undefined
                  ? {}
                  : { beforeSeq: placeOfCursor('events', app, cursor) ?? 0 }),
              });
              if (some.items.length > asked.limit)
                throw new Error('a page is longer than its limit');
              found.push(...some.items.map(({ seq }) => seq));
              cursor = some.nextCursor;
              // Between pages events come in and checkpoints are made; neither moves what lies
              // below the cursor.
              const dice = below(rng, 4);
              if (dice === 0) await fold(all, true);
              if (dice === 1) {
                const events = [{ name: 'purchase', externalUserId: 'someone-else' }];
                const bytes = Buffer.from(JSON.stringify({ events }));
                await all.one.value(app, 'events.ingest', { keyless: false }, { bytes });
                await all.store.synced();
              }
            }
            t.same(found, expected);
          }
          await all.store.disk.close();
        },
      ),
      { seed: 43, numRuns: tries(15) },
    );
  },
);

t.test('an event reads the same from the log and from history', async (t) => {
  const all = await world(11);
  await all.days.live(60);
  await all.store.synced();
  const app = all.days.apps[0] as number;
  const erased = [...erasedIn(all, app)];
  const whole = { app, query: { limit: 10_000 }, erased };
  const before = readPage(whole, undefined, eventLog(all.store));
  t.ok(before.items.length > 50);
  await fold(all);
  await fold(all, true);
  t.same(readPage(whole, all.store.disk.path, eventLog(all.store.disk)), before);
  await all.store.disk.close();
});

t.test(
  'a read that has looked at enough rows answers with a part, and its cursor goes on',
  async (t) => {
    const all = await world(12);
    await all.days.live(60);
    await fold(all);
    await all.days.live(20);
    await all.store.synced();
    const app = all.days.apps[0] as number;
    const erased = erasedIn(all, app);
    const expected = matching(everyEvent(all, app), { limit: 1, name: 'delivered' }, erased);
    const made = newestHistory(all.store.disk.path);
    t.ok(made.seq > 0 && made.filesOf(app).length > 0);
    for (const history of [noHistory, made]) {
      const found: number[] = [];
      let pages = 0;
      let before: number | undefined;
      do {
        const sources = {
          log: eventLog(history === noHistory ? all.store : all.store.disk),
          history,
          erased,
          rowsMax: 10,
        };
        const asked = {
          limit: 50,
          name: 'delivered',
          ...(before === undefined ? {} : { beforeSeq: before }),
        };
        const { found: some, nextBefore } = readEvents(app, asked, sources);
        if (before !== undefined && nextBefore !== undefined) t.ok(nextBefore < before);
        found.push(...some.map(({ seq }) => seq));
        before = nextBefore;
        pages++;
      } while (before !== undefined);
      t.same(found, expected);
      t.ok(pages > 3);
    }
    await all.store.disk.close();
  },
);

t.test('erased people are out of every file once the older checkpoint is gone', async (t) => {
  const all = await world(13);
  await all.days.live(60);
  await fold(all);
  const app = all.days.apps[0] as number;
  const { subscriber } = await all.one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'user-3' },
  });
  const { person } = subscriber;
  const bytes = Buffer.from(JSON.stringify({ events: [{ name: 'x', externalUserId: 'user-3' }] }));
  await all.one.value(app, 'events.ingest', { keyless: false }, { bytes });
  await fold(all);
  await all.one.value(app, 'subscriber.erase', { ref: { externalUserId: 'user-3' } });
  t.same(page(all, app, { limit: 100, person }).items, [], 'nobody sees them from then on');
  await fold(all);
  t.ok(manifestsOf(all.store.disk.path)[0]?.erasing.some((one) => one.person === person));
  all.one.clock.nowMs += hourMs;
  await fold(all, true);
  await fold(all, true);
  await fold(all, true);
  const { path } = all.store.disk;
  t.same(manifestsOf(path)[0]?.erasing, []);
  const files = manifestsOf(path).flatMap(({ history }) => history);
  t.ok(files.length > 0);
  for (const file of files) {
    if (file.app !== app) continue;
    t.notOk(new EventFile(path, file).holdsAny([person]));
  }
  t.same(
    filesIn(path),
    [...new Set(files.map(({ file }) => file))].sort(),
    'and no other file is left',
  );
  await all.store.disk.close();
});

t.test('days past their retention and deleted apps leave no file', async (t) => {
  const all = await world(14);
  const [first, second] = all.days.apps as [number, number];
  await all.one.value(first, 'settings.patch', { patch: { eventsRetentionDays: 7 } });
  const track = (app: number) =>
    all.one.value(
      app,
      'events.ingest',
      { keyless: false },
      {
        bytes: Buffer.from(JSON.stringify({ events: [{ name: 'x', externalUserId: 'ana' }] })),
      },
    );
  await track(first);
  await track(second);
  await fold(all);
  await all.one.advance(7 * dayMs);
  await track(first);
  await fold(all);
  t.equal(page(all, first, { limit: 10 }).items.length, 2, 'a day goes when all of it is too old');
  await all.one.advance(dayMs);
  await fold(all, true);
  t.equal(page(all, first, { limit: 10 }).items.length, 1);
  t.equal(page(all, second, { limit: 10 }).items.length, 1, 'another app keeps its own');
  await all.one.value(second, 'app.delete', {});
  await fold(all);
  await fold(all, true);
  t.same(
    [...new Set(filesIn(all.store.disk.path).map((file) => file.split('/')[0]))],
    [String(first)],
  );
  await all.store.disk.close();
});

t.test('small files of a day are joined', async (t) => {
  const all = await world(15);
  const app = all.days.apps[0] as number;
  for (let round = 0; round < 12; round++) {
    const events = [{ name: 'x', externalUserId: `u${round % 3}`, id: String(round) }];
    const bytes = Buffer.from(JSON.stringify({ events }));
    await all.one.value(app, 'events.ingest', { keyless: false }, { bytes });
    await fold(all);
    const listed = manifestsOf(all.store.disk.path)[0]?.history ?? [];
    // Of one event each, of some, and what was joined twice.
    t.ok(listed.length <= 2 * (small.historyRunsMax as number));
  }
  const { items } = page(all, app, { limit: 50 });
  t.same(
    items.map(({ id }) => id),
    Array.from({ length: 12 }, (_, i) => String(11 - i)),
  );
  await all.store.disk.close();
});

/** Every file of history that is there. */
function filesIn(partitionPath: string): string[] {
  const root = historyPath(partitionPath);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
