// What one slice of a lane hands to dispatch.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { type FanOutPlan, fanOut } from '../../../../actors/programs/campaigns/fan-out.ts';
import type { DispatchWave } from '../../../../actors/sending/dispatch/protocol.ts';
import { OrgRoom } from '../../../../actors/sending/gate/org-room.ts';
import type { PumpContext } from '../../../../engine/actor/machine.ts';
import type { DocumentReader } from '../../../../engine/actor/message.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { AgeClock } from '../../../../engine/time/age-clock.ts';
import { DamagedRecord } from '../../../../storage/codec.ts';
import { Scene } from './scene.ts';

/** Room for everybody on every channel, and documents that are not those of the scene. */
function withRoom(scene: Scene, documents: Partial<DocumentReader>) {
  const { clock, product } = scene.one;
  const { nowMs } = clock;
  const context: PumpContext = {
    nowMs,
    wallMs: nowMs,
    ages: new AgeClock(),
    rng: seededRng(1),
    quarantined: new Set(),
    isShared: false,
    documentsOf: () => ({
      get: () => undefined,
      range: () => [],
      lend: () => false,
      ...documents,
    }),
  };
  const plan: FanOutPlan = {
    partition: 0,
    dispatchers: 1,
    credentialsOf: () => ({ state: 'ready', value: {} }),
    relayOn: () => undefined,
    waysOn: () => 1,
    roomOn: () => Number.POSITIVE_INFINITY,
    room: OrgRoom.of(product.state, scene.org, nowMs),
  };
  return { plan, context };
}

t.test('people with long records are handed on in slices of bounded size', async (t) => {
  const scene = await Scene.withPeople(500);
  const { id } = await scene.campaign();
  await scene.one.value(scene.app, 'campaign.send', { id });
  const record = new Uint8Array(limits.subscriberBytesMax);
  const { plan, context } = withRoom(scene, {
    lend: (_table, _key, use) => {
      use(record);
      return true;
    },
  });
  const left = scene.state.sending.of(id)[0]?.unitsLeft ?? 0;
  t.ok(left > 400, `${left} people have no turn yet`);
  let people = 0;
  for (;;) {
    const fanned = fanOut(scene.state, plan, context, limits.sliceMax);
    if (fanned === undefined) break;
    for (const { message } of fanned.effects) {
      const { records, ends } = message as unknown as DispatchWave;
      t.ok(records.byteLength < limits.sliceBytesMax + limits.subscriberBytesMax);
      t.equal(ends.at(-1), records.byteLength);
      people += ends.length;
    }
    for (const entry of fanned.entries) scene.one.product.apply(entry);
  }
  t.equal(people, left);
});

t.test(
  'of several devices whose record cannot be read, it is said that nothing was sent',
  async (t) => {
    const scene = await Scene.withPeople(2 * limits.waveRowsMin, ['fcm', 'fcm']);
    const { id } = await scene.campaign();
    await scene.one.value(scene.app, 'campaign.send', { id });
    const { plan, context } = withRoom(scene, {
      get: () => {
        throw new DamagedRecord('subscribers', new Uint8Array(0), 'fails its checksum');
      },
    });
    const left = scene.state.sending.of(id)[0]?.unitsLeft ?? 0;
    t.ok(left > 0, `${left} people have no turn yet`);
    const fanned = fanOut(scene.state, plan, context, limits.sliceMax);
    t.match(fanned, {
      people: left,
      entries: [{ turns: [{ turn: 'suppress', reason: 'no_device' }] }],
    });
  },
);

t.test('waves for several threads are the wave for one, split by people', async (t) => {
  const scene = await Scene.withPeople(400);
  const [messageId, other] = [await scene.message(), await scene.message()];
  const variants = [
    { id: 'a', messageId, weight: 1 },
    { id: 'b', messageId: other, weight: 1 },
  ];
  const { id } = await scene.campaign({ messageId, variants } as never);
  await scene.one.value(scene.app, 'campaign.send', { id });
  const { plan, context } = withRoom(scene, {
    lend: (_table, [person], use) => {
      use(Uint8Array.of(Number(person) & 0xff, Number(person) >> 8));
      return true;
    },
  });
  const slice = (ways: number) => {
    const threads = { dispatchers: 3, waysOn: () => ways };
    const fanned = fanOut(scene.state, { ...plan, ...threads }, context, 300);
    const waves = (fanned?.effects ?? []).map(({ port, message }) => ({
      port,
      wave: message as unknown as DispatchWave,
    }));
    const rows = waves.flatMap(({ wave: { people, records, ends, variants } }) =>
      Array.from(people, (person, row) => ({
        person,
        record: records.slice(row === 0 ? 0 : ends[row - 1], ends[row]),
        variant: variants?.[row],
      })),
    );
    rows.sort((one, other) => one.person - other.person);
    return { entries: fanned?.entries, waves, rows };
  };
  const one = slice(1);
  t.equal(one.waves.length, 1);
  t.ok(one.rows.length > 200);
  for (const ways of [2, 3]) {
    const several = slice(ways);
    t.same(several.entries, one.entries, 'the log has the same');
    t.same(several.rows, one.rows);
    t.equal(new Set(several.waves.map(({ port }) => port)).size, ways);
    for (const { wave } of several.waves) {
      const people = [...wave.people];
      t.same(
        people,
        people.toSorted((a, b) => a - b),
      );
      t.ok(people.length > one.rows.length / ways / 2, 'even shares');
      const { people: _, records: _records, ends: _ends, variants: _variants, ...shared } = wave;
      t.match(one.waves[0]?.wave, shared, 'all else is the same');
    }
  }
});
