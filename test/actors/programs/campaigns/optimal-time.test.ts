// Delivery at the hour at which somebody mostly reads.

import fc from 'fast-check';
import t from 'tap';
import { ReadingHours } from '../../../../actors/programs/campaigns/reading-hours.ts';
import { tries } from '../../../support/tries.ts';
import { Scene } from './scene.ts';

const hourMs = 3_600_000;
const noonMs = Date.UTC(2026, 5, 10, 12);

async function open(scene: Scene, externalUserId: string, atMs: number, times: number) {
  const events = Array.from({ length: times }, () => ({
    name: 'opened',
    externalUserId,
    at: new Date(atMs).toISOString(),
  }));
  const bytes = Buffer.from(JSON.stringify({ events }));
  await scene.one.value(scene.app, 'events.ingest', { keyless: false } as never, { bytes });
}

t.test(
  'each gets it at the hour at which they mostly read, newcomers at that of the app',
  async (t) => {
    const scene = await Scene.open();
    scene.one.clock.nowMs = noonMs;
    await scene.person('early', ['fcm'], { timezone: 'UTC' });
    await scene.person('late', ['fcm'], { timezone: 'UTC' });
    await scene.person('newcomer', ['fcm'], { timezone: 'Asia/Bangkok' });
    await open(scene, 'early', noonMs - 24 * hourMs + 3 * hourMs + 60_000, 2); // at 15 UTC
    await open(scene, 'late', noonMs - 24 * hourMs + 8 * hourMs, 9); // at 20 UTC
    const campaign = await scene.campaign({ optimalTime: true });
    await scene.send(campaign.id);
    const sentAt = new Map<string, number>();
    for (let hour = 0; hour <= 30; hour++) {
      for (const { content } of scene.sent.splice(0))
        sentAt.set(content.title?.slice(3) ?? '', hour);
      await scene.advance(hourMs);
    }
    // The app reads at 20 by the local clock, which in Bangkok is 13 UTC.
    t.same(Object.fromEntries(sentAt), { newcomer: 1, early: 3, late: 8 });
    t.match(await scene.stats(campaign.id), {
      state: 'completed',
      deferredBy: { optimal_time: 3 },
    });
  },
);

t.test(
  'whoever reads at this very hour gets it at once, as does everybody where nobody ever read',
  async (t) => {
    const scene = await Scene.open();
    scene.one.clock.nowMs = noonMs + 1_800_000;
    await scene.people(3);
    await scene.send((await scene.campaign({ optimalTime: true })).id);
    t.equal(scene.sent.splice(0).length, 3);
    await open(scene, 'user-0', noonMs, 1);
    await scene.send((await scene.campaign({ optimalTime: true })).id);
    t.equal(scene.sent.length, 3, 'it is the hour of the app, too');
  },
);

t.test('the hour is the one that was counted most, also after a restart and a merge', async () => {
  const reads = fc.array(fc.record({ person: fc.nat(3), hour: fc.nat(23) }), { maxLength: 60 });
  fc.assert(
    fc.property(reads, fc.boolean(), (reads, isMerged) => {
      let reading = new ReadingHours();
      for (const { person, hour } of reads) reading.note(person * 1_500, hour * hourMs);
      reading = ReadingHours.restore(structuredClone(reading.snapshot()));
      if (isMerged) reading.merge(1_500, 0);
      const whose = (person: number) => (isMerged && person === 1 ? 0 : person);
      for (const person of [0, 1, 2, 3]) {
        const counts = new Array<number>(24).fill(0);
        for (const read of reads)
          if (whose(read.person) === person) counts[read.hour] = (counts[read.hour] ?? 0) + 1;
        const most = Math.max(...counts);
        const best = most === 0 ? undefined : counts.indexOf(most);
        if (reading.hourOf(person * 1_500) !== best) return false;
      }
      return true;
    }),
    { numRuns: tries(500) },
  );
});
