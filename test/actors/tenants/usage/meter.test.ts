// The meter of an org against a set of names a month, over histories at random: the same from
// memory as it ran, from the whole log, and from a checkpoint with the log after it.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { limits } from '../../../../actors/limits.ts';
import { foldingPartition } from '../../../../actors/runtime/folding.ts';
import type { Product } from '../../../../actors/runtime/machine.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import type { OrgUsage } from '../../../../actors/tenants/usage/protocol.ts';
import type { SnapshotPart } from '../../../../engine/actor/machine.ts';
import { TurnRoom } from '../../../../engine/actor/turn-room.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { newHashKey } from '../../../../engine/base/hash.ts';
import { below, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { utcMonthOf, utcMonthStart } from '../../../../engine/time/utc-month.ts';
import { anApp, partitionWithApp, TestPartition, testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const secretHash = new Uint8Array(createHash('sha256').update('write key').digest());

/** What one month should say; everything beside it in `History` only makes it happen. */
interface Month {
  readonly people: Map<string, Set<string>>;
  delivered: number;
  included: number | null;
}

class History {
  readonly one = new TestPartition({ clock: testClock(Date.UTC(2025, 0, 20)) });
  readonly months = new Map<number, Month>();
  readonly #rng: Rng;
  readonly #grants: DispatchGrant[] = [];
  /** By send id, who it is for. */
  readonly #sends = new Map<string, { readonly app: App; readonly who: string }>();
  readonly #apps: App[] = [];
  #org = 0;
  #allowance: number | null = limits.emailAllowance;
  #ids = 0;

  constructor(seed: number) {
    this.#rng = seededRng(seed, 'usage');
  }

  get org(): number {
    return this.#org;
  }

  get names(): ReadonlyMap<string, string> {
    return new Map(this.#apps.map(({ id, name }) => [id, name]));
  }

  get allowance(): number | null {
    return this.#allowance;
  }

  async begin(): Promise<void> {
    const { org, app } = await anApp(this.one);
    this.#org = org;
    await this.#adopt(app, 'Shop');
    await this.#makeApp();
  }

  async live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step();
  }

  async #step(): Promise<void> {
    const dice = below(this.#rng, 100);
    const live = this.#apps.filter(({ isDeleted }) => !isDeleted);
    const app = live[below(this.#rng, live.length)];
    if (dice < 8) return this.#pass();
    if (app === undefined) return this.#makeApp();
    if (dice < 40) return this.#track(app);
    if (dice < 50) return this.#platform(app);
    if (dice < 68) return this.#send(app);
    if (dice < 82) return this.#report();
    if (dice < 90) return this.#erase(app);
    if (dice < 93) return this.#optOut(app);
    if (dice < 95) return this.#allow();
    if (dice < 97) return this.#delete(app);
    if (live.length < 4) return this.#makeApp();
  }

  /** Some hours or weeks, or exactly to the edge of a month. */
  async #pass(): Promise<void> {
    const { nowMs } = this.one.clock;
    const edgeMs = utcMonthStart(utcMonthOf(nowMs) + 1) - below(this.#rng, 2);
    const byMs = [below(this.#rng, dayMs), below(this.#rng, 45 * dayMs), edgeMs - nowMs];
    await this.one.advance(byMs[below(this.#rng, 3)] ?? 0);
  }

  async #makeApp(): Promise<void> {
    const name = `App ${this.#apps.length}`;
    const { ordinal } = await this.one.value(this.#org, 'app.create', {
      name,
      timezone: 'Asia/Bangkok', // whose months begin seven hours earlier, which must not matter
      vapid: { publicKey: 'public', privateKey: 'private' },
    });
    await this.#adopt(ordinal, name);
  }

  async #adopt(ordinal: number, name: string): Promise<void> {
    const { id } = await this.one.value(ordinal, 'app.read', {});
    await this.one.value(ordinal, 'cdp.put', { secretHash });
    this.#apps.push({ ordinal, id, name, isDeleted: false, lives: new Map() });
  }

  async #track(app: App): Promise<void> {
    const names = ['purchase', 'session', 'opened', 'inapp_viewed'];
    const who = Array.from({ length: 1 + below(this.#rng, 4) }, () => someone(this.#rng));
    const events = who.map((externalUserId) => ({
      name: names[below(this.#rng, names.length)],
      externalUserId,
      id: `e${this.#ids++}`,
      at: new Date(this.one.clock.nowMs + this.#offMs()).toISOString(),
    }));
    const bytes = Buffer.from(JSON.stringify({ events }));
    await this.one.value(app.ordinal, 'events.ingest', { keyless: false }, { bytes });
    for (const externalUserId of who) this.#count(app, nameOf(app, externalUserId));
    if (below(this.#rng, 3) > 0) return;
    // The same batch again, perhaps in the next month: nobody did anything.
    if (below(this.#rng, 2) === 0) await this.one.advance(below(this.#rng, hourMs));
    await this.one.value(app.ordinal, 'events.ingest', { keyless: false }, { bytes });
  }

  /** How far an event's own time is from its acceptance. */
  #offMs(): number {
    return below(this.#rng, 4) === 0
      ? below(this.#rng, 9 * minuteMs)
      : -below(this.#rng, 80 * dayMs);
  }

  async #platform(app: App): Promise<void> {
    const [tracked, identified] = [someone(this.#rng), someone(this.#rng)];
    const atMs = this.one.clock.nowMs - below(this.#rng, 40 * dayMs);
    const calls = [
      { kind: 'identify' as const, index: 0, userId: identified, traits: { plan: 'pro' } },
      { kind: 'event' as const, index: 1, userId: tracked, name: 'Order Completed', atMs },
    ];
    const taken = await this.one.value(app.ordinal, 'cdp.take', { secretHash, calls });
    if (taken.errors.length > 0) throw new Error(JSON.stringify(taken.errors));
    this.#count(app, nameOf(app, tracked));
  }

  async #send(app: App): Promise<void> {
    const externalUserId = someone(this.#rng);
    const device = { channel: 'email' as const, endpoint: `${externalUserId}@example.com` };
    const devices = below(this.#rng, 5) === 0 ? [] : [device];
    await this.one.value(app.ordinal, 'subscriber.upsert', {
      subscriber: { externalUserId, devices },
    });
    const { id } = await this.one.value(app.ordinal, 'transactional.accept', {
      request: { to: { externalUserId }, title: 'Hello', body: 'There' },
      claim: null,
    });
    this.#sends.set(id, { app, who: nameOf(app, externalUserId) });
  }

  /** Providers answer some of what is under way, however long it has been. */
  async #report(): Promise<void> {
    this.#grants.push(...this.one.takeGrants());
    const outcomes: readonly (Outcome | undefined)[] = [
      { outcome: 'accepted', providerMessageId: 'm-1' },
      { outcome: 'accepted', providerMessageId: 'm-2' },
      { outcome: 'permanent', reason: 'too_large' },
      { outcome: 'retry', reason: 'http_503' },
      undefined,
    ];
    for (const grant of this.#grants.splice(0, 1 + below(this.#rng, 3))) {
      const reports = grant.attempts.map(({ target, attempt }) => ({
        sendId: attempt.sendId,
        target,
        attempt: attempt.attempt,
        outcome: outcomes[below(this.#rng, outcomes.length)],
      }));
      await this.one.ask(grant.app, 'dispatch.report', { channel: grant.channel, reports });
      for (const { sendId } of reports) await this.#settle(sendId);
    }
  }

  /** A send has one device at most, so it becomes `delivered` once; its row says so. */
  async #settle(id: string): Promise<void> {
    const send = this.#sends.get(id);
    if (send === undefined || send.app.isDeleted) return;
    const { status } = await this.one.value(send.app.ordinal, 'transactional.read', { id });
    if (status !== 'delivered') return;
    this.#sends.delete(id);
    this.#count(send.app, send.who);
    const month = this.#month();
    month.delivered++;
    month.included = this.#allowance;
  }

  async #erase(app: App): Promise<void> {
    const externalUserId = someone(this.#rng);
    const { ok } = await this.one.ask(app.ordinal, 'subscriber.erase', { ref: { externalUserId } });
    // Who comes back is somebody new: nothing is known any more by which they could be the same.
    if (ok) app.lives.set(externalUserId, (app.lives.get(externalUserId) ?? 0) + 1);
  }

  async #optOut(app: App): Promise<void> {
    const address = `${someone(this.#rng)}@example.com`;
    await this.one.value(app.ordinal, 'suppression.add', {
      channel: 'email',
      address,
      source: 'unsubscribe',
    });
    if (below(this.#rng, 2) === 0)
      await this.one.value(app.ordinal, 'suppression.remove', { channel: 'email', address });
  }

  async #allow(): Promise<void> {
    this.#allowance = [null, 2, 10, 20_000][below(this.#rng, 4)] ?? null;
    await this.one.value(this.#org, 'org.set_limits', { emailAllowance: this.#allowance });
    // It holds for the whole month, whatever was delivered under the one before.
    const month = this.months.get(utcMonthOf(this.one.clock.nowMs));
    if (month !== undefined && month.delivered > 0) month.included = this.#allowance;
  }

  async #delete(app: App): Promise<void> {
    await this.one.value(app.ordinal, 'app.delete', {});
    app.isDeleted = true;
  }

  #count(app: App, who: string): void {
    const { people } = this.#month();
    people.set(app.id, (people.get(app.id) ?? new Set()).add(who));
  }

  #month(): Month {
    const month = utcMonthOf(this.one.clock.nowMs);
    const kept = this.months.get(month) ?? { people: new Map(), delivered: 0, included: null };
    this.months.set(month, kept);
    return kept;
  }
}

interface App {
  readonly ordinal: number;
  readonly id: string;
  readonly name: string;
  isDeleted: boolean;
  /** How often somebody of this name was erased. */
  readonly lives: Map<string, number>;
}

function someone(rng: Rng): string {
  return `user-${below(rng, 8)}`;
}

function nameOf({ lives }: App, externalUserId: string): string {
  return `${externalUserId} ${lives.get(externalUserId) ?? 0}`;
}

/** What a product's memory says of a month. */
function read(product: Product, org: number, month: number, nowMs: number): OrgUsage {
  const unused = () => {
    throw new Error('the meter is memory');
  };
  const message = { kind: 'org.meter', by: org, month };
  const decision = product.decide(message, {
    owner: org,
    nowMs,
    wallMs: nowMs,
    ages: product.ages,
    rng: { uint32: unused },
    documents: { get: unused, lend: unused, range: unused },
    bytes: undefined,
    room: new TurnRoom(),
  });
  if (decision.outcome === 'refused') throw new Error(decision.fault.message);
  return decision.reply as OrgUsage;
}

/** Why the meter does not say what it should; `undefined` when it does. */
function problemOf(history: History, product: Product): string | undefined {
  const { nowMs } = history.one.clock;
  const now = utcMonthOf(nowMs);
  for (let month = now - limits.usageMonthsKept; month <= now; month++) {
    const { apps, emails } = read(product, history.org, month, nowMs);
    const expected = history.months.get(month);
    const used = apps.filter(({ mau }) => mau > 0).map(({ appId, mau }) => [appId ?? '', mau]);
    const should = [...(expected?.people ?? [])].map(([appId, { size }]) => [appId, size]);
    const said = JSON.stringify([used.sort(), emails]);
    const delivered = expected?.delivered ?? 0;
    const included =
      month === now || delivered === 0 ? history.allowance : (expected?.included ?? null);
    const right = JSON.stringify([should.sort(), { delivered, included }]);
    if (said !== right) return `${month - now}: ${said} is not ${right}`;
    for (const { appId, name } of apps)
      if (history.names.get(appId ?? '') !== name) return `${appId} is named ${name}`;
  }
  return undefined;
}

t.test(
  'everybody who did or got something counts once a month, however memory was made',
  async (t) => {
    let months = 0;
    let people = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e9 }), async (seed) => {
        const history = new History(seed);
        const rng = seededRng(seed, 'checks');
        await history.begin();
        let checkpoint:
          | { readonly seq: number; readonly parts: readonly SnapshotPart[] }
          | undefined;
        for (let round = 0; round < 3; round++) {
          await history.live(20 + below(rng, 40));
          const { one } = history;
          const running = problemOf(history, one.product);
          if (running !== undefined) throw new Error(`as it ran: ${running}`);
          for (const from of [undefined, checkpoint]) {
            const { partition, product } = foldingPartition(0, newHashKey(rng));
            if (from !== undefined) partition.restore(structuredClone(from.parts), from.seq);
            for (const { seq, block } of one.store.blocks(partition.seq + 1, 1e9))
              partition.replay(seq, block);
            const folded = problemOf(history, product);
            if (folded !== undefined)
              throw new Error(`from the log after ${from?.seq ?? 0}: ${folded}`);
          }
          checkpoint = {
            seq: one.partition.seq,
            parts: structuredClone(one.partition.snapshot()) as readonly SnapshotPart[],
          };
        }
        months += history.months.size;
        for (const month of history.months.values())
          for (const set of month.people.values()) people += set.size;
      }),
      { seed: 11, numRuns: tries(40), includeErrorInReport: true },
    );
    t.ok(months > tries(150), `${months} months`);
    t.ok(people > tries(1_500), `${people} people`);
  },
);

const eventOf = (name: string, at: number, id: string) =>
  Buffer.from(
    JSON.stringify({
      events: [{ name, externalUserId: 'ana', at: new Date(at).toISOString(), id }],
    }),
  );

t.test('an event counts in the month it was accepted in, whatever its own time', async (t) => {
  const newYear = Date.UTC(2026, 0, 1);
  const clock = testClock(newYear - 1);
  const { one, org, app } = await partitionWithApp({ clock });
  const mau = async (month?: number) => {
    const { apps } = await one.value(org, 'org.meter', month === undefined ? {} : { month });
    return apps.map((of) => of.mau);
  };
  const ingest = (bytes: Buffer) => one.value(app, 'events.ingest', { keyless: false }, { bytes });
  // The last millisecond of December, about January: clients' clocks may be ten minutes ahead.
  await ingest(eventOf('visit', newYear + 60_000, 'a'));
  t.same(await mau(), [1], 'December');
  await one.advance(1);
  t.same(await mau(), [0], 'January has begun, though nobody has done anything in it');
  t.same(await mau(utcMonthOf(newYear - 1)), [1]);
  await ingest(eventOf('visit', newYear + 60_000, 'a'));
  t.same(await mau(), [0], 'a repetition is no event');
  await ingest(eventOf('visit', newYear - 40 * dayMs, 'b'));
  t.same(await mau(), [1], 'about November, accepted in January');
  t.same(await mau(utcMonthOf(newYear - 1)), [1]);
});

t.test('months that have not begun, or are no longer kept, are refused by name', async (t) => {
  const clock = testClock(Date.UTC(2026, 0, 31));
  const { one, org } = await partitionWithApp({ clock });
  const first = utcMonthOf(clock.nowMs);
  const asked = (month: number) => one.ask(org, 'org.meter', { month });
  t.match(await asked(first + 1), { ok: false, fault: { code: 'invalid', field: 'month' } });
  await one.advance(800 * dayMs);
  const now = utcMonthOf(clock.nowMs);
  t.match(await asked(now - limits.usageMonthsKept), { ok: true });
  t.match(await asked(now - limits.usageMonthsKept - 1), {
    ok: false,
    fault: { field: 'month', message: /^month: usage is kept for 13 months, expected 2027-/ },
  });
  t.match(await asked(first - 1), { ok: true, value: { emails: { delivered: 0 } } });
  t.match(await one.ask(org + 4096, 'org.meter', {}, { by: org }), {
    ok: false,
    fault: { message: /org/ },
  });
});
