// Journeys of any form, for properties.

import fc from 'fast-check';
import { renamed, type Step } from '../../../dashboard/canvas/model.ts';

interface Lists {
  readonly list: readonly Step[];
  readonly step: Step;
}

const { list } = fc.letrec<Lists>((tie) => ({
  list: fc.array(tie('step') as fc.Arbitrary<Step>, { maxLength: 5, depthIdentifier: 'journey' }),
  step: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'journey', maxDepth: 5 },
    fc.record({ id: fc.constant('wait'), type: fc.constant('wait' as const), days: fc.nat(30) }),
    fc.record({ id: fc.constant('send'), type: fc.constant('send' as const) }),
    fc.record({
      id: fc.constant('if'),
      type: fc.constant('condition' as const),
      then: tie('list') as fc.Arbitrary<readonly Step[]>,
      else: tie('list') as fc.Arbitrary<readonly Step[]>,
    }),
    fc.record({
      id: fc.constant('if'),
      type: fc.constant('branch' as const),
      then: tie('list') as fc.Arbitrary<readonly Step[]>,
    }),
  ),
}));

/** Steps whose ids are unique. */
export const journeys = list.map((steps) => renamed(steps, new Set()));

/** So many steps, a third of them conditions within conditions. */
export function largeJourney(count: number): readonly Step[] {
  let made = 0;
  const some = (depth: number): readonly Step[] => {
    const steps: Step[] = [];
    for (let nth = 0; nth < 4 && made < count; nth++) {
      made++;
      const id = `step ${made}`;
      if (depth > 0 && nth % 3 === 1)
        steps.push({ id, type: 'condition', then: some(depth - 1), else: some(depth - 1) });
      else steps.push({ id, type: 'wait', days: 1 });
    }
    return steps;
  };
  const steps: Step[] = [];
  while (made < count) steps.push(...some(8));
  return steps;
}
