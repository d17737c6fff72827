import t from 'tap';
import {
  acceptContent,
  type ContentLane,
} from '../../../../actors/content/accept/accept-content.ts';
import { renderContext, type Scalar } from '../../../../actors/content/liquid/context.ts';
import { localize } from '../../../../actors/content/render/localize.ts';
import {
  type RenderedMessage,
  renderContent,
} from '../../../../actors/content/render/render-message.ts';
import { contentSchema } from '../../../../actors/content/shape/message-schema.ts';
import type { Fault } from '../../../../engine/base/fault.ts';

interface Setting {
  readonly lane?: ContentLane;
  readonly email?: boolean;
  readonly variables?: Record<string, Scalar>;
  readonly tags?: Record<string, string>;
}

function rendered(
  body: object,
  setting: Setting = {},
): { rendered: RenderedMessage } | { fault: Fault } {
  const {
    lane = 'transactional',
    email = false,
    variables = {},
    tags = { name: 'Ann & <b>Bob</b>' },
  } = setting;
  const accepted = acceptContent(contentSchema.parse(body), lane);
  if ('fault' in accepted) return accepted;
  const context = renderContext({ id: 'sub_1', tags }, { name: 'Shop' }, variables);
  return renderContent(localize(accepted.content, tags), context, { lane, email, nowMs: 0 });
}

function problem(body: object, setting?: Setting): string {
  const answer = rendered(body, setting);
  return 'fault' in answer ? answer.fault.message : '';
}

t.test('title and body are rendered if they contain {{ }}', async (t) => {
  t.same(
    rendered(
      { title: 'Hi {{ name }}', body: 'Order {{ order_id }}' },
      { variables: { order_id: 'A-1' } },
    ),
    {
      rendered: { plain: { title: 'Hi Ann & <b>Bob</b>', body: 'Order A-1', options: {} } },
    },
  );
  t.match(rendered({ body: 'No tags } here {' }), {
    rendered: { plain: { body: 'No tags } here {' } },
  });
});

t.test('an unresolved reference refuses the call and names the field', async (t) => {
  t.match(rendered({ body: 'Order {{ order_id }}' }), {
    fault: { code: 'invalid', field: 'body', message: 'body: undefined variable: order_id' },
  });
  t.equal(problem({ title: '{{ x }}', body: 'b' }), 'title: undefined variable: x');
  t.equal(problem({ body: 'b', data: { k: '{{ x }}' } }), 'data.k: undefined variable: x');
  t.equal(
    problem({ body: 'b', payload: { whatsapp: { bodyParams: ['a', '{{ x }}'] } } }),
    'payload.whatsapp.bodyParams[1]: undefined variable: x',
  );
  t.equal(
    problem({ body: 'b', buttons: [{ label: '{{ x }}' }] }),
    'buttons[0].label: undefined variable: x',
  );
});

t.test('a title or body that renders to nothing is refused', async (t) => {
  const variables = { empty: '', blank: ' \n\u00a0' };
  t.equal(problem({ title: '{{ empty }}', body: 'b' }, { variables }), 'title: renders to nothing');
  t.equal(problem({ body: ' {{ blank }} ' }, { variables }), 'body: renders to nothing');
  t.equal(
    problem({ body: '{% if false %}x{% endif %}' }, { variables }),
    'body: renders to nothing',
  );
  t.equal(problem({ body: '<p>{{ empty }}</p>' }, { variables }), 'body: renders to nothing');
  t.equal(problem({ body: '<img src="https://example.com/a.png">' }, { variables }), '');
});

t.test('data values are rendered too, and may render empty', async (t) => {
  t.match(
    rendered(
      { body: 'b', data: { who: '{{ name }}', none: '{{ empty }}', n: 5, flag: false } },
      { variables: { empty: '' } },
    ),
    {
      rendered: { plain: { data: { who: 'Ann & <b>Bob</b>', none: '', n: '5', flag: 'false' } } },
    },
  );
});

t.test('a runaway template is refused in words', async (t) => {
  t.match(
    problem({ body: '{% for i in (1..100000000) %}x{% endfor %}' }),
    /^body: runaway template: /,
  );
});

t.test('all texts of a message share one budget', async (t) => {
  const data = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`k${i}`, '{% for i in (1..4000) %}{% endfor %}']),
  );
  t.match(problem({ body: 'b', data }), /^data\.k\d+: runaway template: more than 50000 steps/);
});

t.test('the rendered payload is checked again', async (t) => {
  const body = {
    body: 'b',
    data: { priority: '{{ p }}', badgeCount: '{{ n }}', own: 'x' },
    payload: { sound: '{{ p }}', web: { a: ['{{ n }}', 1, null] } },
  };
  t.same(rendered(body, { variables: { p: 'high', n: 3 } }), {
    rendered: {
      plain: {
        body: 'b',
        data: { own: 'x' },
        payload: { web: { a: ['3', 1, null] } },
        options: { badgeCount: 3, sound: 'high', priority: 'high' },
      },
    },
  });
  t.equal(
    problem(body, { variables: { p: 'urgent', n: 3 } }),
    'data.priority: expected "normal" or "high"',
  );
  t.equal(
    problem(body, { variables: { p: 'high', n: 'three' } }),
    'data.badgeCount: expected an integer from 0',
  );
  t.equal(
    problem(
      { body: 'b', buttons: [{ label: 'Go', url: '{{ u }}' }] },
      { variables: { u: 'java\tscript:alert(1)' } },
    ),
    'buttons[0].url: a link must not contain control characters',
  );
  t.equal(
    problem(
      { body: 'b', buttons: [{ label: 'Go', url: '{{ u }}{{ v }}' }] },
      { variables: { u: 'java', v: 'script:alert(1)' } },
    ),
    'buttons[0].url: javascript: links are not allowed',
  );
  t.equal(
    problem({ body: 'b', deepLink: '{{ u }}' }, { variables: { u: 'JAVASCRIPT:1' } }),
    'deepLink: javascript: links are not allowed',
  );
});

t.test('email is HTML with values escaped, other channels are text', async (t) => {
  const html = rendered(
    { title: '{{ name }}', body: '<p>Dear {{ name }},</p><p>1 &lt; 2</p>' },
    { email: true },
  );
  t.match(html, {
    rendered: {
      plain: { title: 'Ann & <b>Bob</b>', body: 'Dear Ann & <b>Bob</b>,\n\n1 < 2' },
      email: {
        title: 'Ann & <b>Bob</b>',
        body: '<p>Dear Ann &amp; &lt;b&gt;Bob&lt;/b&gt;,</p><p>1 &lt; 2</p>',
      },
    },
  });
  const text = rendered({ body: 'Dear {{ name }},\n1 < 2' }, { email: true });
  t.match(text, {
    rendered: {
      plain: { body: 'Dear Ann & <b>Bob</b>,\n1 < 2' },
      email: { body: 'Dear Ann &amp; &lt;b&gt;Bob&lt;/b&gt;,<br>\n1 &lt; 2' },
    },
  });
  const without = rendered({ body: '<p>x</p>' });
  t.ok(
    'rendered' in without &&
      without.rendered.email === undefined &&
      without.rendered.plain.body === 'x',
  );
});

t.test("a person's data never becomes markup, whatever it says", async (t) => {
  for (const name of [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    "' onmouseover='x",
    '{{ app.name }}',
    '&lt;b&gt;',
  ]) {
    for (const body of ['<p title="{{ name }}">{{ name }}</p>', 'Hi {{ name }}']) {
      const answer = rendered({ body }, { email: true, tags: { name } });
      if (!('rendered' in answer)) throw new Error(answer.fault.message);
      const html = answer.rendered.email?.body ?? '';
      t.notMatch(html, /<(img|script)|onerror=alert\(1\)>|title="[^"]*"[^>]*on/i);
      t.ok(answer.rendered.plain.body.includes(name), 'and is read as it was written');
    }
  }
});

t.test(
  'the marketing lane prints nothing for what is unknown, and leaves out what comes out empty',
  async (t) => {
    t.same(
      rendered(
        {
          title: '{{ x }}',
          body: 'Hi {{ x }}!',
          deepLink: '{{ x }}',
          buttons: [{ label: 'A', url: '{{ x }}' }, { label: 'B' }],
          data: { sound: '{{ x }}' },
        },
        { lane: 'marketing' },
      ),
      {
        rendered: {
          plain: { body: 'Hi !', buttons: [{ label: 'B' }], data: { sound: '' }, options: {} },
        },
      },
    );
    t.equal(problem({ body: '{{ x }}' }, { lane: 'marketing' }), 'body: renders to nothing');
  },
);

t.test("the person's language is rendered", async (t) => {
  t.match(
    rendered(
      {
        title: 'Hello {{ language }}',
        body: 'b',
        localizations: { pt: { title: 'Olá {{ language }}' } },
      },
      { tags: { language: 'pt_BR' } },
    ),
    {
      rendered: { plain: { title: 'Olá pt_BR', body: 'b' } },
    },
  );
});

t.test('a fault in a language names the language, in the message itself it does not', async (t) => {
  const localizations = {
    vi: { body: '{{ nope }}' },
    de: { buttons: [{ label: '{{ nope }}' }], title: '{{ v }}' },
    fr: { deepLink: '{{ u }}' },
  };
  const content = { title: 'T {{ late }}', body: 'B', localizations };
  const said = (language: string, variables: Record<string, Scalar> = { late: 1 }) =>
    rendered(content, { tags: { language }, variables });
  t.match(said('vi-VN'), {
    fault: {
      field: 'localizations.vi.body',
      message: 'localizations.vi.body: undefined variable: nope',
    },
  });
  t.match(said('vi', {}), {
    fault: { field: 'title', message: 'title: undefined variable: late' },
  });
  t.match(said('de', { v: ' ' }), {
    fault: { message: 'localizations.de.title: renders to nothing' },
  });
  t.match(said('de', { v: 'x' }), {
    fault: { message: 'localizations.de.buttons[0].label: undefined variable: nope' },
  });
  t.match(said('fr', { late: 1, u: 'javascript:1' }), {
    fault: { message: 'localizations.fr.deepLink: javascript: links are not allowed' },
  });
  t.match(said('en'), { rendered: { plain: { title: 'T 1', body: 'B' } } });
});

t.test('a title is one line: its white space becomes single blanks', async (t) => {
  const variables = { v: 'a\r\n b\t\u2028c\u0085d' };
  for (const lane of ['transactional', 'marketing'] as const) {
    const answer = rendered({ title: ' Hi\n\n{{ v }}  there\v', body: 'b' }, { variables, lane });
    t.match(answer, { rendered: { plain: { title: 'Hi a b c d there' } } });
  }
  t.match(rendered({ title: 'one\ntwo', body: 'b' }, { email: true }), {
    rendered: { plain: { title: 'one two' }, email: { title: 'one two' } },
  });
  const kept = 'Prix\u00a0: 5\u00a0€、お知らせ\u3000新着';
  t.match(rendered({ title: kept, body: 'b' }), { rendered: { plain: { title: kept } } }, 'as set');
});

t.test('a title holds no other control character, wherever it came from', async (t) => {
  for (const control of ['\0', '\b', '\u001b', '\u007f', '\u009f']) {
    const words = 'title: must not contain control characters';
    t.equal(problem({ title: `a${control}`, body: 'b' }), words);
    const variables = { v: `a${control}` };
    t.equal(problem({ title: '{{ v }}', body: 'b' }, { variables }), words);
    t.equal(problem({ title: '{{ v }}', body: 'b' }, { variables, lane: 'marketing' }), words);
  }
  const localizations = { vi: { title: 'a\0' } };
  t.equal(
    problem({ title: 'a', body: 'b', localizations }),
    'localizations.vi.title: must not contain control characters',
    'a language that nobody reads yet, too',
  );
});

t.test(
  'a number that is none refuses the call, and prints nothing on the marketing lane',
  async (t) => {
    const variables = { n: 7, zero: 0, word: 'x', huge: '1e999' };
    const cases: [source: string, problem: string, lenient: string][] = [
      ['{{ n | divided_by: 0 }}', 'divided by 0', ''],
      ['{{ n | divided_by: zero }}', 'divided by 0', ''],
      ['{{ n | divided_by: word }}', 'divided by 0', ''],
      ['{{ 0 | divided_by: 0 }}', 'divided by 0', ''],
      ['{{ n | modulo: 0 }}', 'divided by 0', ''],
      ['{% assign x = n | divided_by: 0 %}{{ x }}', 'divided by 0', ''],
      ['{{ n | divided_by: 0 | default: "-" }}', 'divided by 0', '-'],
      ['{{ huge | divided_by: 2 }}', 'divided_by: not a finite number', ''],
      ['{{ "1e999" | split: "," | sum }}', 'sum: not a finite number', ''],
      ['{{ huge | plus: 1 }}', 'plus: not a finite number', ''],
      ['{{ huge | abs }}', 'abs: not a finite number', ''],
      ['{{ n | times: huge }}', 'times: not a finite number', ''],
    ];
    for (const [source, words, lenient] of cases) {
      for (const [open, close] of [
        ['', ''],
        ['<p>', '</p>'],
      ]) {
        const body = `${open}[${source}]${close}`;
        t.equal(problem({ body }, { variables }), `body: ${words}`, body);
        t.match(
          rendered({ body }, { variables, lane: 'marketing' }),
          { rendered: { plain: { body: `[${lenient}]` } } },
          body,
        );
      }
    }
  },
);

t.test(
  'a link within an HTML body is checked after rendering, however it came about',
  async (t) => {
    const links = [
      ['<a href="{{ url }}">x</a>', 'javascript:alert(1)'],
      ["<a class=b href='{{ url }}'>x</a>", ' JavaScript:alert(1)'],
      ['<a href={{ url }}>x</a>', 'vbscript:x'],
      ['<a href="{{ url }}:alert(1)">x</a>', 'javascript'],
      ['<a href="java{{ url }}">x</a>', '\tscript:alert(1)'],
      ['<a {{ url }}>x</a>', 'href=javascript:alert(1)'],
      ['<form action="{{ url }}">x</form>', 'data:text/html,x'],
      ['<svg><a xlink:href="{{ url }}">x</a></svg>', 'javascript:alert(1)'],
      ['<p title=">"><a href="{{ url }}">x</a>', 'javascript:alert(1)'],
      ['{% assign to = url %}<a href="{{ to }}">x</a>', 'file:///etc/passwd'],
      ['<img src="{{ url }}">', 'javascript:alert(1)'],
    ] as const;
    for (const [body, url] of links)
      for (const lane of ['transactional', 'marketing'] as const) {
        const setting = { lane, email: true, tags: { name: 'Ann', url } };
        t.match(problem({ body }, setting), /^body: \w+: links are not allowed$/, `${body} ${url}`);
      }
    const good = [
      ['<a href="{{ url }}">x</a>', 'https://a.example/?q=javascript:'],
      ['<a href="{{ url }}">x</a>', 'shop://order'],
      ['<a href="{{ url }}">x</a>', '#top'],
      ['<a href="https://a.example/{{ url }}">x</a>', 'javascript:x'],
      ['<img src="{{ url }}">', 'data:image/png;base64,AAAA'],
      ['<p>{{ url }} <a href="https://a.example">x</a>', 'see javascript:x'],
      ['<a href="javascript:void(0)">{{ url }}</a>', 'what an author wrote is no value'],
    ] as const;
    for (const [body, url] of good)
      t.equal(problem({ body }, { email: true, tags: { url } }), '', `${body} ${url}`);
  },
);
