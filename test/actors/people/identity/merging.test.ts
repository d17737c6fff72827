// Random histories of upserts, logins, merges, devices, events, sends, erasures, checkpoints and
// restarts: whatever happened, every read shows what a naive model of it says.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { NewestTimes } from '../../../../actors/audiences/segments/newest-times.ts';
import { readTimes } from '../../../../actors/audiences/segments/read-times.ts';
import type { ChannelId } from '../../../../actors/channels/channel-ids.ts';
import { readPage, withHistory } from '../../../../actors/events/read/list.ts';
import { checkPartition } from '../../../../actors/runtime/check/partition.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import { makeCheckpoint } from '../../../../actors/runtime/folding.ts';
import type { DispatchGrant } from '../../../../actors/sending/outbox/protocol.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { newHashKey } from '../../../../engine/base/hash.ts';
import { parseId } from '../../../../engine/base/id.ts';
import { below, pick, type Rng, seededRng } from '../../../../engine/base/rng.ts';
import { systemClock } from '../../../../engine/time/clock.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { newestCheckpoint } from '../../../../storage/checkpoint.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { MirroredStore } from '../../../support/mirrored-store.ts';
import { anApp, type TestClock, TestPartition, testClock } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';
import { type ModelPerson, PeopleModel } from './people-model.ts';

const externals = ['ana', 'ben', 'cai', 'dee'];
const endpoints: readonly (readonly [ChannelId, string])[] = [
  ['fcm', 'phone-0123456789-a'],
  ['fcm', 'phone-0123456789-b'],
  ['fcm', 'phone-0123456789-c'],
  ['email', 'one@example.com'],
  ['email', 'two@example.com'],
];
const names = ['browsed', 'bought', 'session'];
/** Instants of each person that a count looks at. */
const timesKept = 100;
const tagNames = ['plan', 'theme', 'language'];

const followed = {
  any: [
    { tag: 'plan', eq: 'client-1' },
    { event: 'bought', withinDays: 1 },
  ],
};

interface Slot {
  readonly clientToken: string;
  readonly who: ModelPerson;
  /** Whether its person became someone else since: their tokens end. */
  hasEnded?: boolean;
}

/** One app's life, and the model of it. */
class Life {
  readonly dataDir = temporaryDirectory();
  readonly store = new MirroredStore(this.dataDir);
  readonly clock: TestClock = testClock();
  readonly model = new PeopleModel();
  readonly #rng: Rng;
  one: TestPartition;
  app = 0;
  readonly #slots: Slot[] = [];
  readonly #sends = new Map<string, ModelPerson>();
  readonly #grants: DispatchGrant[] = [];
  #starts = 0;
  merges = 0;
  segmentId = '';

  constructor(seed: number) {
    this.#rng = seededRng(seed, 'life');
    this.one = this.#start();
  }

  async begin(): Promise<void> {
    this.app = (await anApp(this.one)).app;
    await this.one.value(this.app, 'settings.patch', { patch: { identityVerification: 'open' } });
    const segment = await this.one.value(this.app, 'segment.create', {
      name: 'x',
      filter: followed,
    });
    this.segmentId = segment.id;
    const asked = { segmentId: segment.id };
    await this.one.value(this.app, 'segment.watch', { asked, follower: 'test' });
  }

  async step(): Promise<void> {
    const dice = below(this.#rng, 100);
    if (dice < 6) await this.one.advance(1 + below(this.#rng, 3 * hourMs));
    else if (dice < 16) await this.#upsert();
    else if (dice < 46) await this.#logIn();
    else if (dice < 54) await this.#tag();
    else if (dice < 64) await this.#register();
    else if (dice < 78) await this.#track();
    else if (dice < 84) await this.#send();
    else if (dice < 88) await this.#deliver();
    else if (dice < 92) await this.#patch();
    else if (dice < 95) await this.#erase();
    else if (dice < 98) await this.fold();
    else await this.#restart();
    await this.one.advance(1 + below(this.#rng, 5_000));
    this.#grants.push(...this.one.takeGrants());
  }

  async fold(): Promise<void> {
    await this.store.synced();
    makeCheckpoint({
      path: this.store.disk.path,
      partition: 0,
      source: this.store.disk,
      nowMs: this.clock.nowMs,
      tableKey: newHashKey(seededRng(5)),
      sweep: below(this.#rng, 3) === 0,
      bounds: { erasureRestMs: 0 },
      onProblem: (problem) => {
        throw new Error(problem);
      },
    });
  }

  #start(): TestPartition {
    const checkpoint = newestCheckpoint(this.store.disk.path, (_name, problem) => {
      throw new Error(problem);
    });
    return new TestPartition({
      store: this.store,
      clock: this.clock,
      rng: seededRng(this.#starts++, 'start'),
      ...(checkpoint === undefined
        ? {}
        : { checkpoint: { seq: checkpoint.manifest.seq, memory: [...checkpoint.parts()] } }),
    });
  }

  /**
   * Everything in flight lands first: what an interrupted attempt becomes is not what this is
   * about.
   */
  async #restart(): Promise<void> {
    while (this.#grants.length > 0) await this.#deliver();
    await this.store.synced();
    this.one = this.#start();
    await this.one.settle();
  }

  /** Any id that was ever given out, and whose it was. */
  #anyId(): { readonly id: string; readonly person: ModelPerson } | undefined {
    if (this.model.people.length === 0) return undefined;
    const person = pick(this.#rng, this.model.people);
    return { id: person.ids[0] as string, person };
  }

  async #upsert(): Promise<void> {
    const externalUserId = pick(this.#rng, externals);
    const tags = { [pick(this.#rng, tagNames)]: `server-${below(this.#rng, 3)}` };
    const { subscriber } = await this.one.value(this.app, 'subscriber.upsert', {
      subscriber: { externalUserId, tags },
    });
    const person = this.#named(externalUserId, subscriber.id);
    Object.assign(person.tags, tags);
  }

  #named(externalUserId: string, id: string): ModelPerson {
    const known = this.model.known(externalUserId);
    return known ?? this.model.create(id, externalUserId, this.clock.nowMs);
  }

  async #logIn(): Promise<void> {
    const anonymous = this.#slots.filter((one) => this.#bearer(one)?.externalUserId === null);
    const slots = below(this.#rng, 2) === 0 && anonymous.length > 0 ? anonymous : this.#slots;
    const slot = below(this.#rng, 3) > 0 && slots.length > 0 ? pick(this.#rng, slots) : undefined;
    const externalUserId = below(this.#rng, 2) > 0 ? pick(this.#rng, externals) : undefined;
    const language = below(this.#rng, 3) === 0 ? pick(this.#rng, ['en', 'th']) : undefined;
    const timezone =
      below(this.#rng, 3) === 0 ? pick(this.#rng, ['Asia/Bangkok', 'UTC']) : undefined;
    const answer = await this.one.ask(this.app, 'sdk.login', {
      login: {
        tokenKey: new Uint8Array(32).fill(below(this.#rng, 200)),
        ...(slot === undefined ? {} : { clientToken: slot.clientToken }),
        ...(externalUserId === undefined ? {} : { externalUserId }),
        ...(language === undefined ? {} : { language }),
        ...(timezone === undefined ? {} : { timezone }),
      },
    });
    const bearer = slot === undefined ? undefined : this.#bearer(slot);
    const expected =
      slot !== undefined && bearer === undefined
        ? 'invalid_client_token'
        : externalUserId !== undefined &&
            (bearer?.externalUserId ?? externalUserId) !== externalUserId
          ? 'wrong_state'
          : undefined;
    if (!answer.ok || expected !== undefined) {
      if (answer.ok || answer.fault.code !== expected)
        throw new Error(`a login: ${JSON.stringify(answer)}, not ${expected}`);
      return;
    }
    const { subscriberId, clientToken } = answer.value as {
      subscriberId: string;
      clientToken: string;
    };
    const wasAnonymous = bearer?.externalUserId === null;
    const theirs = this.#slots.filter(
      (one) => bearer !== undefined && this.#bearer(one) === bearer,
    );
    const known = externalUserId === undefined ? undefined : this.model.known(externalUserId);
    let who = known ?? bearer;
    if (who === undefined)
      who = this.model.create(subscriberId, externalUserId ?? null, this.clock.nowMs);
    else if (bearer !== undefined && known !== undefined && bearer !== known) {
      this.model.merge(bearer, known);
      this.merges++;
    } else if (externalUserId !== undefined) who.externalUserId = externalUserId;
    // The name is new to them, or was someone else's: a stranger may have their token.
    if (wasAnonymous && externalUserId !== undefined) for (const one of theirs) one.hasEnded = true;
    if (who.ids[0] !== subscriberId)
      throw new Error(`${subscriberId} logged in, not ${who.ids[0]}`);
    if (language !== undefined) who.tags['language'] = language;
    if (timezone !== undefined) who.timezone = timezone;
    this.model.did(who, 'session', this.clock.nowMs);
    this.#slots.push({ clientToken, who });
  }

  /** Whose token it is now; undefined once it has ended. */
  #bearer({ who, hasEnded }: Slot): ModelPerson | undefined {
    return hasEnded === true ? undefined : this.model.now(who);
  }

  async #tag(): Promise<void> {
    if (this.#slots.length === 0) return;
    const slot = pick(this.#rng, this.#slots);
    const { clientToken } = slot;
    const tag = pick(this.#rng, tagNames);
    const value = below(this.#rng, 3) === 0 ? null : `client-${below(this.#rng, 3)}`;
    const answer = await this.one.ask(this.app, 'sdk.tag', { clientToken, tags: { [tag]: value } });
    const person = this.#bearer(slot);
    if (answer.ok !== (person !== undefined)) throw new Error(`a tag: ${JSON.stringify(answer)}`);
    if (person === undefined) return;
    if (value === null) delete person.tags[tag];
    else person.tags[tag] = value;
  }

  async #register(): Promise<void> {
    if (this.#slots.length === 0) return;
    const slot = pick(this.#rng, this.#slots);
    const { clientToken } = slot;
    const [channel, endpoint] = pick(this.#rng, endpoints);
    const device = { channel, endpoint };
    const answer = await this.one.ask(this.app, 'sdk.register', { clientToken, device });
    const person = this.#bearer(slot);
    const owner = this.model.devices.get(`${channel} ${endpoint}`);
    const isTaken =
      channel === 'email' &&
      owner !== undefined &&
      owner !== person &&
      owner.externalUserId !== null;
    if (answer.ok !== (person !== undefined && !isTaken))
      throw new Error(`a device: ${JSON.stringify(answer)}`);
    if (answer.ok && person !== undefined) this.model.devices.set(`${channel} ${endpoint}`, person);
  }

  async #track(): Promise<void> {
    const any = below(this.#rng, 2) === 0 ? this.#anyId() : undefined;
    const externalUserId = pick(this.#rng, externals);
    const name = pick(this.#rng, names);
    const event = any === undefined ? { name, externalUserId } : { name, subscriberId: any.id };
    const bytes = Buffer.from(JSON.stringify({ events: [event] }));
    const reply = await this.one.value(this.app, 'events.ingest', { keyless: true }, { bytes });
    if (any !== undefined) {
      const person = this.model.now(any.person);
      if (reply.accepted !== (person === undefined ? 0 : 1)) throw new Error(JSON.stringify(reply));
      if (person !== undefined) this.model.did(person, name, this.clock.nowMs);
      return;
    }
    const found = await this.one.value(this.app, 'subscriber.read', { ref: { externalUserId } });
    this.model.did(this.#named(externalUserId, found.id), name, this.clock.nowMs);
  }

  async #send(): Promise<void> {
    const any = this.#anyId();
    if (any === undefined) return;
    const answer = await this.one.ask(this.app, 'transactional.accept', {
      request: { to: { id: any.id }, title: 'Hi', body: 'there' },
      claim: null,
    });
    const person = this.model.now(any.person);
    if (answer.ok !== (person !== undefined)) throw new Error(`a send: ${JSON.stringify(answer)}`);
    if (!answer.ok || person === undefined) return;
    const { id } = answer.value as { id: string };
    this.#sends.set(id, person);
    if (this.model.devicesOf(person).length === 0)
      this.model.did(person, 'suppressed', this.clock.nowMs);
  }

  /** One attempt lands, whoever its person is by now. */
  async #deliver(): Promise<void> {
    const grant = this.#grants.shift();
    if (grant === undefined) return;
    for (const { target, attempt } of grant.attempts) {
      await this.one.value(this.app, 'dispatch.report', {
        channel: grant.channel,
        reports: [
          {
            sendId: attempt.sendId,
            target,
            attempt: attempt.attempt,
            outcome: { outcome: 'accepted' },
          },
        ],
      });
      const person = this.model.now(this.#sends.get(attempt.sendId) as ModelPerson);
      if (person !== undefined) this.model.did(person, 'delivered', this.clock.nowMs);
      await this.one.advance(1);
    }
    this.#grants.push(...this.one.takeGrants());
  }

  async #patch(): Promise<void> {
    const any = this.#anyId();
    if (any === undefined) return;
    const preferredChannels: ChannelId[] = [pick(this.#rng, ['fcm', 'email'] as const)];
    const ref = { id: any.id };
    const answer = await this.one.ask(this.app, 'subscriber.patch', {
      ref,
      patch: { preferredChannels },
    });
    const person = this.model.now(any.person);
    if (answer.ok !== (person !== undefined)) throw new Error(`a patch: ${JSON.stringify(answer)}`);
    if (person !== undefined) person.preferredChannels = preferredChannels;
  }

  async #erase(): Promise<void> {
    const any = this.#anyId();
    if (any === undefined) return;
    const answer = await this.one.ask(this.app, 'subscriber.erase', { ref: { id: any.id } });
    const person = this.model.now(any.person);
    if (answer.ok !== (person !== undefined))
      throw new Error(`an erasure: ${JSON.stringify(answer)}`);
    if (person !== undefined) this.model.erase(person);
  }

  /** What `engage check` says of the files. */
  async problems(): Promise<readonly string[]> {
    const { dataDir, clock } = this;
    const now = { ...systemClock, now: () => clock.nowMs };
    return (await checkPartition({ dataDir, level: 'all' }, 0, now, () => undefined)).problems;
  }

  async eventsOf(id?: string) {
    const subscriberId = id === undefined ? {} : { subscriberId: id };
    const located = await this.one.value(this.app, 'events.locate', subscriberId);
    const { person, aliases, erased } = located;
    await this.store.synced();
    const query = { limit: 10_000, ...(person === null ? {} : { person, aliases }) };
    const { disk } = this.store;
    const { items } = readPage({ app: this.app, query, erased }, disk.path, eventLog(disk));
    return items.map(({ name, subscriberId, atMs }) => ({ name, subscriberId, atMs }));
  }

  /** How often each person did something in the last day, by id, as counted filters see it. */
  async timesOf(name: string, fromMs: number): Promise<Map<string, number>> {
    const filter = { event: name, withinDays: 1, atLeast: 2 };
    const asked = await this.one.value(this.app, 'segment.uncounted', { asked: { filter } });
    const { erased, merged } = asked;
    await this.store.synced();
    const { disk } = this.store;
    const read = { app: this.app, names: [[name, timesKept] as const], fromMs, erased, merged };
    const [column] = withHistory(disk.path, (history) => readTimes(read, eventLog(disk), history));
    if (column === undefined) throw new Error(`no times of ${name}`);
    const times = NewestTimes.restore(column[1]);
    return new Map(
      this.model.there().flatMap((person): [string, number][] => {
        const count = times.countAfter(ordinalOf(person), fromMs);
        return count === 0 ? [] : [[person.ids[0] as string, count]];
      }),
    );
  }
}

const ordinalOf = (person: ModelPerson) => parseId('sub', person.ids[0] as string)?.low32 ?? -1;

async function check(t: Test, life: Life): Promise<void> {
  const { model, one, app } = life;
  for (const person of model.people) {
    const id = person.ids.at(-1) as string;
    const now = model.now(person);
    const answer = await one.ask(app, 'subscriber.read', { ref: { id } });
    if (now === undefined) {
      t.equal(answer.ok, false, `${id} is nobody`);
      continue;
    }
    const read = answer.ok
      ? (answer.value as { devices: { channel: string; endpoint: unknown }[] })
      : undefined;
    t.same(
      {
        ...read,
        devices: read?.devices.map(({ channel, endpoint }) => `${channel} ${endpoint}`).sort(),
        person: 0,
        updatedMs: 0,
      },
      {
        id: now.ids[0],
        person: 0,
        externalUserId: now.externalUserId,
        displayName: null,
        devices: model.devicesOf(now),
        tags: now.tags,
        timezone: now.timezone,
        preferredChannels: now.preferredChannels,
        createdMs: now.createdMs,
        updatedMs: 0,
        lastActiveMs: model.lastActiveMs(now),
      },
      `${id} reads as ${now.ids[0]}`,
    );
    t.same(await life.eventsOf(id), model.events(now), `the events of ${id}`);
  }
  t.same(await life.eventsOf(), model.events(), 'the events of everybody');
  await checkMemory(t, life);
}

/** What filters and meters know of everybody. */
async function checkMemory(t: Test, life: Life): Promise<void> {
  const { model, one, app } = life;
  const { traits, people, watches, monthlyActive } = one.product.state.apps.get(app) as NonNullable<
    ReturnType<typeof one.product.state.apps.get>
  >;
  const members = watches.get(life.segmentId)?.members;
  for (const person of model.people.filter(({ ids }) => ids.length > 0)) {
    const isThere = model.now(person) === person;
    const bought = model
      .events(person)
      .some(({ name, atMs }) => name === 'bought' && atMs > life.clock.nowMs - 24 * hourMs);
    t.equal(
      members?.test(ordinalOf(person)),
      isThere && (person.tags['plan'] === 'client-1' || bought),
      `who follows knows of ${person.ids[0]}`,
    );
  }
  t.equal(
    monthlyActive.count(utcMonthOf(life.clock.nowMs)),
    model.monthlyActive(),
    'active this month',
  );
  t.equal(people.count, model.there().length);
  t.equal(traits.alive.count(), model.there().length);
  const fromMs = life.clock.nowMs - 24 * hourMs;
  for (const name of [...names, 'delivered', 'suppressed']) {
    const counts = new Map<string, number>();
    for (const person of model.there()) {
      const times = model
        .events(person)
        .flatMap((event) => (event.name === name ? [event.atMs] : []));
      t.equal(
        traits.events.get(name)?.at(ordinalOf(person)) ?? 0,
        Math.max(0, ...times),
        `${name} of ${person.ids[0]}`,
      );
      const recent = times.filter((atMs) => atMs > fromMs).length;
      if (recent > 0) counts.set(person.ids[0] as string, recent);
    }
    t.same(await life.timesOf(name, fromMs), counts, `how often ${name}`);
  }
  for (const person of model.there()) {
    t.equal(traits.created.at(ordinalOf(person)), person.createdMs);
    for (const tag of tagNames)
      t.equal(
        await matchesNow(
          life,
          person,
          person.tags[tag] === undefined ? { tag, exists: false } : { tag, eq: person.tags[tag] },
        ),
        true,
        `${tag} of ${person.ids[0]}`,
      );
    for (const channel of ['fcm', 'email'] as const)
      t.equal(
        await matchesNow(life, person, { channel }),
        model.devicesOf(person).some((device) => device.startsWith(`${channel} `)),
        `${channel} of ${person.ids[0]}`,
      );
  }
}

async function matchesNow(
  { one, app }: Life,
  person: ModelPerson,
  filter: object,
): Promise<boolean> {
  const ref = { id: person.ids.at(-1) as string };
  return (await one.value(app, 'segment.explain', { asked: { filter }, ref })).matches;
}

t.test('whatever was merged, every read shows one person, as a naive model has them', async (t) => {
  let merges = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1e6 }), async (seed) => {
      const life = new Life(seed);
      await life.begin();
      for (let round = 0; round < 6; round++) {
        for (let step = 0; step < 25; step++) await life.step();
        await check(t, life);
      }
      merges += life.merges;
      await life.store.synced();
      await life.store.disk.close();
      t.same(await life.problems(), [], 'and a check of its files finds nothing');
    }),
    { seed: 77, numRuns: tries(12) },
  );
  t.ok(merges > tries(50), `${merges} merges`);
});
