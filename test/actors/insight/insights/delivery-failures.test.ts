import fc from 'fast-check';
import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { WalkStopped } from '../../../../actors/events/read/stored-walk.ts';
import {
  deliveryFailures,
  storedLetters,
} from '../../../../actors/insight/insights/delivery-failures.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { newId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { Documents } from '../../../../storage/documents.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { type DeadLetterRow, deadLetters } from '../../../../storage/tables/send.ts';
import { daysLater, shownIn } from '../../../support/insight-world.ts';
import { tries } from '../../../support/tries.ts';
import { accept, Scene } from '../../programs/campaigns/scene.ts';

const nowMs = Date.UTC(2026, 2, 30, 12);
const app = 4097;

/** A store with these letters, and as many of another app. */
async function withLetters(letters: readonly DeadLetterRow[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  const documents = new Documents(store);
  for (const owner of [app, app + 4096])
    for (const letter of letters) documents.put(deadLetters, owner, [letter.id], letter);
  const staged = documents.takeStaged(1);
  await new Promise<void>((resolve) =>
    store.commit({ seq: 1, block: new Uint8Array(), documents: staged }, resolve),
  );
  return store;
}

const neverStops = { isSet: false };

t.test('letters are told by reason, lane and channel, most that is open first', async (t) => {
  const letterArb = fc.record({
    reason: fc.constantFrom('http_503', 'timeout', 'a "quoted" one'),
    lane: fc.constantFrom('transactional' as const, 'campaign' as const, 'journey' as const),
    channel: fc.constantFrom('sms', 'fcm'),
    hoursAgo: fc.integer({ min: 0, max: 10 * 24 }),
    isRecovered: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(letterArb, { maxLength: 60 }),
      fc.integer({ min: 1, max: 11 }),
      fc.constantFrom('UTC', 'America/New_York', 'Europe/Paris'),
      fc.integer({ min: 1, max: 20 }),
      async (made, span, timezone, limit) => {
        const rng = seededRng(1);
        const letters = made.map(({ hoursAgo, isRecovered, ...rest }): DeadLetterRow => {
          const atMs = nowMs - hoursAgo * hourMs;
          const id = newId('dl', app, atMs, rng);
          const recovered = isRecovered ? { recoveredMs: nowMs } : {};
          return { ...rest, ...recovered, id, sendId: '', deviceId: 'd', attempts: 8, atMs };
        });
        const store = await withLetters(letters);
        const facts = { span, nowMs, timezone };
        const stored = storedLetters(app, store, neverStops);
        const { items } = deliveryFailures({ limit }, facts, stored);
        const first = daysLater(shownIn(timezone, nowMs).date, 1 - span);
        const seen = letters.filter(({ atMs }) => shownIn(timezone, atMs).date >= first);
        const placeOf = ({ reason, lane, channel }: Omit<DeadLetterRow, 'id'>) =>
          `${lane} ${channel} ${reason}`;
        const places = new Set(seen.map(placeOf));
        t.equal(items.length, Math.min(limit, places.size));
        for (const item of items) {
          const of = seen.filter((one) => placeOf(one) === placeOf(item as never));
          t.same(item, {
            ...item,
            count: of.length,
            recovered: of.filter(({ recoveredMs }) => recoveredMs !== undefined).length,
            lastAtMs: Math.max(...of.map(({ atMs }) => atMs)),
          });
          places.delete(placeOf(item as never));
        }
        const openOf = items.map(({ count, recovered }) => count - recovered);
        t.same(
          openOf,
          openOf.toSorted((a, b) => b - a),
        );
        const least = openOf.at(-1) ?? 0;
        for (const place of places) {
          const open = seen.filter((one) => placeOf(one) === place && !one.recoveredMs);
          t.ok(open.length <= least, 'what a limit leaves out has no more that is open');
        }
      },
    ),
    { seed: 14, numRuns: tries(60) },
  );
});

t.test('thousands of letters are all read, and a stopped read ends early', async (t) => {
  const rng = seededRng(2);
  const letters = Array.from({ length: 3_000 }, (_, i): DeadLetterRow => {
    const id = newId('dl', app, nowMs - i, rng);
    const rest = { channel: 'sms', lane: 'journey', reason: 'x', attempts: 8 } as const;
    return { id, sendId: '', deviceId: 'd', ...rest, atMs: nowMs - i };
  });
  for (const count of [0, 1, 1_023, 1_024, 1_025, 2_046, 2_047, 3_000]) {
    const store = await withLetters(letters.slice(0, count));
    const read = [...storedLetters(app, store, neverStops)];
    t.equal(new Set(read.map(({ id }) => id)).size, count);
    t.equal(read.length, count, `${count}`);
  }
  const store = await withLetters(letters);
  const stop = { isSet: false };
  const reading = storedLetters(app, store, stop);
  reading.next();
  stop.isSet = true;
  t.throws(() => [...reading], WalkStopped);
});

t.test('the open ones are what counts as failed in the funnel of the campaign', async (t) => {
  const scene = await Scene.withPeople(9, ['fcm']);
  const down: Outcome = { outcome: 'retry', reason: 'http_503' };
  scene.answers = ({ endpoint }) =>
    /user-[0-5]/.test(String(endpoint)) ? down : accept({} as never);
  const { id } = await scene.sentCampaign({});
  const told = async () => {
    const facts = await scene.one.value(scene.app, 'insight.facts', {
      question: { kind: 'insight.failures', by: -1, limit: 10, days: 30 },
    });
    const letters = storedLetters(scene.app, scene.one.store, neverStops);
    return deliveryFailures({ limit: 10 }, facts, letters).items;
  };
  const agree = async (count: number, recovered: number, why: string) => {
    const items = await told();
    t.match(
      items,
      [{ reason: 'http_503', lane: 'campaign', channel: 'fcm', count, recovered }],
      why,
    );
    t.equal(items.length, 1);
    const { failed, devices } = await scene.stats(id);
    t.same([failed, devices.failed], [count - recovered, count - recovered], why);
  };
  for (let half = 0; half < 60; half++) await scene.advance(hourMs / 2);
  await agree(6, 0, 'after every retry');
  const letters = await scene.one.value(scene.app, 'dead_letter.list', { limit: 10 });
  const some = letters.items.slice(0, 4).map((letter) => letter.id);
  scene.answers = ({ endpoint }) =>
    /user-[01]/.test(String(endpoint))
      ? { outcome: 'permanent', reason: 'gone' }
      : accept({} as never);
  const resume = scene.hold();
  await scene.one.value(scene.app, 'dead_letter.redrive', { ids: some });
  await scene.run();
  await agree(6, 0, 'while a redrive is under way');
  await resume();
  const { devices } = await scene.stats(id);
  const [item] = await told();
  t.equal((item?.count ?? 0) - (item?.recovered ?? 0), devices.failed, 'after the redrive');
  t.equal(devices.failed, 2);
  t.equal((item?.count ?? 0) + devices.bounced, 6, 'what bounced since is no failure any more');
  await scene.advance(31 * dayMs);
  t.same(await told(), [], 'out of the span');
});
