// Random graphs that are valid, for the properties of journeys: every kind of step, nested, few
// names, so that they meet.

import fc from 'fast-check';
import type { Step } from '../../../../../actors/programs/journeys/steps.ts';

export const goalNames = ['order', 'visit', 'signup'] as const;
/** Filters are told apart by their tag; a test says when which of them holds. */
const filterNames = ['plan', 'city', 'vip'] as const;

const between = (min: number, max: number) => fc.integer({ min, max });
const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ type: fc.constant('wait'), minutes: between(1, 500) }),
  fc.record({ type: fc.constant('wait'), hours: between(1, 50) }),
  fc.record({ type: fc.constant('wait'), days: between(1, 30) }),
  fc.record({ type: fc.constant('send'), messageId: fc.constantFrom('msg_a', 'msg_b') }),
  fc.record({
    type: fc.constant('goal'),
    event: fc.constantFrom(...goalNames),
    timeoutHours: between(1, 60),
  }),
);

const tree = fc.letrec<{ steps: unknown[]; step: unknown }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 4, depthIdentifier: 'graph' }),
  step: fc.oneof(
    { depthSize: 'small', maxDepth: 3, depthIdentifier: 'graph' },
    leaf,
    fc.record(
      {
        type: fc.constant('condition'),
        filter: fc.constantFrom(...filterNames).map((tag) => ({ tag, exists: true })),
        then: tie('steps'),
        else: tie('steps'),
      },
      { requiredKeys: ['type', 'filter', 'then'] },
    ),
  ),
}));

/**
 * At least one step; ids are unique, and of forms that an object's keys would put into another
 * order.
 */
export const graphs: fc.Arbitrary<readonly Step[]> = fc
  .array(tree.step, { minLength: 1, maxLength: 6 })
  .map((steps) => {
    let last = 20;
    const name = (list: readonly unknown[]): unknown[] =>
      list.map((step) => {
        const { then, else: otherwise, ...rest } = step as Record<string, unknown>;
        last--;
        return {
          id: last > 0 ? String(last) : `step ${-last}`,
          ...rest,
          ...(Array.isArray(then) ? { then: name(then) } : {}),
          ...(Array.isArray(otherwise) ? { else: name(otherwise) } : {}),
        };
      });
    return name(steps) as Step[];
  });
