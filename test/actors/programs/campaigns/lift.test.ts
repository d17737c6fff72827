// The interval against the worked examples of its source (Newcombe 1998, table II, method 10).

import t from 'tap';
import { conversionRate, liftOf } from '../../../../actors/programs/campaigns/lift.ts';

const examples = [
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
] as const;

t.test('the interval is that of the published examples', (t) => {
  for (const [one, ofOne, other, ofOther, low, high] of examples) {
    const lift = liftOf({ converted: one, size: ofOne }, { converted: other, size: ofOther });
    const says = `${one}/${ofOne} and ${other}/${ofOther}`;
    // The source gives four places.
    t.ok(Math.abs((lift?.low ?? 9) - low) < 0.0001, `${says} from ${lift?.low}`);
    t.ok(Math.abs((lift?.high ?? 9) - high) < 0.0001, `${says} to ${lift?.high}`);
  }
  t.end();
});

t.test('what cannot be said is null', (t) => {
  const nobody = { size: 0, converted: 0 };
  const some = { size: 10, converted: 5 };
  t.equal(liftOf(nobody, some), null);
  t.equal(liftOf(some, nobody), null);
  t.equal(liftOf(some, { size: 10, converted: 0 })?.relative, null);
  t.equal(liftOf({ size: 10, converted: 6 }, some)?.relative, 0.2);
  t.equal(conversionRate(nobody), null);
  t.end();
});
