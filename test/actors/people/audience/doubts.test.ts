import fc from 'fast-check';
import t from 'tap';
import { doubtsOf } from '../../../../actors/people/audience/doubtful-opt-outs.ts';
import { Doubts } from '../../../../actors/people/audience/doubts.ts';
import type { DoubtfulText } from '../../../../actors/people/audience/protocol.ts';
import { tries } from '../../../support/tries.ts';

const textOf = (id: number, key: number): DoubtfulText => ({
  id: `dbt_${id}`,
  identityKey: `phone:+1415555000${key}`,
  channel: 'sms',
  words: 'stop it '.repeat((id % 3) + 1),
  people: [key],
  atMs: id * 1_000,
});

const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('add' as const), key: fc.nat(5) }),
    fc.record({ does: fc.constant('end' as const), id: fc.nat(30) }),
    fc.record({ does: fc.constant('endAt' as const), key: fc.nat(5) }),
    fc.record({ does: fc.constant('rebase' as const) }),
    fc.record({ does: fc.constant('passed' as const) }),
  ),
  { maxLength: 30 },
);

t.test('whatever comes and goes, it is a list by address, and knows what it weighs', async (t) => {
  fc.assert(
    fc.property(steps, (all) => {
      const doubts = new Doubts();
      let model: DoubtfulText[] = [];
      for (const [id, step] of all.entries()) {
        if (step.does === 'add') {
          const text = textOf(id, step.key);
          doubts.add(text);
          model = [...model.filter((one) => one.identityKey !== text.identityKey), text];
        } else if (step.does === 'end') {
          doubts.end([`dbt_${step.id}`]);
          model = model.filter((one) => one.id !== `dbt_${step.id}`);
        } else if (step.does === 'endAt') {
          const { identityKey } = textOf(0, step.key);
          doubts.endAt(identityKey);
          model = model.filter((one) => one.identityKey !== identityKey);
        } else if (step.does === 'rebase') {
          const stamp = (atMs: number) => Math.min(atMs, 10_000);
          doubts.rebase({ stamp });
          model = model.map((one) => ({ ...one, atMs: stamp(one.atMs) }));
        } else {
          doubts.passed();
          t.equal(doubts.isAwaited, model.length > 0);
        }
      }
      t.same([...doubts.values()], model);
      t.equal(doubts.size, model.length);
      for (const one of model) {
        t.equal(doubts.at(one.identityKey)?.id, one.id);
        t.equal(doubts.withId(one.id)?.id, one.id);
      }
      const again = Doubts.restore(structuredClone(doubts.snapshot()));
      t.same(again.snapshot(), doubts.snapshot());
      t.equal(again.bytes, doubts.bytes);
      t.equal(doubts.bytes > 0, model.length > 0);
    }),
    { numRuns: tries(100) },
  );
  t.equal(Doubts.restore(undefined).size, 0, 'a checkpoint of an earlier build has none');
});

t.test('who was merged is found by the name that they had, and nobody else is', async (t) => {
  const doubts = new Doubts();
  for (const key of [1, 2, 3]) doubts.add(textOf(key, key));
  const people = { canonical: (person: number) => (person === 1 ? 9 : person) };
  const app = { doubts, people } as unknown as Parameters<typeof doubtsOf>[0];
  const rowOf = (person: number, endpoint: string) =>
    ({ person, devices: [{ channel: 'whatsapp', endpoint }] }) as never;
  const found = (...rows: never[]) => doubtsOf(app, rows).map(({ identityKey }) => identityKey);
  t.same(found(rowOf(9, '+14155559999')), ['phone:+14155550001']);
  t.same(found(rowOf(8, '+14155550003')), ['phone:+14155550003'], 'by the address alone');
  t.same(found(rowOf(1, '+14155559999')), [], 'an alias is nobody by itself');
});
