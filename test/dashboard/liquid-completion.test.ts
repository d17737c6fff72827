import fc from 'fast-check';
import t from 'tap';
import { completionsAt, liquidFilters } from '../../dashboard/editor/completion.ts';

const names = [{ name: 'first_name', detail: '121' }, { name: 'order_id' }];
const labels = (before: string) => completionsAt(before, names)?.options.map(({ label }) => label);

t.test('an output offers names, a bar filters, a tag the tags of Liquid', async (t) => {
  t.match(labels('Hello {{ '), ['first_name', 'order_id', 'subscriber.externalUserId']);
  t.strictSame(labels('{{ first_name | '), [...liquidFilters]);
  t.ok(labels('{% ')?.includes('if'));
  t.ok(labels('{% if ')?.includes('first_name'));
});

t.test('text, strings and arguments of filters offer nothing', async (t) => {
  t.equal(labels('Hello '), undefined);
  t.equal(labels('{{ first_name }} and '), undefined);
  t.equal(labels("{{ first_name | default: 'th"), undefined);
});

t.test('one brace offers whole outputs in its place', async (t) => {
  const found = completionsAt('Hello {', names);
  t.equal(found?.from, 6);
  t.equal(found?.options[0]?.apply, '{{ first_name }}');
});

t.test('what is replaced begins within the text and holds no sign of Liquid', async () => {
  const part = fc.constantFrom('{{', '}}', '{%', '%}', '|', ' ', 'a', '"', "'", '.', '{', 'if');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const before = parts.join('');
      const found = completionsAt(before, names);
      if (found === undefined) return true;
      const replaced = before.slice(found.from);
      return found.from <= before.length && (replaced === '{' || !/[{}|%\s]/.test(replaced));
    }),
  );
});
