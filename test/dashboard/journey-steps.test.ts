// Steps as they are edited: added, moved, renamed, taken out, undone, compared.

import fc from 'fast-check';
import t from 'tap';
import { placeIssues } from '../../dashboard/canvas/issues.ts';
import {
  allSteps,
  findStep,
  insertAt,
  moveStep,
  parseSteps,
  removeStep,
  renamed,
  replaceStep,
  type Step,
  takenIds,
} from '../../dashboard/canvas/model.ts';
import { outlineRows, parentKey } from '../../dashboard/canvas/outline.ts';
import { change, redo, startHistory, undo } from '../../dashboard/kit/history.ts';
import { stepChanges } from '../../dashboard/screens/journeys/step-changes.ts';
import { journeys } from './support/journeys.ts';

const anyStep = fc.tuple(journeys, fc.nat()).map(([steps, n]) => {
  const found = allSteps(steps);
  return { steps, found: found.length === 0 ? undefined : found[n % found.length] };
});

t.test('what is added at a place stands there, and taking it out leads back', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyStep, ({ steps, found }) => {
        const added: Step = { id: 'new', type: 'wait', days: 1 };
        const gap = found?.gap ?? { index: 0 };
        const next = insertAt(steps, gap, [added]);
        const there = findStep(next, 'new');
        return (
          there?.gap.index === gap.index &&
          there.gap.parent === gap.parent &&
          there.gap.branch === gap.branch &&
          JSON.stringify(removeStep(next, 'new')) === JSON.stringify(steps)
        );
      }),
    ),
  );
});

t.test('a step moves one place and back, and stays in its list', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyStep, ({ steps, found }) => {
        if (found === undefined) return true;
        const { id } = found.step;
        const down = moveStep(steps, id, 1);
        const isLast = found.gap.index === found.siblings.length - 1;
        if (isLast) return down === steps;
        const there = findStep(down, id);
        return (
          there?.gap.index === found.gap.index + 1 &&
          there.gap.parent === found.gap.parent &&
          JSON.stringify(moveStep(down, id, -1)) === JSON.stringify(steps)
        );
      }),
    ),
  );
});

t.test('a copy has free names, and its JSON can be pasted', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyStep, ({ steps, found }) => {
        if (found === undefined) return true;
        const read = parseSteps(JSON.stringify(found.step)) ?? [];
        const copies = renamed(read, takenIds(steps));
        const next = insertAt(steps, found.gap, copies);
        const ids = allSteps(next).map(({ step }) => step.id);
        return new Set(ids).size === ids.length && ids.length > allSteps(steps).length;
      }),
    ),
  );
  t.equal(parseSteps('hello'), undefined);
  t.equal(parseSteps('{"id":1}'), undefined);
  t.equal(parseSteps('{"id":"a","type":"condition"}'), undefined);
});

t.test('a step is replaced where it is', async (t) => {
  const steps: readonly Step[] = [
    { id: 'if', type: 'condition', then: [{ id: 'a', type: 'wait', days: 1 }] },
  ];
  t.strictSame(replaceStep(steps, 'a', { id: 'b', type: 'send' }), [
    { id: 'if', type: 'condition', then: [{ id: 'b', type: 'send' }] },
  ]);
});

t.test("an error stands at its step, without the step's place in the sentence", async (t) => {
  const steps: readonly Step[] = [
    { id: 'hi', type: 'send' },
    { id: 'if', type: 'condition', then: [{ id: 'a "b"', type: 'wait', days: 99 }], else: [] },
  ];
  const { bySteps, rest } = placeIssues(steps, [
    { field: 'steps[1].then[0].days', error: 'steps[1].then[0] ("a \\"b\\"").days: too long' },
    { field: 'steps[1].filter.all[0].tag', error: 'is missing' },
    { field: 'name', error: 'is missing' },
  ]);
  t.strictSame(bySteps.get('a "b"'), [{ field: 'days', error: 'too long' }]);
  t.strictSame(bySteps.get('if'), [{ field: 'filter.all[0].tag', error: 'is missing' }]);
  t.strictSame(rest, [{ field: 'name', error: 'is missing' }]);
});

t.test('the outline has a row for each step and each way, and a way up from all', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(journeys, (steps) => {
        const rows = outlineRows(steps, new Set());
        const found = allSteps(steps);
        const conditions = found.filter(({ step }) => 'then' in step).length;
        const keys = new Set(rows.map(({ key }) => key));
        const isReached = rows.every((row) => {
          const up = parentKey(row);
          return row.level === 1 ? up === undefined : up !== undefined && keys.has(up);
        });
        const isCounted = rows.every(({ place, of }) => place >= 1 && place <= of);
        return rows.length === 1 + found.length + 2 * conditions && isReached && isCounted;
      }),
    ),
  );
});

t.test('undo leads back through every change, and redo forth again', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (states) => {
        const done = states.reduce((history, state) => change(history, state, 0), startHistory(-1));
        const back = states.reduce((history) => undo(history), done);
        const forth = states.reduce((history) => redo(history), back);
        return back.present === -1 && forth.present === done.present;
      }),
    ),
  );
  const typed = change(change(startHistory('a'), 'ab', 1_000, 'name'), 'abc', 1_200, 'name');
  t.equal(undo(typed).present, 'a', 'what is typed into one field is one change');
  t.equal(undo(change(typed, 'x', 9_000, 'name')).present, 'abc', 'but not after a rest');
});

t.test('a difference names what was added, taken out, changed and moved', async (t) => {
  const wait = (id: string, days = 1): Step => ({ id, type: 'wait', days });
  const before = [wait('a'), wait('b'), wait('c'), wait('d')];
  const after = [wait('b'), wait('a'), wait('c', 2), wait('e')];
  const changes = stepChanges(before, after).map(({ id, what }) => `${id} ${what}`);
  t.strictSame(changes, ['b moved', 'a moved', 'c changed', 'e added', 'd removed']);
  t.strictSame(stepChanges(before, before), []);
});
