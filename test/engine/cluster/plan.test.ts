// The plan: balanced, in different zones, with few moves, and the same whoever computes it.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type Assignment, type PlanMember, planPartitions } from '../../../engine/cluster/plan.ts';

const member = (index: number, zones: number, isDraining = false): PlanMember => ({
  name: `node-${String(index).padStart(2, '0')}`,
  zone: `zone-${index % zones}`,
  isDraining,
});
const cluster = fc.record({
  count: fc.integer({ min: 1, max: 7 }),
  zones: fc.integer({ min: 1, max: 4 }),
  partitions: fc.integer({ min: 1, max: 24 }),
  copies: fc.integer({ min: 1, max: 3 }),
});
const membersOf = (count: number, zones: number) =>
  Array.from({ length: count }, (_, index) => member(index, zones));

function countBy(
  plan: Assignment,
  names: readonly string[],
  of: (list: readonly string[]) => readonly string[],
) {
  const counts = new Map(names.map((name) => [name, 0]));
  for (const list of plan)
    for (const name of of(list)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.values()];
}

const spread = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts);

/** What is new in a plan. */
function moved(old: Assignment, plan: Assignment) {
  let [copies, owners] = [0, 0];
  for (const [partition, names] of plan.entries()) {
    const before = old[partition] ?? [];
    copies += names.filter((name) => !before.includes(name)).length;
    if (before[0] !== names[0]) owners++;
  }
  return { copies, owners };
}

function assertFair(t: Test, plan: Assignment, able: readonly PlanMember[], copies: number) {
  const names = able.map(({ name }) => name);
  for (const list of plan) {
    t.equal(new Set(list).size, list.length, 'nobody has two copies of one partition');
    t.equal(list.length, Math.min(copies, able.length), 'as many copies as there are members for');
    t.ok(
      list.every((name) => names.includes(name)),
      'only members that may have something',
    );
  }
  t.ok(spread(countBy(plan, names, (list) => list)) <= 1, 'copies differ by one');
  t.ok(spread(countBy(plan, names, ([owner = '']) => [owner])) <= 1, 'owners differ by one');
}

/** Members join, leave and drain, one after the other. */
const history = fc.array(
  fc.record({
    what: fc.constantFrom('join', 'leave', 'drain', 'undrain'),
    which: fc.nat({ max: 6 }),
  }),
  { maxLength: 6 },
);

t.test('a plan is fair after whatever happened, and planning twice changes nothing', async (t) => {
  fc.assert(
    fc.property(cluster, history, ({ count, zones, partitions, copies }, steps) => {
      let members = membersOf(count, zones);
      let old: Assignment = [];
      for (const step of [undefined, ...steps]) {
        if (step !== undefined) members = changed(members, step.what, step.which, zones);
        const able = members.filter(({ isDraining }) => !isDraining);
        const plan = planPartitions({ members, partitions, copies, old });
        if (able.length === 0) t.equal(plan, old, 'there is nowhere to go');
        else assertFair(t, plan, able, copies);
        t.same(planPartitions({ members, partitions, copies, old: plan }), plan, 'stable');
        const shuffled = [...members].reverse();
        t.same(planPartitions({ members: shuffled, partitions, copies, old }), plan, 'the same');
        old = plan;
      }
    }),
    { numRuns: 60 },
  );
});

function changed(members: PlanMember[], what: string, which: number, zones: number): PlanMember[] {
  const at = which % Math.max(1, members.length);
  if (what === 'join') {
    const free = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].find(
      (index) => !members.some(({ name }) => name === member(index, zones).name),
    );
    return [...members, member(free ?? 14, zones)];
  }
  if (what === 'leave') return members.length === 1 ? members : members.toSpliced(at, 1);
  const one = members[at] as PlanMember;
  return members.with(at, { ...one, isDraining: what === 'drain' });
}

t.test('copies of a partition are in different zones where the zones have room', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 2, max: 3 }),
      fc.integer({ min: 1, max: 24 }),
      (each, zones, partitions) => {
        // Zones of equal size can hold one copy of each partition.
        const members = membersOf(each * zones, zones);
        const plan = planPartitions({ members, partitions, copies: 2, old: [] });
        for (const names of plan) {
          const used = names.map((name) => members.find((one) => one.name === name)?.zone);
          t.equal(new Set(used).size, used.length);
        }
      },
    ),
  );
});

t.test('when one joins or leaves, only what must move does', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.integer({ min: 1, max: 24 }),
      fc.integer({ min: 1, max: 2 }),
      fc.nat(),
      (count, partitions, copies, which) => {
        const members = membersOf(count, 1);
        const old = planPartitions({ members, partitions, copies, old: [] });
        const total = partitions * Math.min(copies, count);
        const joined = [...members, member(count, 1)];
        const plan = planPartitions({ members: joined, partitions, copies, old });
        const before = countBy(
          old,
          members.map(({ name }) => name),
          (list) => list,
        );
        const most = Math.ceil(total / (count + 1));
        const above = before.reduce((sum, one) => sum + Math.max(0, one - most), 0);
        const least = Math.max(Math.floor(total / (count + 1)), above);
        t.equal(
          moved(old, plan).copies,
          least,
          'a new member gets its share and nothing else moves',
        );

        const left = members.toSpliced(which % count, 1);
        if (left.length < copies) return;
        const gone = members[which % count]?.name ?? '';
        const lost = old.flat().filter((name) => name === gone).length;
        const after = planPartitions({ members: left, partitions, copies, old });
        t.ok(moved(old, after).copies >= lost);
        t.ok(moved(old, after).copies <= lost + left.length, 'what it had, and little else');
      },
    ),
  );
});

t.test('no fair plan moves fewer copies, by trying all of them', async (t) => {
  const names = ['node-00', 'node-01', 'node-02', 'node-03'];
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: pairs.length - 1 }), { minLength: 3, maxLength: 4 }),
      (drawn) => {
        const old = drawn.map((pair) => pairs[pair] as string[]);
        const members = membersOf(4, 1);
        const plan = planPartitions({ members, partitions: old.length, copies: 2, old });
        let best = Number.POSITIVE_INFINITY;
        for (let code = 0; code < pairs.length ** old.length; code++) {
          const other = old.map(
            (_, at) => pairs[Math.floor(code / pairs.length ** at) % pairs.length] as string[],
          );
          if (spread(countBy(other, names, (list) => list)) > 1) continue;
          best = Math.min(best, moved(old, other).copies);
        }
        t.equal(moved(old, plan).copies, best);
      },
    ),
    { numRuns: 30 },
  );
});

t.test('an owner that has its copy stays owner when a standby leaves', async (t) => {
  const members = membersOf(6, 3);
  const old = planPartitions({ members, partitions: 24, copies: 2, old: [] });
  const left = members.slice(0, 5);
  const plan = planPartitions({ members: left, partitions: 24, copies: 2, old });
  const owned = old.filter(([owner]) => owner === 'node-05').length;
  const { owners } = moved(old, plan);
  t.ok(owners <= owned + left.length, `${owners} owners moved, ${owned} had to`);
});

t.test('a plan of many partitions and members takes moments', async (t) => {
  const members = membersOf(32, 3);
  const plan = planPartitions({ members, partitions: 128, copies: 3, old: [] });
  assertFair(t, plan, members, 3);
});
