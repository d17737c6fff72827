import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { Campaigns } from '../../../../actors/programs/campaigns/campaigns.ts';
import {
  type CampaignRecord,
  campaignStates,
} from '../../../../actors/programs/campaigns/records.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

const ids = ['cmp_a', 'cmp_b', 'cmp_c', 'cmp_d'];
const messageIds = ['msg_1', 'msg_2', 'msg_3'];
const segmentIds = ['seg_1', 'seg_2'];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('save' as const),
      id: fc.constantFrom(...ids),
      state: fc.constantFrom(...campaignStates),
      messageId: fc.constantFrom(...messageIds),
      variant: fc.option(fc.constantFrom(...messageIds), { nil: undefined }),
      segmentId: fc.option(fc.constantFrom(...segmentIds), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete' as const), id: fc.constantFrom(...ids) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

t.test('it knows who uses what, in order, over any history and restarts', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let campaigns = new Campaigns();
      // As plainly as it can be said: a list, and every number that was ever given out.
      let model: CampaignRecord[] = [];
      let given = 0;
      for (const one of steps) {
        if (one.do === 'restart') {
          campaigns = Campaigns.restore(structuredClone(campaigns.snapshot()));
        } else if (one.do === 'delete') {
          campaigns.delete(one.id);
          model = model.filter(({ id }) => id !== one.id);
        } else {
          const { id, state, messageId, variant, segmentId } = one;
          const known = model.find((record) => record.id === id);
          if (known === undefined && campaigns.nextNumber !== given + 1) return false;
          const number = known?.number ?? ++given;
          const record: CampaignRecord = {
            id,
            number,
            name: 'N',
            state,
            messageId,
            schedule: { type: 'now' },
            ifLate: 'hold',
            createdMs: 0,
            updatedMs: 0,
            ...(segmentId === undefined ? {} : { segmentId }),
            ...(variant === undefined
              ? {}
              : { variants: [{ id: 'a', weight: 1, messageId: variant }] }),
          };
          campaigns.save(record);
          if (known === undefined) model.push(record);
          else model = model.map((each) => (each.id === id ? record : each));
        }
        if (!agrees(campaigns, model)) return false;
      }
      return true;
    }),
    { seed: 3, numRuns: tries(500) },
  );
  t.pass();
});

function agrees(campaigns: Campaigns, model: readonly CampaignRecord[]): boolean {
  const open = model.filter(({ state }) => !['completed', 'canceled', 'failed'].includes(state));
  const idsOf = (users: readonly { readonly record: CampaignRecord }[]) =>
    users.map(({ record }) => record.id).sort();
  const same = (got: unknown, expected: unknown) =>
    JSON.stringify(got) === JSON.stringify(expected);
  return (
    campaigns.size === model.length &&
    same([...campaigns.records()], model) &&
    same(idsOf([...campaigns.unfinished()]), open.map(({ id }) => id).sort()) &&
    messageIds.every((messageId) =>
      same(
        idsOf(campaigns.usersOf(messageId)),
        open
          .filter(
            (record) =>
              record.messageId === messageId || record.variants?.[0]?.messageId === messageId,
          )
          .map(({ id }) => id)
          .sort(),
      ),
    ) &&
    segmentIds.every((segmentId) =>
      same(
        idsOf(campaigns.usersOfSegment(segmentId)),
        open
          .filter((record) => record.segmentId === segmentId)
          .map(({ id }) => id)
          .sort(),
      ),
    )
  );
}

t.test(
  'a checkpoint of an earlier build has no campaigns, and the first is number 1',
  async (t) => {
    const campaigns = Campaigns.restore(undefined);
    t.equal(campaigns.size, 0);
    t.equal(campaigns.nextNumber, 1);
  },
);

t.test('memory of campaigns is the same from the log, and from a checkpoint', async (t) => {
  const { one, app } = await partitionWithApp();
  const message = { content: { body: 'x' } };
  const { id: messageId } = await one.value(app, 'message.create', { message });
  const ids: string[] = [];
  for (let i = 0; i < 3; i++)
    ids.push((await one.value(app, 'campaign.create', { input: { messageId } })).id);
  const [first = '', second = '', third = ''] = ids;
  await one.value(app, 'campaign.send', { id: first });
  await one.value(app, 'campaign.cancel', { id: second });
  await one.value(app, 'campaign.delete', { id: third });
  await one.settle();
  const list = (from: TestPartition) => from.value(app, 'campaign.list', { limit: 10 });
  const before = await list(one);
  t.match(before.items, [
    { id: first, number: 1 },
    { id: second, number: 2, state: 'canceled' },
  ]);
  const replayed = new TestPartition({ store: one.store.crash(), clock: one.clock });
  t.same(await list(replayed), before);
  const memory = [...one.product.parts()];
  const { seq } = one.partition;
  const store = one.store.crash();
  const restored = new TestPartition({ store, clock: one.clock, checkpoint: { seq, memory } });
  t.same(await list(restored), before);
  const next = await restored.value(app, 'campaign.create', { input: { messageId } });
  t.equal(next.number, 4, 'the number of a deleted one is not given again');
  t.match(await restored.ask(app, 'message.delete', { id: messageId }), { ok: false });
});

t.test('an app has ten thousand campaigns and no more', async (t) => {
  const { one, app } = await partitionWithApp();
  const message = { content: { body: 'x' } };
  const { id: messageId } = await one.value(app, 'message.create', { message });
  const first = await one.value(app, 'campaign.create', { input: { messageId } });
  // The rest straight into memory: ten thousand calls would test the runtime.
  const campaigns = one.product.state.apps.get(app)?.campaigns;
  for (let number = 2; number < limits.campaignsMax; number++)
    campaigns?.save({ ...first, id: `cmp_${number}`, number });
  const last = await one.value(app, 'campaign.create', { input: { messageId } });
  t.equal(last.number, limits.campaignsMax);
  const more = await one.ask(app, 'campaign.create', { input: { messageId } });
  t.match(more, {
    ok: false,
    fault: { code: 'limit_reached', message: /at most 10000 campaigns/ },
  });
  await one.value(app, 'campaign.delete', { id: first.id });
  t.equal((await one.value(app, 'campaign.create', { input: { messageId } })).number, 10_001);
});
