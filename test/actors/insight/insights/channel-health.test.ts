import fc from 'fast-check';
import t from 'tap';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import { noHistory } from '../../../../actors/events/history/event-history.ts';
import { StoredWalk } from '../../../../actors/events/read/stored-walk.ts';
import { channelHealth } from '../../../../actors/insight/insights/channel-health.ts';
import type { ChannelHealth, Facts } from '../../../../actors/insight/insights/protocol.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { StopFlag } from '../../../../engine/thread/shared-word.ts';
import { receiptsArb, receiptsNowMs, standing } from '../../../support/corrected-receipts.ts';
import { daysLater, InsightWorld, shownIn } from '../../../support/insight-world.ts';
import { type ScatteredEvent, scattered } from '../../../support/scattered-events.ts';
import { tries } from '../../../support/tries.ts';
import { Scene } from '../../programs/campaigns/scene.ts';
import { reportStatus, type Sent } from '../../sending/callbacks/provider.ts';

t.test('each device of a send counts once, by its newest receipt, wherever they lie', async (t) => {
  fc.assert(
    fc.property(
      receiptsArb,
      fc.integer({ min: 1, max: 13 }),
      fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Europe/Paris'),
      fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer(),
      (events, span, timezone, erased, comparedMax, seed) => {
        // The eighth and ninth turned out to be the first.
        const merged = Uint32Array.from([8, 0, 9, 0]);
        const facts: Facts = { nowMs: receiptsNowMs, timezone, span, erased, merged };
        const seqs = new Map<ScatteredEvent, number>();
        const walk = scattered(events, seededRng(seed), seqs);
        const found = channelHealth(facts, walk, comparedMax);
        const first = daysLater(shownIn(timezone, receiptsNowMs).date, 1 - span);
        const seen = events.filter(
          (one) =>
            shownIn(timezone, one.atMs).date >= first &&
            !erased.includes(one.person >= 8 ? 0 : one.person),
        );
        const expected = channelIds.flatMap((channel, index) => {
          const of = standing(seen, seqs).filter((one) => one.channel === index + 1);
          const count = (name: string) => of.filter((one) => one.name === name).length;
          if (of.length === 0) return [];
          return [
            {
              channel,
              delivered: count('delivered'),
              bounced: count('bounced'),
              suppressed: count('suppressed'),
              failed: count('failed'),
            },
          ];
        });
        t.same(found.channels, expected);
      },
    ),
    { seed: 12, numRuns: tries(400) },
  );
});

t.test(
  'records of the service itself are reported the same before and after a checkpoint',
  async (t) => {
    const found = { delivered: 0, bounced: 0, suppressed: 0, failed: 0 };
    let corrected = 0;
    for (let seed = 1; seed <= 2; seed++) {
      const world = await InsightWorld.begin(seed);
      await world.live(80);
      for (let n = 0; n < 3; n++) {
        for (const app of world.days.apps)
          await world.one.value(app, 'dead_letter.redrive', { all: true });
        await world.live(16);
      }
      for (const app of world.days.apps) {
        const question = { kind: 'insight.channel_health', days: 90 } as const;
        const health = await world.ask<ChannelHealth>(app, question);
        const newest = new Map<string, { name: string; seq: number }>();
        for (const { name, sendId, deviceId, channel, seq } of world.raw(app)) {
          if (!Object.hasOwn(found, name) || channel === 0) continue;
          const place = `${channel} ${sendId} ${deviceId}`;
          const before = newest.get(place);
          if (before !== undefined) corrected++;
          if (before === undefined || before.seq < seq) newest.set(place, { name, seq });
        }
        const expected: Record<string, Record<string, number>> = {};
        for (const [place, { name }] of newest) {
          const channel = channelIds[Number.parseInt(place, 10) - 1] ?? '';
          expected[channel] ??= { delivered: 0, bounced: 0, suppressed: 0, failed: 0 };
          expected[channel][name] = (expected[channel][name] ?? 0) + 1;
          found[name as keyof typeof found]++;
        }
        t.same(
          Object.fromEntries(health.channels.map(({ channel, ...counts }) => [channel, counts])),
          expected,
        );
        await world.fold(true);
        t.same(await world.ask<ChannelHealth>(app, question), health);
      }
      await world.close();
    }
    t.ok(found.delivered > 0 && found.bounced > 0, JSON.stringify(found));
    t.ok(corrected > 0, 'some were corrected');
  },
);

t.test(
  'a delivery that the carrier takes back days later is a bounce, as in the funnel',
  async (t) => {
    const scene = await Scene.open({ available: ['sms'] });
    await scene.people(5, ['sms']);
    const { id } = await scene.sentCampaign({ channels: ['sms'] });
    const request = { to: { externalUserId: 'user-0' }, body: 'Hi' };
    await scene.one.value(scene.app, 'transactional.accept', { request, claim: null });
    await scene.run();
    const told = async (days: number) => {
      const question = { kind: 'insight.channel_health', by: -1, days } as const;
      const facts = await scene.one.value(scene.app, 'insight.facts', { question });
      const walk = new StoredWalk(scene.app, eventLog(scene.one.store), noHistory, new StopFlag());
      return channelHealth(facts, walk).channels;
    };
    const sms = { channel: 'sms', suppressed: 0, failed: 0 };
    t.same(await told(30), [{ ...sms, delivered: 6, bounced: 0 }]);
    await scene.advance(3 * dayMs);
    const undelivered = { MessageStatus: 'undelivered', ErrorCode: '30003' };
    for (const sent of [scene.sent[1], scene.sent[5]])
      await reportStatus(scene, 'sms', sent as Sent, undelivered);
    t.same(await told(30), [{ ...sms, delivered: 4, bounced: 2 }]);
    t.match(await scene.stats(id), { devices: { delivered: 4, bounced: 1 } });
    t.same(await told(2), [{ ...sms, delivered: 0, bounced: 2 }], 'on the day of the bounce');
  },
);
