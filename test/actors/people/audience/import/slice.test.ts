import fc from 'fast-check';
import t from 'tap';
import { importSlice } from '../../../../../actors/people/audience/import/slice.ts';
import type {
  AudienceEntry,
  ImportReply,
  RowError,
  SubscriberInput,
} from '../../../../../actors/people/audience/protocol.ts';
import { decodeBlock } from '../../../../../engine/actor/block.ts';
import type { Context } from '../../../../../engine/actor/message.ts';
import { TurnRoom } from '../../../../../engine/actor/turn-room.ts';
import { seededRng } from '../../../../../engine/base/rng.ts';
import { AgeClock } from '../../../../../engine/time/age-clock.ts';
import { DamagedRecord } from '../../../../../storage/codec.ts';
import { Documents } from '../../../../../storage/documents.ts';
import { type SubscriberRow, subscribers } from '../../../../../storage/tables/subscriber.ts';
import { indexedDevices } from '../../../../support/indexed-devices.ts';
import { partitionWithApp, TestPartition } from '../../../../support/partition.ts';
import { tries } from '../../../../support/tries.ts';

const email = (name: string) => ({ channel: 'email' as const, endpoint: `${name}@example.com` });

async function started() {
  const { one, app } = await partitionWithApp();
  return { one, app };
}

/**
 * Everything stored of an app's people, but for what chance decides: ids are named in order of
 * their first use.
 */
function stored(one: TestPartition, app: number) {
  const documents = new Documents(one.store);
  const names = new Map<string, string>();
  const named = (id: string) => {
    const known = names.get(id) ?? `${id.slice(0, 3)} ${names.size}`;
    names.set(id, known);
    return known;
  };
  const people = documents.range(subscribers, app, { limit: 1_000 }).map(({ value }) => ({
    ...value,
    id: named(value.id),
    devices: value.devices.map((device) => ({ ...device, id: named(device.id) })),
  }));
  const memory = one.product.state.apps.get(app)?.people;
  const found = people.map(({ externalUserId }) =>
    externalUserId === undefined ? undefined : memory?.find(externalUserId),
  );
  return { people, found, next: memory?.next };
}

/**
 * What holds whatever was imported: every device is found by its endpoint, and every endpoint leads
 * to a device.
 */
function consistent(t: Tap, one: TestPartition, app: number): void {
  const people = new Documents(one.store).range(subscribers, app, { limit: 1_000 });
  const devices = people.flatMap(({ value: { person, devices } }) =>
    devices.map(({ id }) => `${person} ${id}`),
  );
  t.same(devices.sort(), indexedDevices(one, app));
}

type Tap = Pick<typeof t, 'same'>;

/** Sends rows as the edge does: what a slice leaves over goes as the next one. */
async function imported(
  one: TestPartition,
  app: number,
  rows: readonly SubscriberInput[],
  sizes: readonly number[],
): Promise<Omit<ImportReply, 'handled'>> {
  const all = { created: 0, updated: 0, errors: [] as RowError[] };
  for (let from = 0, turn = 0; from < rows.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    const slice = rows.slice(from, from + size);
    const reply = await one.value(app, 'subscriber.import', { rows: slice });
    all.created += reply.created;
    all.updated += reply.updated;
    all.errors.push(...reply.errors.map((error) => ({ ...error, row: error.row + from })));
    from += reply.handled;
  }
  return all;
}

async function upserted(one: TestPartition, app: number, rows: readonly SubscriberInput[]) {
  const all = { created: 0, updated: 0, errors: [] as RowError[] };
  for (const [row, subscriber] of rows.entries()) {
    const answer = await one.ask(app, 'subscriber.upsert', { subscriber });
    if (!answer.ok) all.errors.push({ row, error: answer.fault.message });
    else if ((answer.value as { created: boolean }).created) all.created++;
    else all.updated++;
  }
  return all;
}

/** The same without devices that are refused, as long as somebody is left. */
async function upsertedInPart(one: TestPartition, app: number, rows: readonly SubscriberInput[]) {
  const all = { created: 0, updated: 0, errors: [] as RowError[] };
  for (const [row, whole] of rows.entries()) {
    const errors: RowError[] = [];
    let devices = whole.devices?.map((device, place) => ({ ...device, place }));
    for (;;) {
      const subscriber = { ...whole, ...(devices === undefined ? {} : { devices }) };
      const isSomebody = whole.externalUserId !== undefined || devices?.length !== 0;
      const answer =
        errors.length > 0 && !isSomebody
          ? undefined
          : await one.ask(app, 'subscriber.upsert', { subscriber });
      if (answer?.ok) {
        if ((answer.value as { created: boolean }).created) all.created++;
        else all.updated++;
        all.errors.push(...errors);
        break;
      }
      const error = answer?.fault.message ?? errors[0]?.error ?? '';
      const device = /^devices\[(\d)\]/.exec(error)?.[1];
      if (answer === undefined || device === undefined) {
        all.errors.push({ row, error });
        break;
      }
      errors.push({ row, device: Number(device), error });
      devices = devices?.filter(({ place }) => place !== Number(device));
    }
  }
  return all;
}

// Few people and few endpoints, so that rows meet; some rows are bad, the device before the bad one
// a good one.
const deviceArbitrary = fc.record(
  {
    channel: fc.constantFrom('email' as const, 'sms' as const, 'apns' as const),
    endpoint: fc.constantFrom<unknown>(
      ...['A@x.example', 'a@X.example', 'b@x.example', 'c@x.example', '+1 415 555 0123'],
      ...['+14155550123', 'ab'.repeat(32), 'nobody', 7],
    ),
    enabled: fc.boolean(),
    environment: fc.constantFrom('production' as const, 'sandbox' as const),
  },
  { requiredKeys: ['channel', 'endpoint'] },
);
const rowArbitrary: fc.Arbitrary<SubscriberInput> = fc.record(
  {
    externalUserId: fc.constantFrom('ana', 'ben', 'eve', 'kim'),
    tags: fc.dictionary(
      fc.constantFrom('plan', 'city', '$bad'),
      fc.constantFrom<string | number | null | string[]>('pro', 3, null, ['x']),
      { maxKeys: 2 },
    ),
    timezone: fc.constantFrom('UTC', 'Asia/Bangkok', null),
    preferredChannels: fc.constantFrom<NonNullable<SubscriberInput['preferredChannels']> | null>(
      null,
      ['email'],
      [],
    ),
    devices: fc.array(deviceArbitrary, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

t.test('an import leaves what the same upserts one by one leave, wherever it is cut', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowArbitrary, { maxLength: 24 }),
      fc.array(rowArbitrary, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
      async (rows, before, sizes) => {
        const [left, right] = [await started(), await started()];
        await upserted(left.one, left.app, before);
        await upserted(right.one, right.app, before);
        const one = await upsertedInPart(left.one, left.app, rows);
        const bulk = await imported(right.one, right.app, rows, sizes);
        t.same(bulk, one);
        t.same(stored(right.one, right.app), stored(left.one, left.app));
        consistent(t, right.one, right.app);
        // Memory is a fold of the log: a restart finds the same.
        const again = new TestPartition({ store: right.one.store });
        t.same(stored(again, right.app), stored(right.one, right.app));
      },
    ),
    { seed: 412, numRuns: tries(150) },
  );
});

t.test('importing the same rows again changes nobody but in time', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        rowArbitrary.filter(({ externalUserId }) => externalUserId !== undefined),
        { maxLength: 16 },
      ),
      fc.integer({ min: 1, max: 16 }),
      async (rows, size) => {
        const { one, app } = await started();
        const first = await imported(one, app, rows, [size]);
        const people = () => stored(one, app).people.map(shown);
        const before = people();
        const second = await imported(one, app, rows, [size]);
        t.same(people(), before);
        t.same([second.created, second.errors], [0, first.errors]);
        t.equal(second.updated, first.created + first.updated);
      },
    ),
    { seed: 77, numRuns: tries(60) },
  );
});

/**
 * A person as callers know them. A device that moved away and back is a new one, at the end of the
 * list.
 */
function shown({ externalUserId, tags, timezone, preferredChannels, devices }: SubscriberRow) {
  const known = devices.map(({ channel, endpoint, enabled, environment }) =>
    JSON.stringify([channel, String(endpoint).toLowerCase(), enabled, environment]),
  );
  return { externalUserId, tags, timezone, preferredChannels, devices: known.sort() };
}

t.test('an endpoint that moves between two rows and back has one owner at the end', async (t) => {
  const { one, app } = await started();
  const reply = await one.value(app, 'subscriber.import', {
    rows: [
      { externalUserId: 'ana', devices: [email('shared'), email('own')] },
      { externalUserId: 'ben', devices: [email('shared')] },
      { devices: [email('SHARED')] },
      { externalUserId: 'ana', tags: { seen: 2 }, devices: [email('shared')] },
    ],
  });
  t.same(reply, { handled: 4, created: 3, updated: 1, errors: [] });
  const { people } = stored(one, app);
  t.same(
    people.map(({ person, externalUserId, devices }) => [
      person,
      externalUserId,
      devices.map(({ endpoint }) => endpoint),
    ]),
    [
      [0, 'ana', ['own@example.com', 'shared@example.com']],
      [1, 'ben', []],
      [2, undefined, []],
    ],
  );
  consistent(t, one, app);
});

t.test('a bad row leaves no trace, not even of its devices', async (t) => {
  const { one, app } = await started();
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'ana', devices: [email('ana')] },
  });
  const before = stored(one, app);
  const { durableSeq } = one.store;
  const tags = Object.fromEntries(
    Array.from({ length: 70 }, (_, nth) => [`t${nth}`, 'x'.repeat(1_000)]),
  );
  const bad = [
    { externalUserId: 'ben', devices: [email('ana')], tags },
    { externalUserId: 'ana', tags: { $x: 1 } },
    { externalUserId: 'eve', preferredChannels: [] },
  ];
  const reply = await one.value(app, 'subscriber.import', { rows: bad });
  t.match(reply, { handled: 3, created: 0, updated: 0 });
  t.same(
    reply.errors.map(({ row, error }) => [row, error.slice(0, error.indexOf(':'))]),
    [
      [0, 'tags'],
      [1, 'tags.$x'],
      [2, 'preferredChannels'],
    ],
  );
  t.same(stored(one, app), before);
  t.equal(one.store.durableSeq, durableSeq, 'nothing was written');
  const mixed = await one.value(app, 'subscriber.import', {
    rows: [{ externalUserId: 'zoe' }, ...bad, { externalUserId: 'zoe', devices: [email('z')] }],
  });
  t.match(mixed, { created: 1, updated: 1, errors: [{ row: 1 }, { row: 2 }, { row: 3 }] });
  t.equal(stored(one, app).next, 2, 'a bad row takes no ordinal');
});

t.test('whoever a slice creates or changes has one entry in it', async (t) => {
  const { one, app } = await started();
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'old', devices: [email('a'), email('b')] },
  });
  await one.value(app, 'subscriber.import', {
    rows: [
      { externalUserId: 'new', devices: [email('a')] },
      { externalUserId: 'new', devices: [email('b')] },
      { externalUserId: 'other' },
    ],
  });
  const [last] = [...one.store.blocks(one.store.durableSeq, 1)];
  const entries = decodeBlock(last?.block ?? new Uint8Array()).entries as AudienceEntry[];
  t.same(
    entries
      .filter(({ kind }) => kind.startsWith('subscriber.'))
      .map((entry) => [entry.kind, 'person' in entry ? entry.person : undefined]),
    [
      ['subscriber.created', 1],
      ['subscriber.changed', 0],
      ['subscriber.created', 2],
    ],
  );
});

t.test('a slice of large records ends early, and says where', async (t) => {
  const { one, app } = await started();
  const tags = Object.fromEntries(
    Array.from({ length: 58 }, (_, i) => [`k${i}`, 'v'.repeat(1_000)]),
  );
  const rows = Array.from({ length: 60 }, (_, i) => ({ externalUserId: `p${i}`, tags }));
  const reply = await one.value(app, 'subscriber.import', { rows });
  t.ok(reply.handled > 20 && reply.handled < 60, `${reply.handled} rows`);
  t.equal(reply.created, reply.handled);
  t.match(await imported(one, app, rows.slice(reply.handled), [60]), {
    created: 60 - reply.handled,
  });
  t.same(await one.value(app, 'subscriber.import', { rows: [] }), {
    handled: 0,
    created: 0,
    updated: 0,
    errors: [],
  });
});

t.test('a record that cannot be read is the error of the rows that need it', async (t) => {
  const { one, app } = await started();
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'torn' } });
  const state = one.product.state.apps.get(app);
  if (state === undefined) throw new Error('no app');
  const context: Context = {
    owner: app,
    nowMs: 5,
    wallMs: 5,
    ages: new AgeClock(),
    rng: seededRng(3),
    bytes: undefined,
    room: new TurnRoom(),
    documents: {
      lend: () => false,
      get: (table) => {
        if (table.id === subscribers.id)
          throw new DamagedRecord('subscribers', new Uint8Array(1), 'torn');
        return undefined;
      },
      range: () => [],
    },
  };
  const rows = [{ externalUserId: 'torn' }, { externalUserId: 'whole' }];
  const decision = importSlice(state, { rows }, context, false);
  t.match(decision, {
    outcome: 'accepted',
    reply: { handled: 2, created: 1, errors: [{ row: 0, error: /^row: .*cannot be read/ }] },
  });
});
