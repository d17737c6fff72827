// The whole product against the oracle, by its messages: days of life, and then questions at the
// very instants at which somebody enters or leaves a window, a millisecond before and a millisecond
// after. Asked of the partition that lived, of one that read the log from its beginning, and of one
// that took a checkpoint and the log after it.

import t from 'tap';
import { answerFilter } from '../../../../actors/audiences/segments/counted.ts';
import type { Filter } from '../../../../actors/audiences/segments/filter.ts';
import type { TimesRead } from '../../../../actors/audiences/segments/pool-read.ts';
import { readTimes } from '../../../../actors/audiences/segments/read-times.ts';
import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import { noHistory } from '../../../../actors/events/history/event-history.ts';
import { InsightQueue } from '../../../../actors/insight-queue.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import type { Answer } from '../../../../engine/actor/message.ts';
import { dayMs, hourMs, type Millis } from '../../../../engine/base/brand.ts';
import { below, pick, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { drawFilter, sharedNames } from '../../../simulation/segment-work.ts';
import { anApp, TestPartition, testClock } from '../../../support/partition.ts';
import { oracle, type RawPerson } from '../../../support/segment-oracle.ts';

const channels = ['email', 'sms', 'fcm'] as const;

interface Person extends RawPerson {
  readonly devices: Map<ChannelId, string>;
}

class Life {
  readonly clock = testClock();
  readonly one = new TestPartition({ clock: this.clock });
  readonly rng: Rng;
  readonly people = new Map<string, Person>();
  readonly erased: Person[] = [];
  readonly #suppressed = new Set<string>();
  app = 0;

  constructor(seed: number) {
    this.rng = seededRng(seed, 'segments');
  }

  async live(steps: number): Promise<void> {
    if (this.app === 0) this.app = (await anApp(this.one)).app;
    for (let n = 0; n < steps; n++) await this.#step();
  }

  async #step(): Promise<void> {
    const { one, app, rng } = this;
    const externalUserId = `user-${below(rng, 9)}`;
    const dice = below(rng, 100);
    const known = this.people.get(externalUserId);
    if (dice < 12) await one.advance(below(rng, 2) === 0 ? 1 : below(rng, 20 * hourMs));
    else if (dice < 60) {
      const times = Array.from({ length: 1 + below(rng, 4) }, () => this.#instant());
      const name = pick(rng, sharedNames);
      const events = times.map((ms) => ({ name, externalUserId, at: new Date(ms).toISOString() }));
      const bytes = Buffer.from(JSON.stringify({ events }));
      await one.value(app, 'events.ingest', { keyless: false }, { bytes });
      const person = this.#person(externalUserId);
      (person.events as { name: string; atMs: Millis }[]).push(
        ...times.map((atMs) => ({ name, atMs })),
      );
    } else if (dice < 75) {
      const tags: Record<string, TagValue | null> = {};
      for (const tag of ['plan', 'city', 'age'])
        if (below(rng, 2) === 0)
          tags[tag] = pick(rng, ['Riga', below(rng, 100), null, ['Riga', 'Kyoto']]);
      await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId, tags } });
      const person = this.#person(externalUserId);
      for (const [tag, value] of Object.entries(tags))
        if (value === null) person.tags.delete(tag);
        else person.tags.set(tag, value);
    } else if (dice < 87) {
      const channel = pick(rng, channels);
      const endpoint = `${externalUserId}@example.com`;
      const phone = `+1415555${1000 + Number(externalUserId.slice(5))}`;
      const own =
        channel === 'email' ? endpoint : channel === 'sms' ? phone : `${externalUserId}-token-1`;
      const enabled = below(rng, 4) > 0;
      await one.value(app, 'subscriber.upsert', {
        subscriber: { externalUserId, devices: [{ channel, endpoint: own, enabled }] },
      });
      const person = this.#person(externalUserId);
      if (enabled) person.devices.set(channel, own);
      else person.devices.delete(channel);
      this.#reach(person);
    } else if (dice < 95) {
      const address = `user-${below(rng, 9)}@example.com`;
      const isOn = this.#suppressed.has(address);
      if (isOn) await one.value(app, 'suppression.remove', { channel: 'email', address });
      else await one.value(app, 'suppression.add', { channel: 'email', address, source: 'api' });
      if (isOn) this.#suppressed.delete(address);
      else this.#suppressed.add(address);
      for (const person of this.people.values()) this.#reach(person);
    } else if (known !== undefined) {
      await one.value(app, 'subscriber.erase', { ref: { externalUserId } });
      this.people.delete(externalUserId);
      this.erased.push({ ...known, erased: true });
    }
  }

  /** Now, or late: often a whole number of days ago, or a millisecond beside it. */
  #instant(): Millis {
    const late = pick(this.rng, [0, 0, 1, 2, 7, 30]) * dayMs;
    return this.clock.nowMs - late + (late === 0 ? 0 : pick(this.rng, [-1, 0, 1]));
  }

  #person(externalUserId: string): Person {
    let person = this.people.get(externalUserId);
    if (person === undefined) {
      person = {
        createdMs: this.clock.nowMs,
        tags: new Map(),
        reach: new Set(),
        events: [],
        erased: false,
        devices: new Map(),
      };
      this.people.set(externalUserId, person);
    }
    return person;
  }

  #reach({ devices, reach }: Person): void {
    reach.clear();
    for (const [channel, endpoint] of devices)
      if (!this.#suppressed.has(endpoint)) reach.add(channel);
  }
}

const ways = ['as it lived', 'from the log', 'from a checkpoint and the log'] as const;

/**
 * Instants from now on at which somebody enters or leaves a window, and those beside them, in
 * order.
 */
function edgesOf({ people, clock }: Life): Millis[] {
  const edges = new Set<Millis>();
  for (const { events, createdMs } of people.values())
    for (const days of [1, 2, 7, 30])
      for (const atMs of [createdMs, ...events.map((one) => one.atMs)])
        for (const beside of [-1, 0, 1]) edges.add(atMs + days * dayMs + beside);
  return [...edges].filter((atMs) => atMs >= clock.nowMs).sort((a, b) => a - b);
}

/** Asks as the host of a shard does: what no column counts is read from the log first. */
async function count(one: TestPartition, app: number, filter: Filter): Promise<number> {
  let answer: Answer | undefined;
  const host = {
    partition: one.partition,
    insights: new InsightQueue(() => () => undefined),
    read: async (_app: unknown, _read: unknown, read: unknown) =>
      readTimes(read as TimesRead, eventLog(one.store), noHistory) as never,
    onFailed: (_app: number, _what: string, error: unknown) => {
      throw error;
    },
  };
  const question = { kind: 'segment.preview' as const, by: -1, asked: { filter }, sample: 0 };
  answerFilter(host, app, question, (value) => {
    answer = value;
  });
  for (let tries = 0; answer === undefined && tries < 100; tries++) await one.settle();
  if (answer === undefined || !answer.ok) throw new Error(`no answer: ${JSON.stringify(answer)}`);
  return (answer.value as { readonly count: number }).count;
}

t.test(
  'counts are exact at the edges of windows, before and after a restart, whichever way',
  async (t) => {
    let compared = 0;
    let matching = 0;
    for (let seed = 1; seed <= 5; seed++) {
      for (const way of ways) {
        // The same life each time: it cannot be asked about instants that it has left behind.
        const life = new Life(seed);
        await life.live(60);
        const { partition } = life.one;
        const checkpoint = { seq: partition.seq, memory: structuredClone(partition.snapshot()) };
        await life.live(60);
        const { clock, app } = life;
        const from = way === 'from a checkpoint and the log' ? { checkpoint } : {};
        const one =
          way === 'as it lived'
            ? life.one
            : new TestPartition({
                store: life.one.store.crash(0, { settle: 'auto' }),
                clock,
                ...from,
              });
        const instants = edgesOf(life);
        const questions = 40;
        for (let n = 0; n < questions; n++) {
          clock.nowMs = instants[Math.floor((n * instants.length) / questions)] ?? clock.nowMs;
          await one.settle();
          const filter = drawFilter(life.rng);
          const all = [...life.people.values(), ...life.erased];
          const wanted = all.filter((person) => oracle(filter, person, clock.nowMs)).length;
          const found = await count(one, app, filter);
          if (found !== wanted)
            t.fail(`seed ${seed}, ${way}: ${JSON.stringify(filter)} is ${found}, not ${wanted}`);
          compared++;
          matching += found;
        }
      }
    }
    t.equal(compared, 5 * 40 * 3);
    t.ok(matching > compared, `${matching} people matched`);
  },
);
