// Numbers that are written in two ways, and that most are written in one.
import fc from 'fast-check';
import t from 'tap';
import { otherForms } from '../../../../actors/channels/addresses/phone-forms.ts';
import { tries } from '../../../support/tries.ts';

t.test('each form leads to the other', async (t) => {
  for (const [one, other] of [
    ['+5531988887777', '+553188887777'],
    ['+525512345678', '+5215512345678'],
    ['+541123456789', '+5491123456789'],
    ['+22997123456', '+2290197123456'],
  ] as const) {
    t.same(otherForms(one), [other]);
    t.same(otherForms(other), [one]);
  }
  t.same(otherForms('+2250712345678'), ['+22512345678']);
  t.ok(otherForms('+22512345678').includes('+2250712345678'));
});

t.test('landlines of Brazil and other countries have one form', async (t) => {
  for (const number of ['+553133334444', '+5531933334444', '+14155550123', '+84901234567', ''])
    t.same(otherForms(number), [], number);
});

t.test('every form of a number leads back to it, and none is itself', async () => {
  const digits = fc.stringMatching(/^\d{8,11}$/);
  const countries = fc.constantFrom('55', '52', '521', '54', '549', '229', '225', '1', '49');
  fc.assert(
    fc.property(countries, digits, (country, rest) => {
      const number = `+${country}${rest}`;
      for (const form of otherForms(number))
        if (form === number || !otherForms(form).includes(number)) return false;
      return true;
    }),
    { numRuns: tries(20_000) },
  );
});
