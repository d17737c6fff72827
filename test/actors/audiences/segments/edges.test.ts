// The edges of a followed segment: handed out in order, once each, whenever and however often they
// are added.

import fc from 'fast-check';
import t from 'tap';
import { Edges } from '../../../../actors/audiences/segments/edges.ts';
import { tries } from '../../../support/tries.ts';

t.test('edges come out when they are due, each once, however they were added', async (t) => {
  const edge = fc.tuple(fc.integer({ min: 1, max: 600_000 }), fc.nat(20));
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), edge }),
    fc.record({
      kind: fc.constant('take' as const),
      afterMs: fc.nat(90_000),
      max: fc.constantFrom(1, 3, 100),
    }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(edge, { selector: String }), fc.array(step), (picked, steps) => {
      const edges = new Edges();
      edges.add(5, 1);
      t.equal(edges.nextMs, Number.POSITIVE_INFINITY, 'before a pick there is nothing to add to');
      edges.begin(0, 600_000);
      const waiting = new Set<string>();
      for (const [dueMs, person] of picked) {
        edges.pick(dueMs, person);
        waiting.add(`${dueMs}:${person}`);
      }
      let nowMs = 0;
      for (const one of steps) {
        if (one.kind === 'add') {
          const [dueMs, person] = one.edge;
          if (dueMs <= nowMs) continue;
          edges.add(dueMs, person);
          waiting.add(`${dueMs}:${person}`);
          continue;
        }
        nowMs += one.afterMs;
        const due = [...waiting]
          .map((text) => text.split(':').map(Number) as [number, number])
          .filter(([dueMs]) => dueMs <= nowMs)
          .sort(([a], [b]) => a - b);
        const taken = edges.take(nowMs, one.max);
        t.equal(taken.length, Math.min(due.length, one.max));
        for (const person of taken) {
          const earliest = due.filter(([dueMs]) => dueMs === due[0]?.[0]);
          const index = earliest.findIndex(([, who]) => who === person);
          t.ok(index >= 0, 'the first due comes first');
          const [dueMs] = earliest[index] as [number, number];
          waiting.delete(`${dueMs}:${person}`);
          due.splice(
            due.findIndex(([at, who]) => at === dueMs && who === person),
            1,
          );
        }
        const next = Math.min(...[...waiting].map((text) => Number(text.split(':')[0])));
        t.ok(edges.nextMs <= next, 'it never sleeps past one');
      }
    }),
    { seed: 3, numRuns: tries(300) },
  );
});
