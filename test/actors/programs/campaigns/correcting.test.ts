// What an author corrects after a campaign was sent: its schedule, its texts, what it sends next.

import t from 'tap';
import type { CampaignChange } from '../../../../actors/programs/campaigns/protocol.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { Documents } from '../../../../storage/documents.ts';
import { contentCopies } from '../../../../storage/tables/content-copy.ts';
import { Scene } from './scene.ts';

const hourly = { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' } as const;

const change = (scene: Scene, id: string, input: CampaignChange['input']) =>
  scene.one.value(scene.app, 'campaign.update', { id, change: { input, removed: [] } });

const rewrite = (scene: Scene, id: string, body: string) =>
  scene.one.value(scene.app, 'message.update', { id, change: { content: { body }, removed: [] } });

const bodies = (scene: Scene) => scene.sent.map(({ content }) => content.body);

const variantsOf = (a: string, b: string) => [
  { id: 'a', weight: 1, messageId: a },
  { id: 'b', weight: 1, messageId: b },
];

t.test('a scheduled campaign goes back to a draft, is changed and sent again', async (t) => {
  const scene = await Scene.withPeople(2);
  const atMs = scene.one.clock.nowMs + 3 * hourMs;
  const { id } = await scene.sentCampaign({ schedule: { type: 'at', atMs } });
  t.match(await scene.refusal('update', id, { change: { input: {}, removed: [] } }), /unschedule/);
  const draft = await scene.verb('unschedule', id);
  t.match(draft, { state: 'draft', nextMs: undefined, activatedMs: undefined });
  await scene.crash();
  await scene.advance(dayMs);
  t.equal(scene.sent.length, 0, 'nothing left');
  t.match(await scene.refusal('unschedule', id), /^wrong_state: this campaign is a draft/);
  await change(scene, id, { schedule: { type: 'now' } });
  await scene.send(id);
  t.match(await scene.stats(id), { state: 'completed', delivered: 2 });
  t.match(await scene.refusal('unschedule', id), /is completed; it cannot be unscheduled/);
});

t.test('what is being sent is not unscheduled, and between occurrences it is', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.campaign({ schedule: hourly });
  const release = scene.hold();
  await scene.send(id);
  await scene.advance(hourMs);
  const until =
    /^wrong_state: this campaign is sending; it cannot be \w+ until its current occurrence/;
  t.match(await scene.refusal('unschedule', id), until);
  t.match(await scene.refusal('update', id, { change: { input: {}, removed: [] } }), until);
  await release();
  await scene.verb('unschedule', id);
  const before = scene.sent.length;
  await scene.advance(dayMs);
  t.equal(scene.sent.length, before);
  t.match(await scene.stats(id), { state: 'draft', delivered: before }, 'its stats stay');
  await change(scene, id, { schedule: { type: 'now' } });
  await scene.send(id);
  const { occurrences } = await scene.stats(id);
  t.same(
    occurrences.map(({ number }) => number),
    before === 2 ? [2, 1] : [3, 2, 1],
  );
  t.match(await scene.stats(id), { state: 'completed', delivered: before + 2 });
  t.ok(scene.isMemoryOfLog());
});

t.test('a message is copied when an occurrence begins, each time anew', async (t) => {
  const scene = await Scene.withPeople(1);
  const messageId = await scene.message({ body: 'one' });
  const { id } = await scene.sentCampaign({ messageId, schedule: hourly });
  const start = scene.sent.length;
  await rewrite(scene, messageId, 'two');
  await scene.advance(hourMs);
  t.same(bodies(scene).slice(start), ['two'], 'edited after send, before the start');
  await scene.crash();
  await scene.advance(hourMs);
  t.same(bodies(scene).slice(start), ['two', 'two']);
  const copies = () =>
    new Documents(scene.one.store).bound(scene.app).range(contentCopies, { limit: 100 }).length;
  const few = copies();
  await scene.advance(hourMs);
  t.equal(copies(), few, 'no copy of what was copied before');
  await rewrite(scene, messageId, 'three');
  await scene.advance(hourMs);
  t.equal(bodies(scene).at(-1), 'three');
  t.equal(copies(), few + 1);
  await scene.verb('cancel', id);
  await scene.one.value(scene.app, 'campaign.delete', { id });
  t.equal(copies(), 0, 'all copies go with the campaign');
});

t.test('an occurrence under way keeps its text, also for a retry and after a kill', async (t) => {
  const scene = await Scene.withPeople(300);
  const [a, b] = [await scene.message({ body: 'a1' }), await scene.message({ body: 'b1' })];
  const { id } = await scene.campaign({ messageId: a, variants: variantsOf(a, b) });
  let isFirst = true;
  scene.answers = () => {
    if (!isFirst) return { outcome: 'accepted' };
    isFirst = false;
    return { outcome: 'retry', reason: 'http_503' };
  };
  const release = scene.hold();
  await scene.send(id);
  await rewrite(scene, a, 'a2');
  await rewrite(scene, b, 'b2');
  await release();
  await scene.crash();
  await scene.advance(hourMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 300 });
  t.same([...new Set(bodies(scene))].sort(), ['a1', 'b1']);
});

t.test('a recurring campaign is edited between occurrences, and its past stays', async (t) => {
  const scene = await Scene.withPeople(200);
  const [a, b] = [await scene.message({ body: 'a' }), await scene.message({ body: 'b' })];
  const { id } = await scene.sentCampaign({
    messageId: a,
    variants: variantsOf(a, b),
    goal: { event: 'order', withinHours: 48 },
    ifLate: 'send',
    schedule: { ...hourly, every: 'day', at: '12:00' },
  });
  await scene.advance(dayMs);
  const first = await scene.stats(id);
  t.match(first, { sent: 200, state: 'sending' });
  const edited = await scene.one.value(scene.app, 'campaign.update', {
    id,
    change: {
      input: {
        messageId: b,
        schedule: { ...hourly, every: 'day', at: '13:00' },
        goal: { event: 'visit', withinHours: 1 },
      },
      removed: ['variants'],
    },
  });
  t.match(edited, { state: 'sending', variants: undefined });
  t.equal(new Date(edited.nextMs ?? 0).getUTCHours(), 13);
  await scene.track('user-1', 'order');
  await scene.track('user-1', 'visit');
  const { byVariant, converted } = await scene.stats(id);
  t.equal(converted, 1, 'by the goal it was sent with, once');
  t.equal((byVariant['a']?.converted ?? 0) + (byVariant['b']?.converted ?? 0), 1);
  t.ok(await scene.moveByCheckpoint());
  await scene.advance(dayMs);
  t.same([...new Set(bodies(scene).slice(200))], ['b']);
  await scene.track('user-2', 'order');
  await scene.track('user-2', 'visit');
  const { occurrences } = await scene.stats(id);
  t.same(
    occurrences.map((one) => one.converted),
    [1, 2],
    'each by its own goal',
  );
  t.ok(await scene.moveByCheckpoint());
});

t.test('an edit that would end the schedule, or make it another kind, is refused', async (t) => {
  const scene = await Scene.withPeople(1);
  const { id } = await scene.sentCampaign({ schedule: hourly });
  await scene.advance(hourMs);
  const to = (schedule: object) => ({ change: { input: { schedule }, removed: [] } });
  t.match(await scene.refusal('update', id, to({ type: 'now' })), /expected recurring/);
  const none = { change: { input: {}, removed: ['schedule'] } };
  t.match(await scene.refusal('update', id, none), /expected recurring/);
  const endMs = scene.one.clock.nowMs + 1;
  t.match(await scene.refusal('update', id, to({ ...hourly, endMs })), /leaves no/);
});

t.test('a dry run does not stand for a message that was edited after it', async (t) => {
  const scene = await Scene.withPeople(1);
  const messageId = await scene.message();
  const { id } = await scene.campaign({ messageId });
  const run = async () => {
    const begun = await scene.one.value(scene.app, 'dry_run.begin', { id });
    await scene.one.value(scene.app, 'dry_run.end', { ...begun, id, parts: 0 });
    return begun.dryRunId;
  };
  const dryRunId = await run();
  await scene.one.advance(1);
  await rewrite(scene, messageId, 'other');
  const refused = await scene.refusal('send', id, { dryRunId });
  t.match(refused, /^changed: dryRunId: the message msg_\w+ was changed after the dry run/);
  t.equal(await scene.refusal('send', id, { dryRunId: await run() }), 'accepted');
});

t.test('an archived campaign keeps its stats and ends only once', async (t) => {
  const scene = await Scene.withPeople(1);
  const { id } = await scene.sentCampaign();
  const { endedMs } = await scene.one.value(scene.app, 'campaign.read', { id });
  const put = await scene.one.value(scene.app, 'campaign.archive', { id });
  t.ok((put.updatedMs ?? 0) > (endedMs ?? 0), 'not the save that ended it');
  t.same(await scene.one.value(scene.app, 'campaign.archive', { id }), put);
  const list = async (archived?: 'only' | 'all') =>
    (await scene.one.value(scene.app, 'campaign.list', { limit: 9, ...(archived && { archived }) }))
      .items.length;
  t.same([await list(), await list('only'), await list('all')], [0, 1, 1]);
  t.match(await scene.stats(id), { delivered: 1 });
  const back = await scene.one.value(scene.app, 'campaign.unarchive', { id });
  t.equal(back.archivedMs, undefined);
  t.same([await list(), await list('only'), await list('all')], [1, 0, 1]);
  const { id: later } = await scene.campaign({ schedule: hourly });
  await scene.send(later);
  t.match(
    await scene.refusal('archive', later),
    /^wrong_state: this campaign is \w+; it cannot be arch/,
  );
});

t.test(
  'the first occurrence is the first instant of its clock time, and counts from there',
  async (t) => {
    const scene = await Scene.withPeople(1);
    await scene.advance(hourMs);
    const [nowMs, at] = [scene.one.clock.nowMs, '00:01'];
    // 00:01 has passed today, 23:59 has not.
    const cases = [
      [{ every: 'day', interval: 2, at }, 1],
      [{ every: 'day', interval: 2, at: '23:59' }, 0],
      [{ every: 'week', interval: 2, at }, 1],
      [{ every: 'week', interval: 3, weekdays: [0, 1, 2, 3, 4, 5, 6], at }, 1],
      [{ every: 'day', interval: 5, at, startMs: nowMs + 3 * dayMs }, 4],
    ] as const;
    for (const [schedule, days] of cases) {
      const recurring = { type: 'recurring', timezone: 'UTC', ...schedule } as const;
      const { id } = await scene.campaign({ schedule: recurring, ifLate: 'send' });
      const { nextMs = 0 } = await scene.send(id);
      t.equal(
        Math.floor(nextMs / dayMs) - Math.floor(nowMs / dayMs),
        days,
        JSON.stringify(schedule),
      );
      await scene.verb('cancel', id);
    }
    const { id } = await scene.campaign({
      schedule: { type: 'recurring', timezone: 'UTC', every: 'day', interval: 2, at },
      ifLate: 'send',
    });
    const { nextMs: first = 0 } = await scene.send(id);
    await scene.advance(first - scene.one.clock.nowMs);
    const { nextMs } = await scene.one.value(scene.app, 'campaign.read', { id });
    t.equal((nextMs ?? 0) - first, 2 * dayMs);
  },
);
