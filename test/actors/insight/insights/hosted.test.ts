// Insights in a shard: the actor's facts, a pool thread, and the transferred copies.

import t from 'tap';
import type {
  EventFunnel,
  Growth,
  Heatmap,
  Retention,
  Trends,
} from '../../../../actors/insight/insights/protocol.ts';
import { hostShard } from '../../../../actors/runtime/host.ts';
import type { CheckpointRequest } from '../../../../actors/runtime/protocol.ts';
import { sandboxSenders } from '../../../../actors/tenants/accounts/sender.ts';
import type { Message } from '../../../../engine/actor/message.ts';
import { Router } from '../../../../engine/actor/router.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { inlineHost } from '../../../../engine/thread/host.ts';
import { systemClock } from '../../../../engine/time/clock.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';

t.test(
  'a shard answers every insight from its pool, alike before and after a checkpoint',
  async (t) => {
    const host = inlineHost(
      hostShard,
      {
        index: 0,
        shards: 1,
        partitions: 1,
        dispatchers: 0,
        dataDir: temporaryDirectory(),
        erasuresDir: undefined,
        backupDays: 30,
        masterKey: Buffer.alloc(32, 7).toString('base64'),
        publicUrl: 'http://engage.test',
        logLevel: 'error',
        hasRelay: false,
        credentialsRequired: false,
        charges: false,
        senders: sandboxSenders,
        allowHttpEndpoints: true,
      },
      [],
    );
    await host.ready;
    const router = new Router({ partitions: 1, shards: [host.port], clock: systemClock });
    const answerTo = (to: number, kind: string, body: object = {}, bytes?: Uint8Array) =>
      router.ask(to, { kind, by: -1, ...body } as Message, bytes === undefined ? {} : { bytes });
    const ask = async <Reply>(...asked: Parameters<typeof answerTo>): Promise<Reply> => {
      const answer = await answerTo(...asked);
      if (!answer.ok) throw new Error(answer.fault.message);
      return answer.value as Reply;
    };
    const { org } = await ask<{ org: { ordinal: number } }>(6, 'org.create', {
      orgId: 'org_00000000000000000000000000',
      name: 'Acme',
      parentOrgId: null,
      key: {
        id: 'key_00000000000000000000000000',
        keyId: '000000000000',
        secretHash: Buffer.alloc(32),
      },
    });
    const { ordinal: app } = await ask<{ ordinal: number }>(org.ordinal, 'app.create', {
      name: 'Shop',
      timezone: 'UTC',
      vapid: { publicKey: 'public', privateKey: 'private' },
    });
    // Enough people to turn columns from maps into arrays, which are transferred.
    const people = 6_600;
    const at = new Date(systemClock.now() - 2 * dayMs).toISOString();
    for (let from = 0; from < people; from += 330) {
      const events = Array.from({ length: 330 }, (_, i) => [
        { name: 'visit', externalUserId: `user-${from + i}`, at },
        { name: i % 2 === 0 ? 'order' : 'look', externalUserId: `user-${from + i}` },
        { name: 'opened', externalUserId: `user-${from + i}` },
      ]);
      await ask(
        app,
        'events.ingest',
        { keyless: false },
        Buffer.from(JSON.stringify({ events: events.flat() })),
      );
    }
    const all = async () => {
      const filter = { event: 'order', withinDays: 1 };
      const steps = ['visit', 'order'];
      const [trends, growth, funnel, filtered, retention, rfm] = [
        await ask<Trends>(app, 'insight.trends', { interval: 'day', days: 90 }),
        await ask<Growth>(app, 'insight.growth', { interval: 'day', days: 90 }),
        await ask<EventFunnel>(app, 'insight.funnel', { steps, days: 30 }),
        await ask<EventFunnel>(app, 'insight.funnel', { steps, days: 30, filter }),
        await ask<Retention>(app, 'insight.retention', { interval: 'month', periods: 2 }),
        await ask(app, 'insight.rfm', {}),
      ];
      const health = await ask(app, 'insight.channel_health', {});
      const failures = await ask(app, 'insight.failures', { limit: 10 });
      const heatmap = await ask<Heatmap>(app, 'insight.heatmap', {});
      return { trends, growth, funnel, filtered, retention, rfm, health, failures, heatmap };
    };
    const young = await all();
    const totals = young.trends.events.map(({ name, counts }) => [
      name,
      counts.reduce((a, b) => a + b),
    ]);
    t.same(totals, [
      ['opened', people],
      ['visit', people],
      ['look', people / 2],
      ['order', people / 2],
    ]);
    t.equal(young.growth.total.at(-1), people);
    t.equal(
      young.heatmap.cells.reduce((all, { opened }) => all + opened, 0),
      people,
    );
    t.same([young.health, young.failures], [{ channels: [] }, { items: [] }]);
    t.same(
      young.funnel.steps.map(({ count }) => count),
      [people, people / 2],
    );
    t.same(
      young.filtered.steps.map(({ count }) => count),
      [people / 2, people / 2],
    );
    t.equal(
      young.retention.cohorts.reduce((sum, one) => sum + one.people, 0),
      people,
    );
    const checkpoint: CheckpointRequest = { kind: 'thread.checkpoint', partition: 0 };
    t.match(await router.askShard(0, checkpoint), { value: { outcome: 'made' } });
    const old = await all();
    t.same(old.trends.events, young.trends.events);
    t.same([old.funnel, old.filtered, old.rfm], [young.funnel, young.filtered, young.rfm]);
    t.same([old.health, old.failures, old.heatmap], [young.health, young.failures, young.heatmap]);
    t.same(old.growth.total, young.growth.total);
    t.same(old.retention.cohorts, young.retention.cohorts);

    // Nothing awaits an answer: the 18th query of an org is refused at once, the others are
    // answered.
    const many = Array.from({ length: 18 }, () =>
      answerTo(app, 'insight.trends', { interval: 'hour' }),
    );
    const answers = await Promise.all(many);
    t.same(
      answers.map(({ ok }) => ok),
      [...Array(17).fill(true), false],
    );
    t.match(answers[17], { fault: { code: 'overloaded', retryAfterSeconds: 5 } });
    t.match(await answerTo(app, 'insight.trends', { interval: 'day', days: 91 }), {
      fault: { field: 'days' },
    });
    t.ok(
      (await answerTo(app, 'insight.trends', { interval: 'day' })).ok,
      'a refusal ends its turn',
    );
    await host.close();
  },
);
