import fc from 'fast-check';
import t from 'tap';
import { LatestResults } from '../../../../actors/programs/campaigns/latest-results.ts';
import { guardWindow } from '../../../../actors/tenants/accounts/campaign-guard.ts';
import { tries } from '../../../support/tries.ts';

type Code = 0 | 1 | 2;

/** Runs of the same result, so that histories reach beyond the window. */
const push = fc.record({
  does: fc.constant('push' as const),
  code: fc.constantFrom<Code>(0, 1, 2),
  times: fc.integer({ min: 1, max: 400 }),
});
const turn = fc.record({
  does: fc.constant('turn' as const),
  code: fc.constantFrom<1 | 2>(1, 2),
  times: fc.integer({ min: 1, max: 20 }),
});
const restart = fc.constant({ does: 'restart' as const });
const clear = fc.constant({ does: 'clear' as const });
const steps = fc.array(
  fc.oneof({ weight: 6, arbitrary: push }, { weight: 3, arbitrary: turn }, restart, clear),
  { minLength: 1, maxLength: 25, size: 'max' },
);

t.test('the latest results count like a list of the newest, across restarts', async () => {
  fc.assert(
    fc.property(steps, (all) => {
      let results = new LatestResults();
      let model: Code[] = [];
      for (const step of all) {
        if (step.does === 'clear') {
          results.clear();
          model = [];
        } else if (step.does === 'restart') {
          results = LatestResults.restore(structuredClone(results.snapshot()));
        } else
          for (let i = 0; i < step.times; i++)
            if (step.does === 'push') {
              results.push(step.code);
              model = [...model, step.code].slice(-guardWindow);
            } else {
              const newestGood = model.lastIndexOf(0);
              if (results.turn(step.code) !== newestGood >= 0) return false;
              if (newestGood >= 0) model[newestGood] = step.code;
            }
        const isSame = ([1, 2] as const).every(
          (code) => results.count(code) === model.filter((one) => one === code).length,
        );
        if (!isSame || results.length !== model.length) return false;
      }
      return true;
    }),
    { numRuns: tries(300) },
  );
});
