// Whatever fails, for how long, and however often Engage is down meanwhile: a delivery that began
// is tried six times or until it is taken, and a destination is off only for the reasons told.

import fc from 'fast-check';
import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

type Step =
  | { readonly kind: 'happens'; readonly count: number }
  | { readonly kind: 'runs' | 'is down'; readonly ms: number }
  | { readonly kind: 'answers'; readonly which: number; readonly status: number }
  | { readonly kind: 'is saved'; readonly which: number };

const waitsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 8 * hourMs];
/** Each is a history of its own; what happens, and time, they share. */
const destinations = 10;

/** Minutes to months. */
const aWhile = fc.oneof(
  fc.integer({ min: 1, max: 120 }).map((minutes) => minutes * minuteMs),
  fc.integer({ min: 1, max: 48 }).map((hours) => hours * hourMs),
  fc.integer({ min: 1, max: 100 }).map((days) => days * dayMs),
);
const which = fc.nat(destinations - 1);
const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant(25));
/** Mostly it fails: what is asked is what becomes of those. */
const status = fc.constantFrom(200, 500, 500, 500, 410);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('happens' as const), count }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('runs' as const), ms: aWhile }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('is down' as const), ms: aWhile }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('answers' as const), which, status }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('is saved' as const), which }) },
);
const someHistories = fc.record({
  each: fc.array(fc.record({ concurrency: fc.constantFrom(1, 16, 16), status }), {
    minLength: destinations,
    maxLength: destinations,
  }),
  steps: fc.array(aStep, { minLength: 1, maxLength: 20 }),
});

/** What the receiver got, and what follows: derived here from nothing but the calls. */
class Witness {
  status = 200;
  /** Whether the destination must be off. */
  isOff = false;
  /** How many deliveries must begin. */
  owed = 0;
  readonly #callsOf = new Map<string, number[]>();
  #days = new Set<number>();
  #lost = 0;

  /** `isUnsure`: the clock is in doubt, and nothing is switched off by what it says. */
  called(id: string, atMs: number, isUnsure: boolean): number {
    const calls = [...(this.#callsOf.get(id) ?? []), this.status];
    this.#callsOf.set(id, calls);
    if (this.status === 200) this.forget();
    else {
      this.#days.add(Math.floor(atMs / dayMs));
      if (calls.length === 6 || this.status === 410) this.#lost++;
      this.isOff ||= !isUnsure && this.#lost >= 20 && this.#days.size >= 5;
    }
    return this.status;
  }

  forget(): void {
    this.#days = new Set();
    this.#lost = 0;
  }

  /** What happens while it is off is kept, and not sent. */
  happened(count: number): void {
    if (!this.isOff) this.owed += count;
  }

  /** Each delivery was tried six times, or until it was taken, or was not wanted. */
  check(): void {
    if (this.#callsOf.size !== this.owed)
      throw new Error(`${this.#callsOf.size} of ${this.owed} deliveries began`);
    for (const [id, calls] of this.#callsOf) {
      const isLost = calls.at(-1) === 500 && calls.length < 6;
      if (isLost || calls.length > 6 || calls.slice(0, -1).some((one) => one !== 500))
        throw new Error(`${id} was answered ${calls.join()}`);
    }
  }
}

class Histories {
  readonly witnesses: readonly Witness[];
  readonly world: WebhookWorld;
  readonly #concurrencies: readonly number[];

  constructor(world: WebhookWorld, each: readonly { concurrency: number; status: number }[]) {
    this.world = world;
    this.#concurrencies = each.map(({ concurrency }) => concurrency);
    this.witnesses = each.map(({ status: first }) =>
      Object.assign(new Witness(), { status: first }),
    );
    world.receiver = ({ id, url, atMs }) => {
      const isUnsure = world.one.product.state.ages.gaps.length > 0;
      const answer = this.witnesses[Number(url.split('/').at(-1))]?.called(id, atMs, isUnsure);
      return answer === 200 ? good : { ...bad, status: answer };
    };
  }

  async save(number: number): Promise<void> {
    const witness = this.witnesses[number];
    if (witness?.isOff) witness.forget();
    if (witness !== undefined) witness.isOff = false;
    await this.world.put(`webhook-${number}`, {
      url: `https://hooks.example/${number}`,
      concurrency: this.#concurrencies[number] ?? 1,
      events: ['message.delivered'],
    });
  }

  async live(step: Step): Promise<void> {
    const { world, witnesses } = this;
    switch (step.kind) {
      case 'happens':
        for (const witness of witnesses) witness.happened(step.count);
        await world.happen(step.count);
        break;
      case 'runs':
        return this.run(step.ms);
      case 'is down':
        world.one.clock.nowMs += step.ms;
        world.restart();
        await world.run();
        world.one.partition.acceptClock();
        return world.run();
      case 'answers':
        Object.assign(witnesses[step.which] ?? {}, { status: step.status });
        break;
      case 'is saved':
        return this.save(step.which);
    }
  }

  /** Lets time pass, in steps as long as waits between attempts, until nothing is open. */
  async run(ms = Number.POSITIVE_INFINITY): Promise<void> {
    for (let left = ms, i = 0; left > 0; i++) {
      const isOpen = (await this.listed()).some(({ pending }) => pending > 0);
      if (!isOpen && left === Number.POSITIVE_INFINITY) return;
      const waitMs = waitsMs[i % waitsMs.length] ?? 0;
      const step = isOpen ? Math.min(left, waitMs) : left;
      await this.world.advance(step);
      left -= step;
    }
  }

  async listed() {
    return this.world.one.value(this.world.app, 'destination.list', {});
  }
}

t.test('every delivery that begins gets its six attempts', async (t) => {
  let ended = 0;
  let switchedOff = 0;
  await fc.assert(
    fc.asyncProperty(someHistories, async ({ each, steps }) => {
      const histories = new Histories(await WebhookWorld.make(), each);
      await histories.world.person('ada');
      for (let number = 0; number < destinations; number++) await histories.save(number);
      for (const step of steps) await histories.live(step);
      await histories.run();
      const listed = await histories.listed();
      for (const [number, witness] of histories.witnesses.entries()) {
        witness.check();
        ended += witness.owed;
        const enabled = listed.find(({ type }) => type === `webhook-${number}`)?.enabled;
        if (enabled === witness.isOff) throw new Error(`it is ${enabled ? 'on' : 'off'}`);
        if (witness.isOff) switchedOff++;
      }
    }),
    { numRuns: tries(10_000 / destinations, 25) },
  );
  t.ok(ended > 0);
  t.ok(switchedOff > 0, 'histories in which Engage switched it off were among them');
});
