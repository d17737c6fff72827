import fc from 'fast-check';
import t from 'tap';
import { renderContext } from '../../../../actors/content/liquid/context.ts';
import type { Escape } from '../../../../actors/content/liquid/liquid-filters.ts';
import { compile, type RenderOptions, render } from '../../../../actors/content/liquid/render.ts';
import { tries } from '../../../support/tries.ts';

const nowMs = 1_772_323_200_000; // 2026-03-01T00:00:00Z
const person = {
  id: 'sub_1',
  externalUserId: 'u-7',
  timezone: 'Asia/Tokyo',
  tags: {
    first_name: 'Anna',
    vip: true,
    points: 12.5,
    colours: ['red', 'blue'],
    app: 'hidden',
    html: '<b>"A" & \'B\'</b>',
    nothing: '',
  },
};
const context = renderContext(
  person,
  { name: 'Shop' },
  { order_id: 'A-1', first_name: 'Override' },
);

function answer(
  source: string,
  options: Partial<RenderOptions> & { escaping?: Escape } = {},
): string {
  const template = compile(source, options.escaping);
  const result =
    'problem' in template
      ? template
      : render(template, context, { mode: 'strict', nowMs, ...options });
  return 'text' in result ? result.text : `! ${result.problem}`;
}

t.test('names are looked up in variables, then built-ins, then tags', async (t) => {
  t.equal(answer('{{ first_name }}'), 'Override');
  t.equal(answer('{{ subscriber.tags.first_name }}'), 'Anna');
  t.equal(answer('{{ app.name }} {{ subscriber.tags.app }}'), 'Shop hidden');
  t.equal(
    answer('{{ subscriber.id }} {{ subscriber.externalUserId }} {{ subscriber.timezone }}'),
    'sub_1 u-7 Asia/Tokyo',
  );
  t.equal(
    answer('{{ vip }} {{ points }} {{ colours }} {{ colours[1] }}'),
    'true 12.5 redblue blue',
  );
});

t.test('an unresolved reference is named, alone or at the end of a path', async (t) => {
  t.equal(answer('Order {{ order }}'), '! undefined variable: order');
  t.equal(answer('{{ subscriber.phone }}'), '! undefined variable: subscriber.phone');
  t.equal(answer('{{ order | upcase }}'), '! undefined variable: order');
  t.equal(answer('{% assign x = order %}{{ x }}'), '! undefined variable: order');
  t.equal(answer('{% for i in orders %}{% endfor %}'), '! undefined variable: orders');
});

t.test('a reference may be missing where the template says what then', async (t) => {
  t.equal(answer('{{ order | default: "none" }}'), 'none');
  t.equal(answer('{% if order %}yes{% else %}no{% endif %}'), 'no');
  t.equal(answer('{{ nothing | default: "none" }}'), 'none');
});

t.test('a lenient render prints nothing for an unknown name', async (t) => {
  t.equal(answer('[{{ order }}][{{ order.id.x | upcase }}]', { mode: 'lenient' }), '[][]');
});

t.test('a nonexistent filter or tag is named, in strict and in lenient renders', async (t) => {
  for (const mode of ['strict', 'lenient'] as const) {
    t.equal(answer('{{ first_name | nofilter }}', { mode }), '! undefined filter: nofilter');
    for (const name of [
      'raw',
      'sample',
      'where_exp',
      'sha256',
      'constructor',
      'toString',
      '__proto__',
    ]) {
      t.equal(answer(`{{ first_name | ${name} }}`, { mode }), `! undefined filter: ${name}`);
    }
    for (const name of [
      'include',
      'render',
      'layout',
      'block',
      'tablerow',
      'liquid',
      'increment',
      'decrement',
      'constructor',
    ]) {
      t.equal(answer(`{% ${name} 'x' %}`, { mode }), `! undefined tag: ${name}`);
    }
  }
});

t.test('a syntax error says where it is', async (t) => {
  t.equal(answer('a\n{% if vip %}x'), '! tag {% if vip %} not closed (line 2, column 1)');
  t.match(answer('{{ first_name'), /^! output .* not closed \(line 1, column 1\)$/);
  t.match(answer('{{ | upcase }}'), /^! invalid value expression/);
});

t.test('the usual Liquid works', async (t) => {
  t.equal(
    answer(
      '{% for c in colours %}{{ forloop.index }}{{ c }}{% unless forloop.last %},{% endunless %}{% endfor %}',
    ),
    '1red,2blue',
  );
  t.equal(answer('{% case points %}{% when 1 or 12.5 %}a{% else %}b{% endcase %}'), 'a');
  t.equal(answer('{% capture x %}{{ order_id }}!{% endcapture %}{{ x | downcase }}'), 'a-1!');
  t.equal(answer('{% assign n = points | times: 2 | plus: 1 %}{{ n }}'), '26');
  t.equal(
    answer('{% raw %}{{ order_id }}{% endraw %}{% comment %}{{ nope }}{% endcomment %}'),
    '{{ order_id }}',
  );
  t.equal(answer('{{ "a,b,,c,," | split: "," | join: "-" }}'), 'a-b--c');
  t.equal(answer('{{ colours | array_to_sentence_string }}'), 'red and blue');
  t.equal(answer('{% if colours contains "red" and vip %}x{% endif %}'), 'x');
  t.equal(answer('{{ "abcdef" | slice: 1, 900000000 }}{{ "abcdef" | slice: -2, 2 }}'), 'bcdefef');
  t.equal(answer('{{ colours | where: "constructor" | size }}'), '0');
  t.equal(answer('{% for i in (1..3) %}{{ i }}{% break %}{% endfor %}{% cycle "a", "b" %}'), '1a');
  t.equal(answer(' {{- order_id -}} '), 'A-1');
});

t.test('HTML escapes what is printed, once, and not what is written', async (t) => {
  const escaped = '&lt;b&gt;&#34;A&#34; &amp; &#39;B&#39;&lt;/b&gt;';
  for (const source of [
    '{{ html }}',
    '{{ html | escape }}',
    '{{ html | escape_once }}',
    '{% echo html %}',
    '{% cycle html %}',
    '{{ html | append: "" }}',
  ]) {
    t.equal(answer(`<p>${source}</p>`, { escaping: 'html' }), `<p>${escaped}</p>`, source);
  }
  t.equal(
    answer('{{ html | append: "\n" | newline_to_br }}', { escaping: 'html' }),
    `${escaped}<br />\n`,
  );
  t.equal(answer('{{ html }}'), person.tags.html);
  t.equal(
    answer('{% capture x %}{{ html }}{% endcapture %}{{ x }}', { escaping: 'html' }).includes(
      '<b>',
    ),
    false,
  );
});

t.test('an object is never printed', async (t) => {
  t.match(answer('{{ subscriber }}'), /^! an object cannot be printed/);
  t.match(answer('{{ app | upcase }}'), /^! an object cannot be printed/);
  t.equal(answer('[{{ subscriber }}{{ app | upcase }}]', { mode: 'lenient' }), '[]');
  t.equal(answer('{{ app | json }}'), '{"name":"Shop"}');
});

t.test('dates take the time and the zone of the render, not of the machine', async (t) => {
  t.equal(answer('{{ "now" | date: "%Y-%m-%d %H:%M %z" }}'), '2026-03-01 00:00 +0000');
  t.equal(
    answer('{{ "today" | date: "%A, %B %-d, %Y at %l:%M %p" }}', { timezone: 'America/New_York' }),
    'Saturday, February 28, 2026 at  7:00 PM',
  );
  t.equal(answer('{{ "now" | date: "%F %T", "Asia/Kolkata" }}'), '2026-03-01 05:30:00');
  t.equal(
    answer('{{ 0 | date: "%c|%D|%j|%U|%W|%u|%y|%s|%L|%q|%%|%:z|%Q" }}'),
    'Thu Jan  1 00:00:00 1970|01/01/70|001|00|00|4|70|0|000|st|%|+00:00|%Q',
  );
  t.equal(
    answer('{{ "2026-03-01" | date: "%F %H" }}', { timezone: 'America/Lima' }),
    '2026-03-01 00',
  );
  t.equal(
    answer('{{ "2026-07-01T09:30:00+02:00" | date: "%F %R %z" }}', { timezone: 'Europe/London' }),
    '2026-07-01 08:30 +0100',
  );
  t.equal(
    answer('{{ "2026-03-29 01:30" | date: "%R %z" }}', { timezone: 'Europe/London' }),
    '02:30 +0100',
  );
  const none = '{{ "2026-13-01" | date: "%F" }}{{ "soon" | date: "%F" }}';
  t.equal(answer(none, { mode: 'lenient' }), '2026-13-01soon');
  t.equal(answer('{{ "now" | date: "%F", "Nowhere/Land" }}'), '2026-03-01');
});

t.test('a strict render refuses what is no date, and names it', async (t) => {
  const refused = (shown: string) =>
    `! date: ${shown} is not a date; expected one such as 2026-03-01T09:30:00Z, or seconds since 1970`;
  t.equal(answer('{{ "soon" | date: "%F" }}'), refused('"soon"'));
  t.equal(answer('{{ "2026-02-30" | date }}'), refused('"2026-02-30"'));
  t.equal(answer('{{ vip | date: "%F" }}'), refused('"true"'));
  t.equal(answer(`{{ "${'x'.repeat(60)}" | date: "%F" }}`), refused(`"${'x'.repeat(40)}"`));
  t.equal(answer('[{{ nothing | date: "%F" }}{{ unknown | default: "" | date: "%F" }}]'), '[]');
  t.equal(answer('{{ "2025-06-10 03:00:00+07" | date: "%d/%m/%Y" }}'), '09/06/2025');
});

t.test('weeks of ISO 8601 are those of their Thursday', async (t) => {
  const days = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(days, (day) => {
      const thursday = new Date(day * 86_400_000);
      thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
      const year = thursday.getUTCFullYear();
      const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 604_800_000);
      const right = `${year} ${String(week).padStart(2, '0')} ${String(year % 100).padStart(2, '0')}`;
      const given = answer(`{{ ${day * 86_400} | date: "%G %V %g" }}`);
      if (given !== right) throw new Error(`${day}: ${given}, not ${right}`);
    }),
    { seed: 53, numRuns: tries(2_000) },
  );
  t.equal(answer('{{ "2026-12-31" | date: "%G-W%V" }}'), '2026-W53');
});

t.test('a rendered text has a limit, and so has a source', async (t) => {
  t.equal(answer(`{{ "" }}${'x'.repeat(16_384 - 8)}`).length, 16_384 - 8);
  t.equal(answer(`{{ "" }}${'x'.repeat(16_384 - 7)}`), '! at most 16384 characters');
  const long = renderContext(person, { name: 'Shop' }, { half: 'x'.repeat(32_768) });
  const twice = compile('{{ half }}{{ half }}');
  const over = compile('{{ half }}{{ half }}.');
  if ('problem' in twice || 'problem' in over) throw new Error('they compile');
  t.match(render(twice, long, { mode: 'strict', nowMs }), { text: /^x{65536}$/ });
  t.same(render(over, long, { mode: 'strict', nowMs }), {
    problem: 'runaway template: more than 65536 characters of text',
    place: { line: 1, column: 21, said: 'runaway template: more than 65536 characters of text' },
  });
});

t.test('a name in another normal form is the same name', async (t) => {
  const apart = (text: string) => text.normalize('NFD');
  const tags = { họ_tên: 'Nguyễn', thành_phố: 'Hà Nội' };
  const someone = renderContext({ ...person, tags }, { name: 'Shop' }, { món: 'phở' });
  const text = (source: string) => {
    const template = compile(source);
    if ('problem' in template) return template.problem;
    const result = render(template, someone, { mode: 'strict', nowMs });
    return 'text' in result ? result.text : result.problem;
  };
  const source = 'Chào {{ họ_tên }}: {{ món | append: "ộ" }} {{ subscriber.tags.họ_tên }}';
  t.equal(text(source), 'Chào Nguyễn: phởộ Nguyễn');
  t.equal(text(apart(source)), `${apart('Chào')} Nguyễn: phởộ Nguyễn`, 'the rest stays as written');
  const condition = '{% if thành_phố == "Hà Nội" %}ở đây{% endif %}';
  t.equal(text(apart(condition)), apart('ở đây'));
  t.equal(text(apart('{{ họ_tên | size }}')), '6');
  t.match(text(apart('{{ tên }}')), /^undefined variable: tên$/u);
  const hostile = `${apart('ộ')}${'{{'.repeat(8_000)}`;
  t.match(text(hostile), /not closed/);
});
