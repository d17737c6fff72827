import fc from 'fast-check';
import t from 'tap';
import { placedIssues } from '../../dashboard/editor/issue-places.ts';

const place = (text: string, line?: number, column?: number) => {
  const issue = { level: 'error' as const, error: 'wrong' };
  const at = line === undefined ? {} : { line, ...(column === undefined ? {} : { column }) };
  const [found] = placedIssues(text, [{ ...issue, ...at }]);
  return text.slice(found?.from, found?.to);
};

t.test('the whole output around a place is underlined', async (t) => {
  t.equal(place('Hi {{ nope }} there', 1, 7), '{{ nope }}');
  t.equal(place('one\nHi {% if x %}', 2, 7), '{% if x %}');
  t.equal(place('Hi {{ x', 1, 4), '{{ x');
});

t.test('a problem without a place is of the whole text', async (t) => {
  t.equal(place('Hello'), 'Hello');
});

t.test('no place leaves the text', async () => {
  const nat = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.string(), nat, nat, (text, line, column) => {
      const [one] = placedIssues(text, [{ level: 'error', line, column, error: '' }]);
      return one !== undefined && one.from >= 0 && one.from <= one.to && one.to <= text.length;
    }),
  );
});
