// Erasure proved by a scan. People leave unmistakable words in everything that can hold one; some
// are erased, at any moment of days of life with checkpoints being made; and then every record and
// every file is read back. Whoever was not erased must still be found, or the scan would prove
// nothing.

import { join } from 'node:path';
import t from 'tap';
import type { Outcome } from '../../../actors/channels/port/outcome.ts';
import { limits } from '../../../actors/limits.ts';
import { Checkpoints } from '../../../actors/runtime/checkpoints.ts';
import { makeCheckpoint } from '../../../actors/runtime/folding.ts';
import type { CheckpointResult, PoolTask } from '../../../actors/runtime/tasks.ts';
import { dayMs, hourMs, minuteMs, type Seq } from '../../../engine/base/brand.ts';
import { newHashKey } from '../../../engine/base/hash.ts';
import { below, pick, type Rng, seededRng } from '../../../engine/base/rng.ts';
import type { Log } from '../../../engine/observe/log.ts';
import { SharedGate } from '../../../engine/thread/shared-word.ts';
import { newestManifest } from '../../../storage/checkpoint.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { MirroredStore } from '../../support/mirrored-store.ts';
import { anApp, TestPartition, testClock } from '../../support/partition.ts';
import { markersIn, scanFiles, scanRecords, type Trace } from '../../support/personal-traces.ts';
import { tries } from '../../support/tries.ts';

const peopleCount = 8;
const isDatabase = (path: string) => /(data|lock)\.mdb$/.test(path);

/** What only person `n` can have left behind. */
function markersOf(n: number): string[] {
  return [`personq${n}z`, `4155550${100 + n}`];
}

class Lives {
  readonly dataDir = join(temporaryDirectory(), 'data');
  readonly store = new MirroredStore(this.dataDir);
  readonly clock = testClock();
  readonly one: TestPartition;
  readonly erased = new Set<number>();
  readonly rng: Rng;
  app = 0;
  #ids = 0;

  constructor(seed: number) {
    this.rng = seededRng(seed, 'lives');
    this.one = new TestPartition({
      store: this.store,
      clock: this.clock,
      rng: seededRng(seed),
      available: ['fcm', 'email', 'sms', 'apns'],
    });
  }

  async begin(): Promise<void> {
    this.app = (await anApp(this.one)).app;
    const patch = { identityVerification: 'open' } as const;
    await this.one.value(this.app, 'settings.patch', { patch });
    for (let n = 0; n < peopleCount; n++) await this.upsert(n);
  }

  async upsert(n: number): Promise<void> {
    const [word, phone] = markersOf(n);
    await this.one.value(this.app, 'subscriber.upsert', {
      subscriber: {
        externalUserId: `${word}-id`,
        tags: {
          plan: below(this.rng, 2) === 0 ? `${word}-plan` : 'pro',
          likes: [`${word}-like`, 'tea'],
          [`${word}-key`]: 1,
        },
        devices: [
          { channel: 'email', endpoint: `${word}@example.com` },
          { channel: 'fcm', endpoint: `${word}-token-0123456789` },
          { channel: 'sms', endpoint: `+1${phone}` },
        ],
      },
    });
  }

  /** Events of one or two people in one batch, some of them days late. */
  async track(n: number): Promise<void> {
    const other = this.somebody();
    const events = [n, n, other].map((who) => {
      const [word] = markersOf(who);
      const lateMs = below(this.rng, 2) === 0 ? below(this.rng, 20 * dayMs) : 0;
      return {
        name: pick(this.rng, ['order', 'session', 'page']),
        externalUserId: `${word}-id`,
        at: new Date(this.clock.nowMs - lateMs).toISOString(),
        id: `${word}-event-${this.#ids++}`,
        props: { note: `${word}-props`, n: this.#ids },
        deviceId: `${word}-device`,
        sendId: `${word}-send`,
        campaignId: `${word}-campaign`,
        messageId: `${word}-message`,
      };
    });
    const bytes = Buffer.from(JSON.stringify({ events }));
    await this.one.value(this.app, 'events.ingest', { keyless: false }, { bytes });
  }

  /**
   * A send whose text names them; providers answer some of it, with words that repeat an address.
   */
  async send(n: number, fails = false): Promise<void> {
    const [word] = markersOf(n);
    const key = this.rng.uint32();
    await this.one.ask(this.app, 'transactional.accept', {
      request: {
        to: { externalUserId: `${word}-id` },
        title: 'Hello {{ who }}',
        body: 'Dear {{ who }}',
        variables: { who: `${word}-variable` },
        ...(fails ? { ttlSeconds: 60 } : {}),
      },
      claim: { key: [key, 0, 0, 0], fingerprint: new Uint8Array(8) } as never,
    });
    await this.#answer(fails);
  }

  /** A Live Activity that names them, and an update that does. */
  async show(n: number): Promise<void> {
    const [word] = markersOf(n);
    const login = { externalUserId: `${word}-id`, tokenKey: new Uint8Array(32) };
    const { clientToken } = await this.one.value(this.app, 'sdk.login', { login });
    const pushToken = this.rng.uint32().toString(16).padStart(8, '0').repeat(10);
    const attributes = { order: `${word}-order` };
    const activity = { activityType: `${word}-type`, pushToken, attributes };
    const { id } = await this.one.value(this.app, 'live_activity.register', {
      clientToken,
      activity,
    });
    const change = {
      event: pick(this.rng, ['update', 'end'] as const),
      contentState: { courier: `${word}-courier` },
      alert: { title: `${word}-title`, body: `${word}-body` },
    };
    await this.one.value(this.app, 'live_activity.push', { id, change, claim: null });
    if (below(this.rng, 3) > 0) await this.#answer(false);
  }

  async #answer(fails: boolean): Promise<void> {
    for (const { app, channel, attempts } of this.one.takeGrants()) {
      const reports = attempts.map(({ target, attempt }) => ({
        sendId: attempt.sendId,
        target,
        attempt: attempt.attempt,
        outcome: this.#outcomeOf(String(attempt.endpoint), fails),
      }));
      await this.one.ask(app, 'dispatch.report', { channel, reports });
    }
  }

  /** What a provider says of an attempt; refusals repeat the address, as mail servers do. */
  #outcomeOf(endpoint: string, fails: boolean): Outcome {
    const detail = `550 <${endpoint}> is not known here`;
    const permanent = { outcome: 'permanent' as const, reason: 'too_large', detail };
    if (fails) return { outcome: 'retry', reason: 'http_503', retryAfterMs: hourMs, detail };
    return pick(this.rng, [
      { outcome: 'accepted' as const, providerMessageId: `for ${endpoint}` },
      permanent,
      { outcome: 'retry' as const, reason: 'http_503', detail },
    ]);
  }

  async erase(n: number): Promise<void> {
    const ref = { externalUserId: `${markersOf(n)[0]}-id` };
    await this.one.value(this.app, 'subscriber.erase', { ref });
    this.erased.add(n);
  }

  async live(steps: number, checkpoint: (through: Seq) => void, erases = true): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const dice = below(this.rng, 100);
      const n = this.somebody();
      if (dice < 10) await this.one.advance(below(this.rng, dayMs));
      else if (dice < 45) await this.track(n);
      else if (dice < 70) await this.send(n);
      else if (dice < 75) await this.upsert(n);
      else if (dice < 80) await this.show(n);
      else if (dice < 92) {
        await this.store.synced();
        // As a pool thread makes one: of what was durable when it began, while the shard has gone
        // on.
        const late = this.store.disk.durableSeq - below(this.rng, 12);
        checkpoint(Math.max(late, newestManifest(this.store.disk.path)?.seq ?? 1));
      } else if (erases && this.erased.size < peopleCount - 3) await this.erase(n);
    }
  }

  somebody(): number {
    const there = Array.from({ length: peopleCount }, (_, n) => n).filter(
      (n) => !this.erased.has(n),
    );
    return pick(this.rng, there);
  }

  checkpoint(through: Seq | undefined, sweep: boolean): CheckpointResult {
    const outcome = makeCheckpoint({
      path: this.store.disk.path,
      partition: 0,
      source: this.store.disk,
      ...(through === undefined ? {} : { through }),
      nowMs: this.clock.nowMs,
      tableKey: newHashKey(seededRng(1)),
      sweep,
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });
    return { ...outcome, problems: [] };
  }

  async sweep(): Promise<void> {
    await this.store.synced();
    const made = this.checkpoint(undefined, true);
    if (made.outcome !== 'made') return;
    while ((await this.store.disk.dropBlocks(made.dropThrough, 100)) > 0);
  }

  /**
   * Places that know a person who was erased, and people who were not and are known in no place.
   */
  async found(): Promise<{ readonly traces: Trace[]; readonly missing: number[] }> {
    await this.store.synced();
    const everybody = Array.from({ length: peopleCount }, (_, n) => n);
    const markers = everybody.flatMap(markersOf);
    const gone = new Set([...this.erased].flatMap(markersOf));
    const { traces } = await scanRecords(this.store.disk.path, markers);
    const files = scanFiles(this.dataDir, markers, isDatabase);
    const memory = [...markersIn(this.one.partition.snapshot(), markers)].map((marker) => ({
      place: 'memory',
      marker,
    }));
    const all = [...traces, ...files, ...memory];
    return {
      traces: all.filter(({ marker }) => gone.has(marker)),
      missing: everybody.filter(
        (n) =>
          !this.erased.has(n) &&
          !markersOf(n).every((marker) =>
            ['documents: subscribers', 'memory'].every(
              (place) =>
                (place === 'memory' && marker.startsWith('4')) ||
                all.some((one) => one.place === place && one.marker === marker),
            ),
          ),
      ),
    };
  }
}

const placesOf = (traces: readonly Trace[]) => [...new Set(traces.map(({ place }) => place))];

t.test('nothing of whoever was erased is left after a sweep, whenever it was', async (t) => {
  for (let seed = 1; seed <= tries(6); seed++) {
    const lives = new Lives(seed);
    await lives.begin();
    await lives.live(150, (through) => lives.checkpoint(through, false));
    await lives.erase(lives.somebody());
    await lives.one.advance(2 * hourMs); // sends that had ended are looked through
    await lives.sweep();
    await lives.sweep(); // two checkpoints are kept, and so the files of both
    const { traces, missing } = await lives.found();
    t.same(placesOf(traces), [], `seed ${seed}: ${lives.erased.size} were erased`);
    t.same(missing, [], 'everybody else is there');
    t.ok(lives.erased.size > 1);
    await lives.store.disk.close();
  }
});

t.test(
  'before the sweep it is found in old files and the log, and nowhere that a reader looks',
  async (t) => {
    const lives = new Lives(77);
    await lives.begin();
    await lives.live(60, (through) => lives.checkpoint(through, false), false);
    for (let n = 0; n < peopleCount; n++) {
      await lives.track(n);
      await lives.one.advance(hourMs); // past any pause of a channel
      await lives.send(n, true);
    }
    await lives.store.synced();
    lives.checkpoint(undefined, true);
    await lives.erase(3);
    const { traces } = await lives.found();
    const places = placesOf(traces);
    for (const place of [
      'history',
      'log: events.tracked',
      'log: subscriber.erased',
      'documents: sends',
      'documents: dead letters',
    ])
      t.ok(places.includes(place), `the scan finds what is in ${place}`);
    t.ok(places.some((place) => place.startsWith('checkpoint ')));
    t.notOk(places.includes('memory'), 'memory has forgotten at once');
    t.notOk(places.includes('documents: subscribers'));
    const [word] = markersOf(3);
    for (const query of [{ externalUserId: `${word}-id` }, {}]) {
      const { items } = await lives.one.value(lives.app, 'subscriber.list', {
        ...query,
        limit: 200,
      });
      t.equal(markersIn(items, markersOf(3)).size, 0);
    }
    const letters = await lives.one.value(lives.app, 'dead_letter.list', { limit: 200 });
    t.ok(letters.items.length > 0);
    t.equal(markersIn(letters, markersOf(3)).size, 0, 'what a provider said of them is not shown');
    for (const id of new Set(letters.items.map(({ sendId }) => sendId))) {
      const read = await lives.one.value(lives.app, 'transactional.read', { id });
      t.equal(markersIn(read, markersOf(3)).size, 0);
    }
    await lives.store.disk.close();
  },
);

t.test('by itself it is gone within a day, also where nothing else happens', async (t) => {
  for (const seed of [11, 12, 13].slice(-tries(3))) {
    const lives = new Lives(seed);
    await lives.begin();
    await lives.live(80, (through) => lives.checkpoint(through, false), false);
    await lives.store.synced();
    const seq = lives.store.disk.durableSeq;
    lives.checkpoint(seq, false);
    const log = { info() {}, error() {}, warn() {} } as unknown as Log;
    const { disk } = lives.store;
    const pool = {
      run: async (task: PoolTask) => {
        if (task.kind !== 'checkpoint') throw new Error(task.kind);
        return lives.checkpoint(task.through, task.sweep);
      },
    };
    const checkpoints = new Checkpoints({
      dataDir: lives.dataDir,
      pool,
      gate: new SharedGate(),
      clock: lives.clock,
      log,
      disk: { low: false, freeBytes: 1e12 },
    });
    checkpoints.add({
      index: 0,
      store: disk,
      figures: lives.one.partition.figures,
      seq,
      madeMs: lives.clock.nowMs,
      checkpointBytes: 1_000,
      tailEntries: 0,
      tailBytes: 0,
      heldBy: () => undefined,
    });
    // Later than the last checkpoint by anything up to a sweep's time, which is the worst case.
    await lives.one.advance(below(lives.rng, limits.sweepEveryMs));
    const erasedAt = lives.clock.nowMs;
    await lives.erase(2);
    for (; lives.clock.nowMs < erasedAt + dayMs; await lives.one.advance(minuteMs)) {
      await lives.store.synced();
      checkpoints.tick();
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    }
    const { traces, missing } = await lives.found();
    t.same(placesOf(traces), [], `seed ${seed}`);
    t.same(missing, []);
    await checkpoints.stop();
    await disk.close();
  }
});
