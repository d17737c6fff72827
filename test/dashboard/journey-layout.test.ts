// Where the cards of a journey stand: none over another, none below what comes before it.

import fc from 'fast-check';
import t from 'tap';
import { type Box, endId, layoutOf, startId } from '../../dashboard/canvas/layout.ts';
import { allSteps } from '../../dashboard/canvas/model.ts';
import { journeys, largeJourney } from './support/journeys.ts';

t.test('no card is over another, and each step has one', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(journeys, (steps) => {
        const { boxes, width, height } = layoutOf(steps);
        const isInside = boxes.every(
          (box) =>
            box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
        );
        const ids = allSteps(steps).map(({ step }) => step.id);
        const drawn = boxes.map(({ id }) => id);
        return (
          isInside &&
          !hasOverlap(boxes) &&
          drawn.length === ids.length + 2 &&
          [startId, ...ids, endId].every((id) => drawn.includes(id))
        );
      }),
    ),
  );
});

t.test('a step stands below the one before it and below its condition', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(journeys, (steps) => {
        const { boxes } = layoutOf(steps);
        const boxOf = new Map(boxes.map((box) => [box.id, box]));
        return allSteps(steps).every(({ step, gap, siblings }) => {
          const box = boxOf.get(step.id) as Box;
          const above = [siblings[gap.index - 1]?.id, gap.parent, startId];
          return above.every((id) => {
            const other = id === undefined ? undefined : boxOf.get(id);
            return other === undefined || other.y + other.height < box.y;
          });
        });
      }),
    ),
  );
});

t.test('each place between steps has one button', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(journeys, (steps) => {
        const gaps = layoutOf(steps).lines.flatMap(({ gap }) =>
          gap === undefined ? [] : [JSON.stringify([gap.parent, gap.branch, gap.index])],
        );
        const found = allSteps(steps);
        const conditions = found.filter(({ step }) => 'then' in step).length;
        // Every list has one place more than it has steps; a condition has two lists.
        const expected = found.length + 1 + 2 * conditions;
        return new Set(gaps).size === gaps.length && gaps.length === expected;
      }),
    ),
  );
});

t.test('200 steps are laid out without an overlap', async (t) => {
  const steps = largeJourney(200);
  t.equal(allSteps(steps).length, 200);
  t.notOk(hasOverlap(layoutOf(steps).boxes));
});

function hasOverlap(boxes: readonly Box[]): boolean {
  return boxes.some((one, at) =>
    boxes
      .slice(at + 1)
      .some(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
  );
}
