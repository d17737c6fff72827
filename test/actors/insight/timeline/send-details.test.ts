// What is kept of a send's calls: each one that another has to follow, while the send is open and
// in its row afterwards; through restarts and checkpoints, within a bound, and nothing of what was
// said once the person is erased.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { StoryEntry } from '../../../../actors/insight/timeline/protocol.ts';
import { storyOfSend } from '../../../../actors/insight/timeline/send-story.ts';
import { limits } from '../../../../actors/limits.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';

const busy: Outcome = { outcome: 'retry', reason: 'unavailable', detail: '503 down' };
const pause: Outcome = { outcome: 'rate', reason: 'throttled', retryAfterMs: 5_000 };
const lost: Outcome = { outcome: 'ambiguous', reason: 'connection_lost' };
const taken: Outcome = { outcome: 'accepted', providerMessageId: 'm-1' };

class Scene {
  one: TestPartition;
  readonly app: number;

  private constructor(one: TestPartition, app: number) {
    this.one = one;
    this.app = app;
  }

  static async begin(): Promise<Scene> {
    const { one, app } = await partitionWithApp();
    await one.value(app, 'subscriber.upsert', {
      subscriber: { externalUserId: 'u', devices: [{ channel: 'fcm', endpoint: 'phone' }] },
    } as never);
    return new Scene(one, app);
  }

  async send(): Promise<string> {
    const { id } = await this.one.value(this.app, 'transactional.accept', {
      request: { to: { externalUserId: 'u' }, title: 'T', body: 'B' },
      claim: null,
    });
    return id;
  }

  /** Answers what was granted, and lets time pass until it is due again. */
  async answer(outcome: Outcome): Promise<void> {
    for (const { channel, attempts } of this.one.takeGrants())
      await this.one.value(this.app, 'dispatch.report', {
        channel,
        reports: attempts.map(({ target, attempt: { sendId, attempt } }) => ({
          sendId,
          target,
          attempt,
          outcome,
        })),
      });
  }

  async story(id: string): Promise<readonly StoryEntry[]> {
    const { told, readMs } = await this.one.value(this.app, 'send.explain', {
      id,
      withStory: true,
      withContent: false,
    });
    return storyOfSend(told, id, readMs);
  }

  restart(withCheckpoint: boolean): void {
    const { store, clock, partition } = this.one;
    const checkpoint = { seq: store.durableSeq, memory: partition.snapshot() };
    this.one = new TestPartition({
      store,
      clock: testClock(clock.nowMs),
      ...(withCheckpoint ? { checkpoint } : {}),
    });
  }
}

const codes = (story: readonly StoryEntry[]) => story.map(({ code }) => code);

t.test('every call that another follows is told in its order, with what was said', async (t) => {
  for (const restarts of [undefined, false, true]) {
    const scene = await Scene.begin();
    const id = await scene.send();
    t.same(codes(await scene.story(id)), ['accepted', 'under_way']);
    for (const outcome of [busy, pause, lost]) {
      await scene.answer(outcome);
      if (restarts !== undefined) scene.restart(restarts);
      await scene.one.advance(15 * minuteMs);
    }
    const open = await scene.story(id);
    const calls = ['attempt_not_taken', 'attempt_paused', 'attempt_unanswered'];
    t.same(codes(open), ['accepted', ...calls, 'under_way'], `restarts: ${restarts}`);
    t.match(open.slice(1, 4), [
      { attempt: 1, reason: 'unavailable', detail: '503 down' },
      { attempt: 2, reason: 'throttled' },
      { attempt: 2, reason: 'connection_lost' },
    ]);
    await scene.answer(taken);
    if (restarts !== undefined) scene.restart(restarts);
    const done = await scene.story(id);
    t.same(codes(done), ['accepted', ...calls, 'delivered']);
    t.same(done.slice(0, 4), open.slice(0, 4), 'what was told stays told');
    t.match(done.at(-1), { attempt: 3, providerMessageId: 'm-1' });
  }
});

t.test('a send in wait says until when, and its channel what it waits for', async (t) => {
  const scene = await Scene.begin();
  const [waits, behind] = [await scene.send(), await scene.send()];
  await scene.answer(pause);
  const story = await scene.story(waits);
  const last = story.at(-1);
  t.match(last, { code: 'channel_paused', next: { code: 'resume' } });
  t.ok((last?.next?.atMs ?? 0) >= scene.one.clock.nowMs + 5_000);
  t.match((await scene.story(behind)).at(-1), { code: 'channel_paused' });
  const third = await scene.send();
  t.match((await scene.story(third)).at(-1), {
    code: 'channel_paused',
    next: { code: 'resume', atMs: scene.one.clock.nowMs + 5_000 },
  });
  const other = await Scene.begin();
  await other.send();
  await other.answer({ outcome: 'config', reason: 'unauthenticated' });
  t.match((await other.story(await other.send())).at(-1), {
    code: 'channel_refused',
    next: { code: 'probe', atMs: other.one.clock.nowMs + limits.circuitBaseMs },
  });
});

t.test('calls are kept within a bound: the newest', async (t) => {
  const scene = await Scene.begin();
  const id = await scene.send();
  const startMs = scene.one.clock.nowMs;
  for (let i = 0; i < limits.triesKept + 9; i++) {
    await scene.answer(pause);
    await scene.one.advance(60_000);
  }
  const calls = (await scene.story(id)).filter(({ kind }) => kind === 'attempt');
  t.equal(calls.length, limits.triesKept);
  t.equal(calls[0]?.atMs, startMs + 9 * 60_000);
});

t.test('of an erased person nothing is told that a provider said', async (t) => {
  const scene = await Scene.begin();
  const id = await scene.send();
  await scene.answer(busy);
  await scene.one.advance(15 * minuteMs);
  await scene.answer({ outcome: 'permanent', reason: 'bad_request', detail: 'for phone' });
  t.match((await scene.story(id)).at(-1), { detail: 'for phone' });
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'u' } });
  for (let hour = 0; hour < 3; hour++) {
    const story = await scene.story(id);
    t.same(codes(story), ['accepted', 'attempt_not_taken', 'bounced']);
    t.notOk(JSON.stringify(story).includes('503'));
    t.notOk(JSON.stringify(story).includes('phone'));
    await scene.one.advance(3_600_000);
  }
});

t.test('another org is told nothing of a send, open or done', async (t) => {
  const scene = await Scene.begin();
  const id = await scene.send();
  const stranger = scene.app + 4096 * 7;
  const read = () =>
    scene.one.value(
      scene.app,
      'send.explain',
      { id, withStory: true, withContent: false },
      { by: stranger },
    );
  t.match(await read(), { send: { status: 'pending', outcomes: [] }, told: { kind: 'unknown' } });
  await scene.answer(taken);
  t.match(await read(), { send: { status: 'pending', outcomes: [] }, told: { kind: 'unknown' } });
  t.match(
    await scene.one.value(scene.app, 'send.explain', { id, withStory: true, withContent: false }),
    {
      send: { status: 'delivered' },
    },
  );
});
