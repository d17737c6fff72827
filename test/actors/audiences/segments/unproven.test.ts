// Where calls without proof start no journeys, they start none through a segment either: whoever
// they put there is in the segment, and enters for journeys once something proven says so.

import fc from 'fast-check';
import t from 'tap';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { anApp, TestPartition, testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const tokenKey = new Uint8Array(32).fill(9);
const only = { withinDays: 1 };

/** A shop whose journeys need proof, with a journey for each of some segments. */
class Shop {
  readonly clock = testClock();
  store = new MemoryStore();
  one = new TestPartition({ store: this.store, clock: this.clock });
  app = 0;
  readonly journeys: string[] = [];
  readonly segments: string[] = [];

  static async open(...filters: readonly object[]): Promise<Shop> {
    const shop = new Shop();
    shop.app = (await anApp(shop.one)).app;
    await shop.set({ startJourneys: false });
    await shop.one.value(shop.app, 'subscriber.upsert', { subscriber: { externalUserId: 'ada' } });
    for (const [index, filter] of filters.entries()) {
      const name = `Segment ${index}`;
      const { id: segmentId } = await shop.one.value(shop.app, 'segment.create', { name, filter });
      const steps = [{ id: 'w', type: 'wait', minutes: 1 }];
      const input = { name, triggerSegmentId: segmentId, steps, reentry: 'always' as const };
      const { id } = await shop.one.value(shop.app, 'journey.create', { input });
      await shop.live(id);
      shop.journeys.push(id);
      shop.segments.push(segmentId);
    }
    return shop;
  }

  live(id: string, enrollExisting = false) {
    const change = { input: {}, removed: [] };
    return this.one.value(this.app, 'journey.update', { id, change, active: true, enrollExisting });
  }

  set(keylessEvents: object) {
    const patch = { identityVerification: 'open' as const, keylessEvents };
    return this.one.value(this.app, 'settings.patch', { patch });
  }

  track(name: string, keyless: boolean, more: object = {}) {
    const event = { name, externalUserId: 'ada', ...more };
    const bytes = Buffer.from(JSON.stringify({ appId: 'app', events: [event] }));
    return this.one.value(this.app, 'events.ingest', { keyless }, { bytes });
  }

  get memory() {
    const app = this.one.product.state.apps.get(this.app);
    if (app === undefined) throw new Error('the app is gone');
    return app;
  }

  /** How often people were enrolled, by journey. */
  get enrolled(): number[] {
    return this.journeys.map((id) => this.memory.journeys.get(id)?.flow.stats.enrolled ?? -1);
  }

  get members(): number[] {
    return this.segments.map((id) => this.memory.watches.get(id)?.members.count() ?? -1);
  }

  async crash(way: 'replay' | 'checkpoint'): Promise<void> {
    const seq = this.store.durableSeq;
    const memory = way === 'replay' ? undefined : [...this.one.partition.parts()];
    this.store = this.store.crash();
    const { store, clock } = this;
    this.one = new TestPartition({ store, clock, ...(memory && { checkpoint: { seq, memory } }) });
    this.one.partition.confirmClock('kernel');
    await this.one.settle();
  }
}

t.test('a forged event fills the segment, and the first proven one starts', async (t) => {
  const shop = await Shop.open({ event: 'cart', ...only });
  await shop.track('cart', true);
  t.same([shop.members, shop.enrolled], [[1], [0]]);
  await shop.crash('checkpoint');
  t.same([shop.members, shop.enrolled], [[1], [0]], 'nor does a start');
  await shop.track('other', false);
  t.same(shop.enrolled, [0], 'of something else');
  await shop.track('cart', false);
  t.same(shop.enrolled, [1]);
  await shop.track('cart', false);
  t.same(shop.enrolled, [1], 'once');
});

t.test('nor do tags, devices, logins and merges of clients without proof', async (t) => {
  const shop = await Shop.open(
    { tag: 'vip', eq: true },
    { channel: 'fcm' },
    { tag: 'language', eq: 'th' },
    { event: 'cart', ...only },
  );
  const { clientToken, subscriberId } = await shop.one.value(shop.app, 'sdk.login', {
    login: { tokenKey, language: 'th' },
  });
  await shop.one.value(shop.app, 'sdk.tag', { clientToken, tags: { vip: true } });
  const device = { channel: 'fcm' as const, endpoint: 'phone-0123456789' };
  await shop.one.value(shop.app, 'sdk.register', { clientToken, device });
  await shop.track('cart', true, { externalUserId: undefined, subscriberId });
  t.same(
    [shop.members, shop.enrolled],
    [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
  );
  await shop.one.value(shop.app, 'sdk.login', {
    login: { tokenKey, clientToken, externalUserId: 'ada' },
  });
  t.same(
    [shop.members, shop.enrolled],
    [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ],
    'she has it all now',
  );
  const ref = { externalUserId: 'ada' };
  await shop.one.value(shop.app, 'subscriber.patch', { ref, patch: { tags: { seen: 1 } } });
  t.same(shop.enrolled, [1, 1, 1, 1]);
});

t.test('a journey that asks for the members gets the proven ones', async (t) => {
  const shop = await Shop.open({ event: 'cart', ...only });
  await shop.track('cart', true);
  await shop.live(shop.journeys[0] ?? '', true);
  await shop.one.advance(1_000);
  t.same(shop.enrolled, [0]);
});

t.test('once the app asks for no proof, the next event starts', async (t) => {
  const shop = await Shop.open({ event: 'cart', ...only });
  await shop.track('cart', true);
  await shop.set({ startJourneys: true });
  t.same(shop.enrolled, [0]);
  await shop.track('cart', true);
  t.same(shop.enrolled, [1]);
});

type Step =
  | { readonly step: 'event'; readonly keyless: boolean }
  | { readonly step: 'pass'; readonly hours: number }
  | { readonly step: 'crash'; readonly way: 'replay' | 'checkpoint' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ step: fc.constant('event' as const), keyless: fc.boolean() }),
  fc.record({ step: fc.constant('pass' as const), hours: fc.constantFrom(1, 9, 23, 25) }),
  fc.record({
    step: fc.constant('crash' as const),
    way: fc.constantFrom('replay' as const, 'checkpoint' as const),
  }),
);

t.test('whatever comes, a journey starts with what is proven alone', async (t) => {
  let started = 0;
  let heldBack = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const shop = await Shop.open({ event: 'cart', ...only });
      let lastMs = Number.NEGATIVE_INFINITY;
      let enrolled = 0;
      let isTold = false;
      for (const one of steps) {
        if (one.step === 'pass') await shop.one.advance(one.hours * hourMs);
        else if (one.step === 'crash') await shop.crash(one.way);
        const { nowMs } = shop.clock;
        if (lastMs <= nowMs - dayMs) isTold = false;
        if (one.step === 'event') {
          await shop.one.advance(61_000); // a run ends before the next may begin
          lastMs = shop.clock.nowMs;
          await shop.track('cart', one.keyless);
          if (!one.keyless && !isTold) {
            isTold = true;
            enrolled++;
          } else if (!isTold) heldBack++;
        }
        const isIn = lastMs > shop.clock.nowMs - dayMs;
        if (shop.members[0] !== (isIn ? 1 : 0)) throw new Error('the segment is wrong');
        if (shop.enrolled[0] !== enrolled)
          throw new Error(`${shop.enrolled[0]} starts, not ${enrolled}`);
      }
      started += enrolled;
    }),
    { numRuns: tries(150) },
  );
  t.ok(
    started > tries(20) && heldBack > tries(20),
    `${started} started, ${heldBack} were held back`,
  );
});
