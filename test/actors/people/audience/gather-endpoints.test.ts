// Data of builds that kept addresses in a table: they are read into memory while callers go on.

import fc from 'fast-check';
import t from 'tap';
import { endpointKey } from '../../../../actors/people/audience/endpoint-owner.ts';
import { GatherClock } from '../../../../actors/people/audience/gather-endpoints.ts';
import { encodeBlock } from '../../../../engine/actor/block.ts';
import { Documents } from '../../../../storage/documents.ts';
import { endpoints, subscribers } from '../../../../storage/tables/subscriber.ts';
import { indexedDevices } from '../../../support/indexed-devices.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const people = 600;
const email = (name: number) => ({ channel: 'email' as const, endpoint: `p${name}@x.example` });

interface Scene {
  readonly one: TestPartition;
  readonly app: number;
  /** The first device of each person. */
  readonly devices: readonly string[];
  /** The same data, opened again. */
  readonly again: () => TestPartition;
}

async function filled(): Promise<Scene> {
  const { one, app } = await partitionWithApp();
  for (let from = 0; from < people; from += 200)
    await one.value(app, 'subscriber.import', {
      rows: Array.from({ length: 200 }, (_, i) => ({
        externalUserId: `user-${from + i}`,
        devices: [email(from + i)],
      })),
    });
  const documents = new Documents(one.store);
  const rows = documents.range(subscribers, app, { limit: people });
  const devices = rows.map(({ value }) => value.devices[0]?.id ?? '');
  return { one, app, devices, again: () => new TestPartition(one) };
}

/** As an earlier build left it: each address is a row, and memory has none. */
async function older(): Promise<Scene> {
  const { one, app, devices } = await filled();
  const documents = new Documents(one.store);
  const seq = one.store.durableSeq + 1;
  for (const { value } of documents.range(subscribers, app, { limit: people }))
    for (const { id, channel, endpoint } of value.devices)
      documents.put(endpoints, app, endpointKey(channel, `${endpoint}`), {
        person: value.person,
        deviceId: id,
      });
  const block = encodeBlock({ atMs: one.clock.nowMs, entries: [] });
  await new Promise<void>((durable) =>
    one.store.commit({ seq, block, documents: documents.takeStaged(seq) }, durable),
  );
  const memory = [...one.partition.parts()].map(({ name, value }) => {
    if (name !== `app-${app}`) return { name, value };
    const { endpoints: _none, ...rest } = value as { endpoints: unknown };
    return { name, value: rest };
  });
  const { store, clock } = one;
  const checkpoint = { seq: seq - 1, memory };
  const again = () => new TestPartition({ store, clock, checkpoint });
  return { one: again(), app, devices, again };
}

const rowsLeft = ({ one, app }: Scene) =>
  new Documents(one.store).range(endpoints, app, { limit: people }).length;

const isWhole = ({ one, app }: Scene) => one.product.state.apps.get(app)?.endpoints.isWhole;

t.test('some rows in a turn, and none is left', async (t) => {
  const scene = await older();
  const { one, app } = scene;
  const before = one.store.durableSeq;
  t.equal(rowsLeft(scene), people);
  await one.settle();
  t.equal(rowsLeft(scene), 0);
  t.ok(isWhole(scene));
  t.equal(indexedDevices(one, app).length, people);
  t.equal(one.store.durableSeq - before, 3, 'in three turns');
});

t.test('what takes no rows is not asked for again', async (t) => {
  const { one, app } = await older();
  const clock = new GatherClock();
  clock.begin(one.product.state, 1);
  const turn = { nowMs: 2, wallMs: 2, isShared: false };
  t.same(
    clock.due(one.product.state, turn).map(({ to }) => to),
    [app],
  );
  t.equal(clock.nextMs, undefined);
  t.same(clock.due(one.product.state, turn), []);
});

interface Call {
  readonly kind: 'put' | 'import' | 'remove' | 'erase';
  readonly person: number;
  readonly address: number;
}

/** Few of many, so that calls meet. */
const some = fc.nat(5).map((n) => n * 119);
const call: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom('put', 'import', 'remove', 'erase'),
  person: some,
  address: some,
});

/** Delivers it at once. */
function take({ one, app, devices }: Scene, { kind, person, address }: Call): Promise<unknown> {
  const externalUserId = `user-${person}`;
  const ref = { externalUserId };
  const row = { externalUserId, devices: [email(address)] };
  if (kind === 'put') return one.ask(app, 'subscriber.upsert', { subscriber: row });
  if (kind === 'import') return one.ask(app, 'subscriber.import', { rows: [row] });
  if (kind === 'erase') return one.ask(app, 'subscriber.erase', { ref });
  return one.ask(app, 'device.remove', { ref, deviceId: devices[person] ?? '' });
}

/** Who has which addresses. */
function owners({ one, app }: Scene): readonly string[] {
  const rows = new Documents(one.store).range(subscribers, app, { limit: 2 * people });
  return rows
    .map(({ value: { externalUserId, devices } }) =>
      [externalUserId, ...devices.map(({ endpoint }) => endpoint).toSorted()].join(' '),
    )
    .toSorted();
}

t.test('callers see no difference meanwhile, and a restart finds the same', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
      const [scene, whole] = [await older(), await filled()];
      // All are handled in the first turn, after 250 of the rows.
      await Promise.all(calls.map((one) => take(scene, one)));
      await Promise.all(calls.map((one) => take(whole, one)));
      const own = owners(scene);
      const devices = own.flatMap((line) => line.split(' ').slice(1)).length;
      t.same(own, owners(whole));
      t.equal(rowsLeft(scene), 0);
      t.equal(indexedDevices(scene.one, scene.app).length, devices);
      const again = { ...scene, one: scene.again() };
      t.equal(indexedDevices(again.one, again.app).length, devices, 'of checkpoint and log');
    }),
    { numRuns: tries(25) },
  );
});
