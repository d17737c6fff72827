// Journeys that really move people: by the app's actor, the dispatcher and adapters, on a clock that stands still until it is moved.

import t from 'tap';
import { JourneyClock } from '../../../actors/journeys/clock.ts';
import type { JourneysEntry } from '../../../actors/journeys/entries.ts';
import { limits } from '../../../actors/limits.ts';
import { decodeBlock } from '../../../engine/actor/block.ts';
import type { Entry } from '../../../engine/actor/message.ts';
import { hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { Documents } from '../../../storage/documents.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { TestPartition } from '../../support/partition.ts';
import { condition, goal, JourneyScene, send, wait } from './support/journey-scene.ts';

t.test('an event enrols in its own turn, waits are kept, and each step is sent once', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(2);
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [send('hello'), wait('day', 24), send('again')],
  });
  const seq = scene.one.partition.seq;
  await one.ask({ name: 'signup', user: 'user-0' }, { name: 'other', user: 'user-1' });
  t.equal(one.state.journeys.get(id)?.flow.runs.count, 1);
  t.equal(scene.one.partition.seq, seq + 1, 'one turn');
  await scene.run();
  t.same(one.sent, ['hello user-0']);
  await one.track({ name: 'signup', user: 'user-0' });
  t.same(one.sent, ['hello user-0'], 'once');
  await scene.advance(24 * hourMs - 1);
  t.same(one.sent, ['hello user-0']);
  await scene.advance(1);
  t.same(one.sent, ['hello user-0', 'again user-0']);
  t.same(await one.stats(id), {
    enrolled: 1,
    inFlow: 0,
    completed: 1,
    converted: 0,
    exited: 0,
    bySteps: {
      hello: { entered: 1, waiting: 0, sent: 1 },
      day: { entered: 1, waiting: 0, sent: 0 },
      again: { entered: 1, waiting: 0, sent: 1 },
    },
  });
  const told = one.stored('journey_enrolled', 'journey_completed', 'delivered');
  t.match(told, [
    { name: 'journey_enrolled', journeyId: id, person: 0 },
    { name: 'delivered', journeyId: id, meta: { journeyId: id } },
    { name: 'journey_completed', journeyId: id },
    { name: 'delivered', journeyId: id },
  ]);
  const seqs = one.stored().map(({ seq }) => seq);
  t.same(
    seqs,
    seqs.map((_, i) => i + 1),
    'events are numbered without a gap',
  );
  t.equal(one.state.nextEvent, seqs.length + 1);
});

t.test(
  'a goal converts by its event and nothing after it runs; without it the way goes on',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(3);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      reentry: 'always',
      steps: [goal('buy', 'order', 2), send('nudge')],
    });
    for (const user of ['user-0', 'user-1']) await one.track({ name: 'signup', user });
    await scene.advance(hourMs);
    await one.track({ name: 'order', user: 'user-0' });
    await scene.advance(2 * hourMs);
    t.same(one.sent, ['nudge user-1']);
    t.match(await one.stats(id), { enrolled: 2, converted: 1, completed: 1, inFlow: 0 });
    t.match(one.stored('journey_converted'), [{ person: one.person('user-0'), journeyId: id }]);
    await one.track({ name: 'signup', user: 'user-2' }, { name: 'order', user: 'user-2' });
    t.match(await one.stats(id), { enrolled: 3, converted: 2 }, 'both in one request, in order');
    await one.track(
      { name: 'signup', user: 'user-2' },
      { name: 'signup', user: 'user-2' },
      { name: 'order', user: 'user-2' },
      { name: 'signup', user: 'user-2' },
    );
    t.match(await one.stats(id), { enrolled: 5, converted: 3, inFlow: 1 }, 'never two at a time');
  },
);

t.test('a goal takes the time an event names: late, early and to come', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(5);
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [goal('buy', 'order', 2), send('nudge')],
  });
  const startMs = one.nowMs;
  await one.track(...[0, 1, 2, 3].map((i) => ({ name: 'signup', user: `user-${i}` })));
  await one.track({ name: 'order', user: 'user-0', at: startMs - 1 });
  t.match(await one.stats(id), { converted: 0 }, 'before the goal was reached');
  await scene.advance(2 * hourMs - 5 * minuteMs);
  await one.track(
    { name: 'order', user: 'user-0', at: startMs },
    { name: 'order', user: 'user-1', at: startMs + 2 * hourMs - 1 },
    { name: 'order', user: 'user-2', at: startMs + 2 * hourMs },
  );
  t.match(await one.stats(id), { converted: 2, inFlow: 2 }, 'the last instant is, the next is not');
  await scene.advance(5 * minuteMs);
  await one.track({ name: 'order', user: 'user-3', at: startMs + hourMs });
  t.match(await one.stats(id), { converted: 2, completed: 2 }, 'too late to stop the nudge');
  t.same([...one.sent].sort(), ['nudge user-2', 'nudge user-3']);
  await one.track({ name: 'signup', user: 'user-4', at: startMs - 30 * 24 * hourMs });
  t.match(await one.stats(id), { enrolled: 5 }, 'an event of long ago enrols when it comes');
});

t.test('the event that enrols converts nobody, and one that converts enrols nobody', async (t) => {
  const one = await JourneyScene.open();
  await one.scene.people(1);
  const { id } = await one.journey({
    triggerEvent: 'order',
    reentry: 'always',
    steps: [goal('buy', 'order', 2)],
  });
  await one.track({ name: 'order', user: 'user-0' });
  t.match(await one.stats(id), { enrolled: 1, inFlow: 1 });
  await one.track({ name: 'order', user: 'user-0' });
  t.match(await one.stats(id), { enrolled: 1, converted: 1, inFlow: 0 });
});

t.test(
  'conditions see the event that enrolled, and events of receipts move people too',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(1);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [
        condition('new?', { event: 'signup', withinDays: 1 }, [send('new')], [send('old')]),
        goal('landed', 'delivered', 1),
        send('lost'),
      ],
    });
    await one.track({ name: 'signup', user: 'user-0' });
    t.same(one.sent, ['new user-0']);
    t.match(await one.stats(id), { converted: 1 }, 'the receipt is heard in its turn');
  },
);

t.test('what journeys bring about enrols nobody, or they could go round for ever', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(1);
  const make = (triggerEvent: string) =>
    one.journey({ triggerEvent, reentry: 'always', steps: [send(triggerEvent)] });
  const first = await make('delivered');
  const second = await make('suppressed');
  await make('signup');
  await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'nobody' });
  t.same(one.sent, ['signup user-0']);
  t.equal(one.stored('suppressed').length, 1, 'nobody has no device');
  for (const { id } of [first, second]) t.match(await one.stats(id), { enrolled: 0 });
});

t.test(
  'a segment that is entered enrols in the turn of the cause; who is in may be taken in',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    const { app } = scene;
    await scene.people(5);
    const tag = (user: string) =>
      scene.one.value(app, 'subscriber.upsert', {
        subscriber: { externalUserId: user, tags: { plan: 'pro' } },
      } as never);
    await tag('user-0');
    await tag('user-1');
    const segment = await scene.one.value(app, 'segment.create', {
      name: 'pros',
      filter: { tag: 'plan', eq: 'pro' },
    });
    const { id } = await one.journey({ triggerSegmentId: segment.id, steps: [send('pro')] });
    await scene.run();
    t.same(one.sent, [], 'who is in is not taken');
    await tag('user-2');
    await scene.run();
    t.same(one.sent, ['pro user-2']);
    t.match(one.stored('journey_enrolled'), [{ person: one.person('user-2') }]);
    await one.live(id, { enrollExisting: true });
    t.same([...one.sent].sort(), ['pro user-0', 'pro user-1', 'pro user-2']);
    t.ok(one.state.journeys.get(id)?.awaited.isEmpty());
    await one.pause(id);
    t.equal(one.state.watches.size, 0, 'nobody follows it any more');
    await tag('user-3');
    await scene.run();
    t.equal(one.sent.length, 3);
  },
);

t.test(
  'whom time alone brings into a segment enrols at that instant, also after a crash',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(3);
    const filter = {
      all: [
        { event: 'visit', withinDays: 9 },
        { event: 'visit', notWithinDays: 2 },
      ],
    };
    const segment = await scene.one.value(scene.app, 'segment.create', { name: 'away', filter });
    const { id } = await one.journey({
      triggerSegmentId: segment.id,
      reentry: 'always',
      steps: [send('miss you')],
    });
    await one.track({ name: 'visit', user: 'user-0' });
    await scene.advance(hourMs);
    await one.track({ name: 'visit', user: 'user-1' });
    const dueMs = one.nowMs - hourMs + 48 * hourMs;
    await scene.advance(dueMs - one.nowMs - 1);
    t.same(one.sent, []);
    await scene.crash();
    await scene.advance(1);
    t.same(one.sent, ['miss you user-0']);
    t.match(one.stored('journey_enrolled'), [{ atMs: dueMs }]);
    await one.track({ name: 'visit', user: 'user-1' });
    await scene.advance(hourMs);
    t.equal(one.sent.length, 1, 'who came back in time does not enter');
    await one.track({ name: 'visit', user: 'user-0' });
    await scene.advance(48 * hourMs);
    t.same([...one.sent].sort(), ['miss you user-0', 'miss you user-0', 'miss you user-1']);
    t.match(await one.stats(id), { enrolled: 3, completed: 3 });
  },
);

t.test(
  'more than a turn takes are enrolled in slices, everybody once, also over a crash',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    const count = limits.journeySliceMax + 500;
    const rows = Array.from({ length: count }, (_, i) => ({
      externalUserId: `user-${i}`,
      tags: { plan: 'pro' },
    }));
    for (let from = 0; from < count; from += 500)
      await scene.one.value(scene.app, 'subscriber.import', {
        rows: rows.slice(from, from + 500),
      } as never);
    const segment = await scene.one.value(scene.app, 'segment.create', {
      name: 'pros',
      filter: { tag: 'plan', eq: 'pro' },
    });
    const { id } = await one.journey(
      {
        triggerSegmentId: segment.id,
        steps: [wait('w', 1), send('x')],
      },
      false,
    );
    const change = { input: {}, removed: [] };
    await scene.one.value(scene.app, 'journey.update', {
      id,
      change,
      active: true,
      enrollExisting: true,
    });
    await scene.crash();
    t.match(await one.stats(id), { enrolled: count, inFlow: count });
    await scene.advance(hourMs);
    t.match(await one.stats(id), { inFlow: 0, completed: count });
    t.equal(one.stored('suppressed').length, count, 'nobody has a device');
  },
);

t.test(
  'policy is asked at the instant of the send: quiet hours hold, caps and opt-outs suppress',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(2, ['fcm', 'email']);
    await scene.one.value(scene.app, 'settings.patch', {
      patch: {
        caps: [{ max: 1, perHours: 48 }],
        quietHours: { start: '22:00', end: '08:00', timezone: 'UTC' },
      },
    } as never);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [send('a'), send('b'), wait('w', 60), send('c')],
    });
    await scene.advance(23 * hourMs);
    await one.track({ name: 'signup', user: 'user-0' });
    t.same(one.sent, []);
    t.match(one.stored('deferred'), [
      { meta: { reason: 'quiet_hours', journeyId: id }, journeyId: id },
    ]);
    t.match(await one.stats(id), { bySteps: { a: { entered: 1, waiting: 1, sent: 0 } } });
    await scene.crash();
    await scene.advance(9 * hourMs);
    t.same(one.sent, ['a user-0'], 'the second of the same walk is over the cap');
    t.match(one.stored('suppressed'), [
      { meta: { reason: 'frequency_cap', journeyId: id }, journeyId: id },
    ]);
    await scene.advance(60 * hourMs);
    t.same(one.sent, ['a user-0', 'c user-0']);
    t.match(await one.stats(id), { completed: 1, bySteps: { b: { sent: 0 }, c: { sent: 1 } } });
    await scene.advance(100 * hourMs);
    await scene.one.value(scene.app, 'subscriber.patch', {
      ref: { externalUserId: 'user-1' },
      patch: { preferredChannels: ['email'] },
    } as never);
    await one.track({ name: 'signup', user: 'user-1' });
    t.match(one.stored('suppressed').at(-1), { meta: { reason: 'channel_preference' } });
  },
);

t.test('a quiet channel that goes along keeps to its cap at its own hour', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(1, ['fcm', 'email']);
  await scene.one.value(scene.app, 'settings.patch', {
    patch: {
      caps: [{ channel: 'fcm', max: 1, perHours: 24 }],
      quietHours: { start: '22:00', end: '08:00', timezone: 'UTC', channels: ['fcm'] },
    },
  } as never);
  const both = { channels: ['fcm', 'email'] };
  const steps = [
    send('a'),
    wait('w', 2),
    send('b', 'b', both),
    wait('v', 24),
    send('c', 'c', both),
  ];
  const { id } = await one.journey({ triggerEvent: 'signup', steps });
  await scene.advance(21 * hourMs);
  const simulated = await scene.one.value(scene.app, 'journey.simulate', {
    id,
    ref: { externalUserId: 'user-0' },
    events: [],
  });
  await one.track({ name: 'signup', user: 'user-0' });
  for (let hour = 0; hour < 48; hour++) await scene.advance(hourMs);
  const channels = scene.sent.map(({ content, channel }) => `${content.title} ${channel}`);
  t.same(channels, ['a user-0 fcm', 'b user-0 email', 'c user-0 email', 'c user-0 fcm']);
  t.equal(simulated.lines.filter(({ what }) => what === 'sent').length, 3);
});

t.test('the daily cap of an org holds until its next day', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(3);
  await scene.one.value(scene.org, 'org.set_limits', { dailySendCap: 2 } as never);
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
  await one.track(...[0, 1, 2].map((i) => ({ name: 'signup', user: `user-${i}` })));
  t.equal(one.sent.length, 2);
  t.match(one.stored('deferred'), [{ meta: { reason: 'daily_cap' } }]);
  await scene.advance(24 * hourMs);
  t.equal(one.sent.length, 3);
  t.match(await one.stats(id), { completed: 3 });
  const brief = { title: 'b', body: 'x', ttlSeconds: 3_600 };
  await one.journey({
    triggerEvent: 'order',
    steps: [{ id: 'b', type: 'send', message: brief, channels: ['fcm'] }],
  });
  await one.track(...[0, 1, 2].map((i) => ({ name: 'order', user: `user-${i}` })));
  t.equal(one.sent.length, 4, 'of the two of this day one was sent above');
  t.same(
    one.stored('suppressed').map(({ meta }) => meta?.['reason']),
    ['expired', 'expired'],
    'nobody is held for longer than the message lives',
  );
});

t.test(
  'who is under way exits at the next wake of a paused journey, and may not come twice',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(2);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      reentry: 'always',
      steps: [wait('w', 1), send('a')],
    });
    await one.track({ name: 'signup', user: 'user-0' });
    await one.pause(id);
    t.match(await one.stats(id), { inFlow: 1, bySteps: { w: { waiting: 0 } } });
    await one.live(id);
    await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
    t.match(await one.stats(id), { enrolled: 2 });
    await scene.advance(hourMs);
    t.same(one.sent, ['a user-1']);
    t.match(await one.stats(id), { exited: 1, completed: 1, inFlow: 0 });
  },
);

t.test(
  'content is that of when the journey went live, whatever becomes of its message',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(1);
    const messageId = await scene.message({ title: 'First', ttlSeconds: 60 });
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [wait('w', 1), { id: 's', type: 'send', messageId, channels: ['fcm'] }],
    });
    await one.track({ name: 'signup', user: 'user-0' });
    await scene.one.value(scene.app, 'message.update', {
      id: messageId,
      change: { content: { title: 'Second' }, removed: [] },
    } as never);
    await scene.advance(hourMs);
    t.same(one.sent, ['First']);
    const gone = await scene.one.ask(scene.app, 'message.delete', { id: messageId });
    t.match(gone, { ok: false, fault: { code: 'conflict', message: new RegExp(id) } });
  },
);

t.test('erased people leave, and merged ones go on once', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(2);
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1), send('a')] });
  await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
  await scene.one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  t.match(await one.stats(id), { exited: 1, inFlow: 1 });
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-1']);
  await scene.person('user-2', ['fcm']);
  await scene.person('user-3', ['fcm']);
  await one.track({ name: 'signup', user: 'user-2' });
  // As a login folds it: who was under way goes on as the person they turned out to be.
  const [person, into] = [one.person('user-2'), one.person('user-3')];
  const merged = { kind: 'subscriber.merged', owner: scene.app, person, into, atMs: one.nowMs };
  scene.one.product.apply(merged as Entry);
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-1', 'a user-3']);
  await one.track({ name: 'signup', user: 'user-3' });
  t.match(await one.stats(id), { enrolled: 3 }, 'once, for both of them');
});

t.test('what is simulated for somebody is what then happens to them', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(1, ['fcm', 'email'], { timezone: 'Asia/Bangkok' });
  await scene.one.value(scene.app, 'settings.patch', {
    patch: {
      caps: [{ max: 2, perHours: 30 }],
      quietHours: { start: '21:00', end: '08:00', timezone: 'subscriber', channels: ['fcm'] },
    },
  } as never);
  const { id } = await one.journey({
    triggerEvent: 'signup',
    steps: [
      send('a'),
      wait('w', 5),
      send('b'),
      goal('g', 'order', 3),
      send('c', 'c', { channels: ['email', 'fcm'] }),
      wait('v', 20),
      send('d'),
      send('e'),
    ],
  });
  await scene.advance(9 * hourMs);
  const walk = await scene.one.value(scene.app, 'journey.simulate', {
    id,
    ref: { externalUserId: 'user-0' },
    events: [{ name: 'visit', afterMinutes: 30 }],
  });
  t.match(await one.stats(id), { enrolled: 0 }, 'and nothing of it is recorded');
  const shown = walk.lines
    .filter(({ what }) => what === 'sent')
    .map((line) => [line.step, line.atMs]);
  await one.track({ name: 'signup', user: 'user-0' });
  for (let hour = 0; hour < 60; hour++) await scene.advance(hourMs);
  const steps = new Map<string, number>();
  for (const { content, acceptedMs } of scene.sent)
    steps.set((content.title ?? '').slice(0, 1), acceptedMs);
  t.same([...steps], shown);
  t.same(
    one.stored('suppressed', 'deferred').map(({ name, meta }) => [name, meta?.['reason']]),
    walk.lines
      .filter(({ what }) => what === 'suppressed' || what === 'held')
      .map(({ what, reason }) => [what === 'held' ? 'deferred' : what, reason]),
  );
  t.ok(shown.length > 2 && shown.length < 5, JSON.stringify(shown));
});

t.test(
  'memory is the same from the log and from a checkpoint, and the same wakes come',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(4);
    await one.journey({
      triggerEvent: 'signup',
      steps: [wait('w', 1), send('a'), goal('g', 'order', 5), send('b')],
    });
    for (let i = 0; i < 4; i++) {
      await one.track({ name: 'signup', user: `user-${i}` });
      await scene.advance(20 * minuteMs);
    }
    const { partition, store, clock } = scene.one;
    const before = structuredClone(one.state.journeys.snapshot());
    const checkpoint = { seq: partition.seq, memory: structuredClone(partition.snapshot()) };
    const taken = new TestPartition({ store, clock, checkpoint });
    t.same(taken.product.state.apps.get(scene.app)?.journeys.snapshot(), before);
    await scene.crash();
    t.same(one.state.journeys.snapshot(), before);
    await scene.advance(hourMs);
    t.equal(one.sent.length, 4);
  },
);

t.test('a small storm, killed at every turn, sends to each person once', async (t) => {
  const steps = [
    send('a'),
    condition('c', { tag: 'first_name', exists: true }, [wait('w', 1), send('b')]),
    goal('g', 'order', 2),
    send('d'),
  ];
  const people = 12;
  let turns = 1;
  for (let killed = 0; killed < turns; killed++) {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(people);
    const { id } = await one.journey({ triggerEvent: 'signup', steps });
    const first = scene.one.partition.seq;
    let isKilled = false;
    const kill = async () => {
      if (isKilled || scene.one.partition.seq - first < killed) return;
      isKilled = true;
      await scene.crash();
    };
    for (let i = 0; i < people; i += 4) {
      await one.ask(...[0, 1, 2, 3].map((k) => ({ name: 'signup', user: `user-${i + k}` })));
      await kill();
      await scene.run();
      await kill();
    }
    for (let minutes = 0; minutes < 240; minutes += 20) {
      scene.one.clock.nowMs += 20 * minuteMs;
      await scene.one.settle();
      await kill();
      await scene.run();
      await kill();
      if (minutes === 60) await one.ask({ name: 'order', user: 'user-0' });
    }
    turns = Math.max(turns, scene.one.partition.seq - first);
    const wanted = Array.from({ length: people }, (_, i) =>
      ['a', 'b', 'd'].map((title) => `${title} user-${i}`),
    )
      .flat()
      .filter((title) => title !== 'd user-0');
    t.same(
      [...new Set(one.sent)].sort(),
      wanted.sort(),
      `killed at turn ${killed}: nobody is left out`,
    );
    const queued = new Map<string, Set<string>>();
    for (const { content, sendId } of scene.sent) {
      const title = content.title ?? '';
      queued.set(title, (queued.get(title) ?? new Set()).add(sendId));
    }
    t.ok(
      [...queued.values()].every(({ size }) => size === 1),
      'one send each',
    );
    t.match(await one.stats(id), {
      enrolled: people,
      completed: people - 1,
      converted: 1,
      inFlow: 0,
    });
  }
  t.ok(turns > 12, `${turns} turns`);
});

t.test(
  'an event that nobody listens for makes no message; columns that are not whole make people wait',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(1);
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [
        condition('c', { event: 'order', withinDays: 5, atLeast: 2 }, [send('a')], [send('b')]),
      ],
    });
    t.equal(one.state.journeys.listeners.to('other'), undefined);
    await one.track({ name: 'order', user: 'user-0' }, { name: 'order', user: 'user-0' });
    await one.track({ name: 'signup', user: 'user-0' });
    t.match(await one.stats(id), { bySteps: { c: { entered: 1, waiting: 1 } } });
    const { traits } = one.state;
    traits.collect('order', 2);
    for (let i = 0; i < 2; i++) traits.counted.get('order')?.times.add(0, one.nowMs - i, 1);
    traits.becomeWhole('order');
    await scene.advance(1000);
    t.same(one.sent, ['a user-0']);
  },
);

t.test(
  'after a restore that resends nothing, who was due before waits for the operator',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(2);
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1), send('a')] });
    await one.track({ name: 'signup', user: 'user-0' });
    await scene.advance(30 * minuteMs);
    await one.track({ name: 'signup', user: 'user-1' });
    const { store, clock } = scene.one;
    clock.nowMs += 45 * minuteMs;
    scene.one = new TestPartition({
      store,
      clock,
      restored: { epoch: 2, resend: 'none', erased: () => [] },
    });
    await scene.run();
    t.same(one.sent, []);
    await scene.advance(hourMs);
    t.same(one.sent, ['a user-1'], 'who came due since goes on');
    await scene.one.value(scene.app, 'journeys.release', {});
    t.equal(one.state.journeys.get(id)?.heldMs, 0);
    await scene.advance(1);
    t.same(one.sent, ['a user-1', 'a user-0']);
    one.state.journeys.hold(one.nowMs);
    await one.live(id);
    t.equal(one.state.journeys.get(id)?.heldMs, 0, 'its author lets them go on, too');
  },
);

t.test(
  'a storm leaves the outbox to others: sends wait for room, and nobody is left out',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(2);
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a')] });
    const { outbox } = one.state;
    for (let i = 1; i < limits.outboxJourneysMax; i++)
      outbox.add({
        sendId: `${i}`,
        person: 99,
        acceptedMs: 1,
        expiresMs: null,
        targets: [],
        open: 1,
      });
    await one.track({ name: 'signup', user: 'user-0' }, { name: 'signup', user: 'user-1' });
    t.equal(one.sent.length, 1);
    t.match(await one.stats(id), { inFlow: 1, bySteps: { a: { waiting: 1, sent: 1 } } });
    await scene.advance(10_000);
    t.equal(one.sent.length, 2);
    t.match(await one.stats(id), { completed: 2 });
  },
);

t.test(
  'who comes in a storm that is dear to decide about is written down, and enrols soon',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    const tags = Array.from({ length: 100 }, (_, i) => ({ tag: `t${i}`, exists: true }));
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [condition('c', { any: tags }, [], [wait('w', 1)])],
    });
    const users = Array.from({ length: 900 }, (_, i) => ({ name: 'signup', user: `user-${i}` }));
    await one.ask(...users);
    const blocks = [...scene.one.store.blocks(1, 1e9)].map(({ block }) =>
      decodeBlock(block).entries.map(({ kind }) => kind),
    );
    t.same(
      blocks.find((kinds) => kinds.includes('events.tracked')),
      ['events.tracked', 'journey.moved', 'journey.awaited'],
      'a slice in the turn of the events, the rest in those after it',
    );
    await scene.crash();
    t.match(await one.stats(id), { enrolled: 900, inFlow: 900 });
    t.ok(one.state.journeys.get(id)?.awaited.isEmpty());
  },
);

t.test(
  'of a journey that is deleted nothing leaves any more, and nothing of it is kept',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.people(1, ['fcm', 'email']);
    await scene.one.value(scene.app, 'settings.patch', {
      patch: { quietHours: { start: '22:00', end: '08:00', timezone: 'UTC', channels: ['fcm'] } },
    } as never);
    await scene.advance(23 * hourMs);
    const both = { channels: ['fcm', 'email'] };
    const { id } = await one.journey({ triggerEvent: 'signup', steps: [send('a', 'a', both)] });
    await one.track({ name: 'signup', user: 'user-0' });
    t.equal(scene.sent.length, 1, 'by mail; the phone is quiet');
    await one.pause(id);
    await scene.one.value(scene.app, 'journey.delete', { id });
    await scene.advance(10 * hourMs);
    t.equal(scene.sent.length, 1);
    t.match(one.stored('suppressed'), [{ meta: { reason: 'expired', journeyId: id } }]);
    const reader = new Documents(scene.one.store).bound(scene.app);
    t.equal(reader.get(contentCopies, [`${id}/a`]), undefined);
  },
);

t.test(
  'what somebody was sent before they said who they are is heard by their own goal',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.settings({ identityVerification: 'open' });
    const { id } = await one.journey({
      triggerEvent: 'signup',
      steps: [goal('landed', 'delivered', 24)] as never,
    });
    const { become } = await scene.anonymous('fcm', 'stranger');
    await scene.people(1, ['email']);
    await one.track({ name: 'signup', user: 'user-0' });
    const campaign = await scene.campaign();
    const release = scene.hold();
    await scene.send(campaign.id);
    t.equal(scene.sent.length, 1);
    await become('user-0');
    await release();
    t.match(await one.stats(id), { converted: 1, inFlow: 0 });
  },
);

t.test('a step may be called as what every object has', async (t) => {
  const one = await JourneyScene.open();
  await one.scene.people(1);
  one.scene.answers = () => ({ outcome: 'retry', reason: 'busy' });
  await one.journey({ triggerEvent: 'signup', steps: [send('toString')] as never });
  await one.track({ name: 'signup', user: 'user-0' });
  t.match([...one.state.outbox.jobs.values()], [{ expiresMs: null }]);
});

t.test(
  'what somebody was sent before they said who they are brings them into a segment',
  async (t) => {
    const one = await JourneyScene.open();
    const { scene } = one;
    await scene.settings({ identityVerification: 'open' });
    const segment = await scene.one.value(scene.app, 'segment.create', {
      name: 'reached',
      filter: { event: 'delivered', withinDays: 7 },
    });
    const { id } = await one.journey({ triggerSegmentId: segment.id, steps: [wait('w', 1)] });
    const { become } = await scene.anonymous('fcm', 'stranger');
    await scene.people(1, ['email']);
    const campaign = await scene.campaign();
    const release = scene.hold();
    await scene.send(campaign.id);
    t.equal(scene.sent.length, 1);
    await become('user-0');
    await release();
    t.match(await one.stats(id), { enrolled: 1 });
  },
);

t.test('whom a journey awaits do not keep those of another waiting', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  const filter = { tag: 'plan', eq: 'pro' };
  const make = (name: string, of: object) =>
    scene.one.value(scene.app, 'segment.create', { name, filter: of } as never);
  const many = await make('many', filter);
  const few = await make('few', { tag: 'plan', eq: 'free' });
  await scene.people(4 * limits.turnWakesSharedMax, ['fcm'], { tags: { plan: 'pro' } });
  await scene.people(1, ['fcm'], { tags: { plan: 'free' } }, 'free');
  const steps = [wait('w', 1)];
  const [large, small] = await Promise.all(
    [many, few].map(({ id }) => one.journey({ triggerSegmentId: id, steps }, false)),
  );
  const change = { input: {}, removed: [] };
  await Promise.all(
    [large, small].map((journey) =>
      scene.one.value(scene.app, 'journey.update', {
        id: journey?.id ?? '',
        change,
        active: true,
        enrollExisting: true,
      }),
    ),
  );
  await scene.run();
  const moved: string[] = [];
  for (const { entries } of scene.blocks())
    for (const entry of entries as readonly JourneysEntry[])
      if (entry.kind === 'journey.moved') moved.push(entry.journeyId);
  t.equal(moved.filter((id) => id === large?.id).length, 4);
  t.ok(moved.indexOf(small?.id ?? '') <= 2, `it has its turn between: ${moved.join()}`);
});

t.test('who is awaited and cannot be decided about is asked in a minute', async (t) => {
  const one = await JourneyScene.open();
  const { scene } = one;
  await scene.people(1);
  const { id } = await one.journey({ triggerEvent: 'signup', steps: [wait('w', 1)] });
  const { state } = scene.one.product;
  const { nowMs } = one;
  state.apps.get(scene.app)?.journeys.get(id)?.awaited.set(0);
  const clock = new JourneyClock();
  clock.begin(state);
  t.match(clock.due(state, nowMs, false), [{ message: { kind: 'journey.admit', id } }]);
  t.equal(clock.nextMs, nowMs + minuteMs);
  t.same(clock.due(state, nowMs + 1, false), []);
  t.equal(clock.due(state, nowMs + minuteMs, false).length, 1);
});
