// Templates that try to take the process with them. Each must end, in bounded steps, the same way
// everywhere.

import t from 'tap';
import { renderContext } from '../../../actors/content/liquid/context.ts';
import { compile, render } from '../../../actors/content/liquid/render.ts';
import { RenderBudget } from '../../../actors/content/liquid/render-budget.ts';

const list = Array.from({ length: 5_000 }, (_, i) => `k${(i * 7_919) % 200_000}`);
const context = renderContext(
  { id: 'sub_1', tags: { list, u: 'x', pair: ['a', 'b'] } },
  { name: 'Shop' },
  {
    v: '<'.repeat(60_000),
    hay: 'a'.repeat(65_000),
    other: `${'a'.repeat(64_999)}a`,
    needle: `${'a'.repeat(30_000)}b`,
    huge: 1e308,
  },
);

const loop = (body: string, n = 5_000) => `{% for i in (1..${n}) %}${body}{% endfor %}`;
const many = (item: string, n: number, by: string) => Array(n).fill(item).join(by);

const stopped: Record<string, string> = {
  'a loop over a huge range': '{% for i in (1..100000000) %}x{% endfor %}',
  'an empty loop': '{% for i in (1..10000000) %}{% endfor %}',
  'loops in loops': loop(loop('{% assign x = i | times: i %}'), 3_000),
  'a range that adding one never leaves':
    '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
  'the same through a variable':
    '{% assign a = 9007199254740992 %}{% assign b = a | plus: 4 %}{% for i in (a..b) %}x{% endfor %}',
  'a range up to a huge number': '{% for i in (1..huge) %}x{% endfor %}',
  'a list that doubles': `{% assign a = "1,2,3" | split: "," %}${loop('{% assign a = a | concat: a %}', 32)}`,
  'a text that doubles': `{% assign s = "aaaaaaaa" %}${loop('{% assign s = s | append: s %}', 40)}`,
  'a replacement that squares': `{% assign s = "aaaaaaaaaaaaaaaa" %}${loop('{% assign s = s | replace: "a", s %}', 8)}`,
  'a capture without end': `{% capture c %}${loop('0123456789'.repeat(10))}{% endcapture %}`,
  'a capture in a loop': loop('{% capture c %}{{ v }}{% endcapture %}'),
  'a range as a list': '{% assign r = (1..50000000) %}{{ r | size }}',
  'a joined range': '{{ (1..9000000) | join: ", " | size }}',
  'a cycle': '{% for i in (1..100000000) %}{% cycle 1, 2 %}{% endfor %}',
  'a cycle of thousands': loop(`{% cycle ${many('1', 4_000, ',')} %}`),
  'a case with thousands of values': loop(
    `{% case 9 %}{% when ${many('1', 3_000, ' or ')} %}{% endcase %}`,
  ),
  'a thousand branches': loop(`{% if false %}${'{% elsif false %}'.repeat(900)}{% endif %}`),
  'a thousand operators': loop(`{% if ${many('false', 1_500, ' or ')} %}{% endif %}`),
  'a thousand filters': loop(`{{ "a"${' | upcase'.repeat(1_500)} }}`),
  'a thousand arguments': loop(`{{ "a" | slice: ${many('1', 4_000, ',')} }}`),
  'sorting in a loop': loop('{% assign z = list | sort_natural %}'),
  'filters that liquidjs does not charge': loop('{% assign x = v | url_encode %}'),
  'a replacement that charges itself back': loop('{% assign x = v | replace: "<", "" %}'),
  'a search at its worst': loop('{% if hay contains needle %}{% endif %}'),
  'a split at its worst': loop('{% assign q = hay | split: needle %}'),
  'comparing long texts': loop('{% if hay == other %}{% endif %}'),
  'splitting into letters': loop('{% assign s = v | split: "" %}'),
  'output without end': loop('{{ v }}'),
  'one text in a long list': `{% assign a = v | split: "|" %}${loop('{% assign a = a | concat: a %}', 12)}{{ a }}`,
  'summing in a loop': loop('{{ list | sum }}'),
  'formatting in a loop': loop('{{ i | date: "%c %c %c %c %c %c", "Asia/Tokyo" }}'),
  'blocks nested too deep': `${'{% if true %}'.repeat(600)}x${'{% endif %}'.repeat(600)}`,
  'brackets nested too deep': `{{ ${'a['.repeat(5_000)}1${']'.repeat(5_000)} }}`,
  'parentheses nested too deep': `{{ ${'('.repeat(8_000)} }}`,
  'too many tags': '{{ u }}'.repeat(2_001),
};

for (const [name, source] of Object.entries(stopped)) {
  t.test(`stopped: ${name}`, async (t) => {
    for (const escaping of ['none', 'html'] as const) {
      for (const mode of escaping === 'none'
        ? (['strict', 'lenient'] as const)
        : (['strict'] as const)) {
        const template = compile(source, escaping);
        const once = () =>
          'problem' in template
            ? template
            : render(template, context, { mode, nowMs: 0, budget: new RenderBudget() });
        const result = once();
        const problem = 'problem' in result ? result.problem : '';
        // A longer HTML text is allowed, so what fits there may pass.
        if (escaping === 'html' && problem === '') continue;
        t.match(
          problem,
          /^(runaway template: more than|runaway template: a (list|range) of|runaway template: the range|nested more than|more than)/,
        );
        if (mode === 'strict') t.same(once(), result, 'and at the same point again');
      }
    }
  });
}

const harmless: Record<string, [source: string, expected: RegExp]> = {
  'own and inherited members': ['{{ u.__proto__ }}', /^! undefined variable: u.__proto__$/],
  constructors: [
    '{{ u.constructor.name }}{{ constructor }}',
    /^! undefined variable: u.constructor$/,
  ],
  'a global': ['{{ globalThis }}', /^! undefined variable: globalThis$/],
  'a loop argument named __proto__': [
    '{% for i in pair __proto__: pair %}{{ i }}{% endfor %}',
    /^ab$/,
  ],
  'an assignment to __proto__': ['{% assign __proto__ = "x" %}{{ __proto__ }}', /^x$/],
  'a capture into constructor': [
    '{% capture constructor %}x{% endcapture %}{{ constructor }}',
    /^x$/,
  ],
  'stripping a flood of brackets': ['{{ v | strip_html | size }}', /^60000$/],
  'a date with a huge width': ['{{ "now" | date: "%1000000000Y" }}', /^%1000000000Y$/],
  'a truncation that is not one': ['{{ "a" | truncate: 2000000000, "" }}', /^a$/],
  'malformed percent-encoding': ['{{ "%" | url_decode }}', /^! URI malformed/],
};

for (const [name, [source, expected]] of Object.entries(harmless)) {
  t.test(`harmless: ${name}`, async (t) => {
    const template = compile(source);
    const result =
      'problem' in template ? template : render(template, context, { mode: 'strict', nowMs: 0 });
    t.match('text' in result ? result.text : `! ${result.problem}`, expected);
    t.equal(Reflect.get({}, 'x'), undefined);
    t.same(Object.keys(Object.prototype), []);
  });
}

t.test('the texts of one message share one budget', async (t) => {
  const budget = new RenderBudget();
  const template = compile(loop('{% if i %}{% endif %}', 3_000));
  if ('problem' in template) throw new Error(template.problem);
  const results = Array.from({ length: 6 }, () =>
    render(template, context, { mode: 'strict', nowMs: 0, budget }),
  );
  t.match(results[0], { text: '' });
  t.match(results[5], { problem: /^runaway template: more than 50000 steps/ });
});
