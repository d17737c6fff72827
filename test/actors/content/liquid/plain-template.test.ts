// The fast path against liquidjs: the same text, the same problem, the same steps, for thousands of
// random templates and contexts, in both modes and both escapings.

import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import t from 'tap';
import {
  type RenderContext,
  renderContext,
  type Scalar,
} from '../../../../actors/content/liquid/context.ts';
import { compile, render, renderSlowly } from '../../../../actors/content/liquid/render.ts';
import { RenderBudget } from '../../../../actors/content/liquid/render-budget.ts';
import type { TagValue } from '../../../../storage/tables/subscriber.ts';
import { tries } from '../../../support/tries.ts';

const words = [
  'there',
  '',
  ' a b ',
  'Ünï',
  '👩‍🚀x',
  '<b>&"\'',
  '0',
  '3.5',
  '-2',
  '1e999',
  'false',
  'x'.repeat(60),
  'y'.repeat(5_000),
];
const names = [
  'name',
  'city',
  'n',
  'flag',
  'list',
  'missing',
  'constructor',
  'toString',
  '__proto__',
  'app',
  'subscriber',
  'size',
];
const paths = [
  ...names,
  'app.name',
  'app.size',
  'subscriber.id',
  'subscriber.externalUserId',
  'subscriber.tags.name',
  'subscriber.tags.missing',
  'subscriber.tags',
  'name.size',
  'list.first',
  'name.x',
  'subscriber.constructor',
  'a.b.c',
  'list[0]',
  'name["size"]',
];

const literal = fc.oneof(
  fc.constantFrom(
    '"q"',
    "'w'",
    '""',
    '1',
    '0',
    '-3',
    '2.5',
    'true',
    'false',
    'nil',
    'empty',
    'blank',
    '"a\\n\\"b"',
    '(1..3)',
  ),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...paths) },
  { weight: 1, arbitrary: literal },
);
const filterName = fc.constantFrom(
  'default',
  'upcase',
  'downcase',
  'capitalize',
  'append',
  'prepend',
  'strip',
  'lstrip',
  'rstrip',
  'escape',
  'escape_once',
  'truncate',
  'plus',
  'minus',
  'times',
  'divided_by',
  'modulo',
  'round',
  'ceil',
  'floor',
  'abs',
  'size',
  'join',
  'split',
  'replace',
  'first',
  'newline_to_br',
  'url_encode',
  'strip_html',
  'json',
);
const filter = fc
  .tuple(filterName, fc.array(value, { maxLength: 2 }))
  .map(([name, args]) => (args.length === 0 ? ` | ${name}` : ` | ${name}: ${args.join(', ')}`));
const output = fc
  .tuple(
    fc.constantFrom('{{', '{{-'),
    value,
    fc.array(filter, { maxLength: 2 }),
    fc.constantFrom('}}', '-}}'),
  )
  .map(([open, of, filters, close]) => `${open} ${of}${filters.join('')} ${close}`);
const text = fc.constantFrom('Hello ', ' and\n', '!', '<p>', ' & ', '');
const source = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: text },
      { weight: 3, arbitrary: output },
      { weight: 1, arbitrary: fc.constant('{% if name %}y{% endif %}') },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom(...words),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
  fc.boolean(),
);
const tagValue: fc.Arbitrary<TagValue> = fc.oneof(
  scalar,
  fc.array(fc.constantFrom(...words.slice(0, 8)), { maxLength: 3 }),
);
const key = fc.constantFrom(...names.filter((name) => name !== '__proto__'));
const context: fc.Arbitrary<RenderContext> = fc
  .record({
    tags: fc.dictionary(key, tagValue, { maxKeys: 5 }),
    variables: fc.dictionary(key, scalar, { maxKeys: 3, noNullPrototype: false }),
    named: fc.boolean(),
  })
  .map(({ tags, variables, named }) =>
    renderContext(
      { id: 'sub_1', tags, ...(named ? { externalUserId: 'u1' } : undefined) },
      { name: 'Shop' },
      variables,
    ),
  );

t.test(
  'the fast path writes what liquidjs writes, or the same problem, in the same number of steps',
  async (t) => {
    let fast = 0;
    fc.assert(
      fc.property(
        source,
        context,
        fc.constantFrom('none', 'html'),
        fc.constantFrom('strict', 'lenient'),
        (source, data, escaping, mode) => {
          const template = compile(source, escaping);
          if ('problem' in template) return;
          if (template.plain !== undefined) fast++;
          const [one, other] = [new RenderBudget(), new RenderBudget()];
          const quick = render(template, data, { mode, nowMs: 0, budget: one });
          const slow = renderSlowly(template, data, { mode, nowMs: 0, budget: other });
          if (JSON.stringify(quick) !== JSON.stringify(slow))
            throw new Error(`${JSON.stringify(quick)} is not ${JSON.stringify(slow)}`);
          if ('text' in quick && one.stepsLeft !== other.stepsLeft)
            throw new Error(`${one.stepsLeft} is not ${other.stepsLeft} steps`);
        },
      ),
      { seed: 20_261_121, numRuns: tries(6_000) },
    );
    t.ok(fast > tries(1_500), `${fast} took the fast path`);
  },
);

t.test('the fast path writes what liquidjs writes as it comes from the registry', async (t) => {
  const plainFilter = fc
    .tuple(
      fc.constantFrom(
        'default',
        'upcase',
        'downcase',
        'capitalize',
        'append',
        'prepend',
        'strip',
        'escape',
        'truncate',
        'plus',
        'times',
        'round',
      ),
      fc.constantFrom('"q"', '3', '12', 'name', '" "'),
    )
    .map(([name, arg]) =>
      ['default', 'append', 'prepend', 'truncate', 'plus', 'times'].includes(name)
        ? ` | ${name}: ${arg}`
        : ` | ${name}`,
    );
  const plainOutput = fc
    .tuple(
      fc.constantFrom('name', 'city', 'n', 'flag', '"lit"'),
      fc.array(plainFilter, { maxLength: 3 }),
    )
    .map(([of, filters]) => `{{ ${of}${filters.join('')} }}`);
  const plainSource = fc
    .array(fc.oneof(text, plainOutput), { maxLength: 6 })
    .map((parts) => parts.join(''));
  // Infinite numbers are refused here, on purpose.
  const finite = scalar.filter((value) => value !== '1e999');
  const all = fc.record({ name: finite, city: finite, n: finite, flag: finite });
  const stock = {
    none: new Liquid({ strictVariables: true, strictFilters: true }),
    html: new Liquid({ strictVariables: true, strictFilters: true, outputEscape: 'escape' }),
  };
  fc.assert(
    fc.property(plainSource, all, fc.constantFrom('none', 'html'), (source, tags, escaping) => {
      // In HTML a final `escape` is not done twice here, on purpose.
      if (escaping === 'html' && /escape }}/.test(source)) return;
      const template = compile(source, escaping);
      if ('problem' in template) throw new Error(template.problem);
      const ours = render(template, renderContext({ id: 's', tags }, { name: 'Shop' }), {
        mode: 'strict',
        nowMs: 0,
      });
      const theirs: unknown = stock[escaping].parseAndRenderSync(source, tags);
      if (!('text' in ours) || ours.text !== theirs)
        throw new Error(`${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`);
    }),
    { seed: 7, numRuns: tries(2_000) },
  );
  t.pass();
});
