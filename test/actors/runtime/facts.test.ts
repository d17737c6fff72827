import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { Traits } from '../../../actors/audiences/segments/traits.ts';
import { countsInMonth } from '../../../actors/events/ingest/names.ts';
import { encodeDrafts } from '../../../actors/events/log/drafts.ts';
import { journeyEventTells } from '../../../actors/programs/journeys/event-tells.ts';
import type { JourneyEvent } from '../../../actors/programs/journeys/protocol.ts';
import { eventsOf, factsOf, numberEntry } from '../../../actors/runtime/facts.ts';
import type { AppState } from '../../../actors/runtime/state.ts';
import { decodeBlock } from '../../../engine/actor/block.ts';
import type { Entry } from '../../../engine/actor/message.ts';
import { formatId } from '../../../engine/base/id.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { utcMonthOf } from '../../../engine/time/utc-month.ts';
import { partitionWithApp, TestPartition } from '../../support/partition.ts';
import { tries } from '../../support/tries.ts';

const owner = 4_101;
const atMs = Date.UTC(2026, 0, 1);
const people = 20;

const person = fc.nat(people - 1);
const status = fc.constantFrom('delivered', 'bounced', 'failed', 'suppressed');
const some = fc.uniqueArray(person, { maxLength: 8 }).map((all) => all.sort((a, b) => a - b));
const sendParts = { ordinal: owner, atMs, high16: 1, low32: 1 };
const sendId = formatId('ntf', sendParts);
const deviceId = formatId('dev', sendParts);
const base = { owner, atMs, firstEvent: 0 };

/** People by codes of a list, of which each has at least one member. */
const coded = <Kind>(kind: fc.Arbitrary<Kind>) =>
  fc
    .tuple(some, fc.array(kind, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()))
    .map(([who, kinds, stream]) => ({
      people: packOrdinals(who),
      kinds,
      ...(kinds.length > 1 && {
        codes: Uint8Array.from(who, () => (stream.next().value as number) % kinds.length),
      }),
    }));

const held = { untilMs: atMs + 9, reason: 'quiet_hours' };
const turn = fc.constantFrom<object>(
  { turn: 'wave' },
  { turn: 'gone' },
  { turn: 'suppress', reason: 'opt_out' },
  { turn: 'hold', ...held },
  { turn: 'hold', untilMs: atMs + 9, reason: 'local_time' },
);
const happened = fc.constantFrom<object>(
  { kind: 'entered', operation: 0 },
  { kind: 'suppressed', operation: 0, reason: 'no_device' },
  { kind: 'held', operation: 0, ...held },
);
const move = fc.record({
  enrolls: fc.boolean(),
  happened: fc.array(happened, { maxLength: 3 }),
  outcome: fc.constantFrom({ kind: 'completed' }, { kind: 'converted' }, { kind: 'exited' }),
});

const tracked = fc
  .array(
    fc.record({
      name: fc.constantFrom('opened', 'order', 'delivery'),
      person,
      atMs: fc.nat(9).map((ms) => atMs - ms),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((drafts) => ({
    ...{ kind: 'events.tracked', owner, atMs, keyless: false },
    batch: encodeDrafts(drafts, atMs),
  }));
const settled = fc.array(fc.tuple(person, fc.option(status)), { maxLength: 6 }).map((items) => ({
  ...base,
  ...{ kind: 'attempts.settled', channel: 'email', standing: null },
  items: items.map(([who, ended]) => ({
    ...{ sendId, target: 0, deviceId, isLate: true },
    settlement:
      ended === null
        ? { next: 'due' }
        : { next: 'done', receipt: { person: who, status: ended, attempts: 1 } },
  })),
}));
const queued = person.map((who) => ({
  ...base,
  ...{ kind: 'send.queued', sendId, person: who, expiresMs: null, targets: [], claim: null },
}));
const unsubscribed = some.map((who) => ({
  ...{ kind: 'suppression.added', owner, identityKey: 'sms:+1' },
  unsubscribed: { people: who, firstEvent: 0, atMs, channel: 'sms', source: 'callback' },
}));
const decided = coded(turn).map(({ kinds: turns, ...who }) => ({
  ...base,
  ...{ kind: 'campaign.decided', campaignId: 'cmp', occurrence: 0, phase: 'primary' },
  ...{ channel: 0, turns, ...who, wave: 1, sends: [] },
}));
const wave = coded(status).map(({ kinds, ...who }) => ({
  ...base,
  ...{ kind: 'wave.settled', campaignId: 'cmp', occurrence: 0, phase: 'primary', channel: 2 },
  ...{ wave: 1, sendParts, standing: null, messageIds: [], spilled: [], ...who },
  kinds: kinds.map((one) => ({ status: one })),
  devices: new Uint8Array(12 * people),
}));
const moved = coded(move).map(({ kinds: moves, ...who }) => ({
  ...base,
  ...{ kind: 'journey.moved', journeyId: 'jrn', moves, ...who, firstSend: 1 },
}));

/** Entries of every kind that has events; they are written into, so each run has its own. */
const entries = fc
  .array(fc.oneof(tracked, settled, queued, unsubscribed, decided, wave, moved), { maxLength: 12 })
  .map((all) => structuredClone(all) as unknown as Entry[]);

interface Row {
  readonly name: string;
  readonly person: number;
  readonly atMs: number;
}

/** What history stores of entries that were numbered from `first` on, without a gap. */
function stored(all: readonly Entry[], first: number): Row[] {
  const rows: Row[] = [];
  for (const events of all.flatMap(eventsOf))
    for (let row = 0; row < events.count; row++) {
      deepStrictEqual(events.seq(row), first + rows.length);
      rows.push({ name: events.name(row), person: events.person(row), atMs: events.atMs(row) });
    }
  return rows;
}

/** Numbers entries as the runtime does. */
function number(all: readonly Entry[], first: number): void {
  let next = first;
  for (const entry of all) {
    numberEntry(entry, next);
    next += factsOf(entry).rows().count;
  }
}

t.test('facts are the rows of history, and numbers have no gap', async (t) => {
  fc.assert(
    fc.property(entries, fc.constantFrom(1, 127, 128, 70_000, 2 ** 40), (all, first) => {
      number(all, first);
      const rows: Row[] = [];
      for (const facts of all.map(factsOf).map((one) => one.rows()))
        for (let row = 0; row < facts.count; row++)
          rows.push({
            name: facts.names[facts.nameIndex(row)] as string,
            person: facts.person(row),
            atMs: facts.atMs(row),
          });
      deepStrictEqual(rows, stored(all, first));
    }),
  );
  t.pass();
});

t.test('every subscriber makes of entries what history stores of them', async (t) => {
  await fc.assert(
    fc.asyncProperty(entries, async (all) => {
      const { one, app: ordinal, org } = await partitionWithApp();
      const app = one.product.state.apps.get(ordinal) as AppState;
      const model = new Traits();
      for (let who = 0; who < people; who++) {
        app.people.add(who, `p${who}`);
        app.traits.addPerson(who, atMs);
        model.addPerson(who, atMs);
      }
      const own = all.map((entry) => Object.assign(entry, { owner: ordinal }));
      number(own, 1);
      for (const entry of own) one.product.apply(entry);
      const rows = stored(own, 1);
      for (const { name, person: who, atMs: at } of rows)
        if (name !== 'deferred') model.track(who, name, at);
      deepStrictEqual(app.nextEvent, rows.length + 1);
      deepStrictEqual(app.traits.snapshot(), model.snapshot());
      const active = new Set(
        rows.filter(({ name }) => countsInMonth(name)).map((row) => row.person),
      );
      deepStrictEqual(app.monthlyActive.count(utcMonthOf(atMs)), active.size);
      const mails = own
        .filter((entry) => factsOf(entry).channel() === 'email')
        .flatMap((entry) => eventsOf(entry))
        .flatMap((events) => Array.from({ length: events.count }, (_, row) => events.name(row)));
      const meter = one.product.state.orgs.get(org)?.meter;
      deepStrictEqual(
        meter?.emails(utcMonthOf(atMs))?.delivered ?? 0,
        mails.filter((name) => name === 'delivered').length,
      );
      deepStrictEqual(heard(app, own), rows);
    }),
    { numRuns: tries(40) },
  );
  t.pass();
});

/** What a journey that waits for every event is told. */
function heard(app: AppState, all: readonly Entry[]): Row[] {
  const listening = { waiting: new Set(['jrn']), triggered: new Set<string>() };
  const listeners = { isEmpty: false, to: () => listening };
  const { people, record, settings } = app;
  const listener = { people, record, settings, journeys: { listeners } } as unknown as AppState;
  const told = journeyEventTells(listener, all.map(factsOf))?.tells ?? [];
  return told
    .flatMap(({ message }) => (message as unknown as { heard: readonly JourneyEvent[] }).heard)
    .map(({ name, person: who, atMs: at }) => ({ name, person: who, atMs: at }));
}

t.test('numbers go on without a gap over decisions, the pump and a restart', async (t) => {
  const { one, app } = await partitionWithApp();
  for (const [externalUserId, devices] of [
    ['ana', [{ channel: 'email', endpoint: 'ana@example.com' }]],
    ['ben', []],
  ] as const)
    await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId, devices } });
  let restarted = one;
  for (let life = 0; life < 2; life++) {
    const names = ['order', 'opened', 'order'];
    const events = names.map((name) => ({ name, externalUserId: 'ana' }));
    const bytes = Buffer.from(JSON.stringify({ events }));
    const send = (externalUserId: string) =>
      restarted.value(app, 'transactional.accept', {
        request: { to: { externalUserId }, title: 'Hi', body: 'there' },
        claim: null,
      });
    await Promise.all([
      restarted.value(app, 'events.ingest', { keyless: false }, { bytes }),
      send('ben'), // its receipt comes with the decision
      restarted.value(app, 'suppression.add', {
        ...{ channel: 'email', address: 'ana@example.com', source: 'unsubscribe' },
      }),
      send('ana'), // its receipt comes with the pump
      restarted.value(app, 'events.ingest', { keyless: false }, { bytes }),
    ]);
    const log = [...restarted.store.blocks(restarted.store.oldestSeq, 1_000)]
      .flatMap(({ block }) => decodeBlock(block).entries)
      .filter((entry) => entry.owner === app);
    const rows = stored(log, 1);
    t.equal(rows.length, life === 0 ? 9 : 17);
    restarted = new TestPartition({ store: one.store, clock: one.clock });
    t.equal(restarted.product.state.apps.get(app)?.nextEvent, rows.length + 1);
    await restarted.settle();
  }
});
