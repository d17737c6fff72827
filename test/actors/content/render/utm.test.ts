import fc from 'fast-check';
import t from 'tap';
import { decodeEntities } from '../../../../actors/channels/port/html-text.ts';
import { utmFault, utmFor } from '../../../../actors/content/render/utm.ts';
import { withUtm } from '../../../../actors/content/render/utm-links.ts';

const linkWithUtm = (url: string, parameters: typeof utm) =>
  withUtm({ body: '', deepLink: url, options: {} }, parameters, false).deepLink ?? '';
const app = { name: 'Shop', timezone: 'Asia/Bangkok' };
const spring = { id: 'cmp_1', name: 'Spring & more' };
const utm = utmFor(
  { source: 'engage', medium: '{{ channel }}', campaign: '{{ campaign }}' },
  { channel: 'email', campaign: spring },
  app,
  0,
) as NonNullable<ReturnType<typeof utmFor>>;
const all = 'utm_source=engage&utm_medium=email&utm_campaign=Spring%20%26%20more';

t.test('a setting is rendered for what sends the message', async (t) => {
  t.same(utm, [
    ['utm_source', 'engage'],
    ['utm_medium', 'email'],
    ['utm_campaign', 'Spring%20%26%20more'],
  ]);
  const setting = {
    campaign: '{{ campaign | default: journey }}',
    term: '{{ step }}{{ variant }}',
    content: "{{ 'now' | date: '%Y' }}-{{ campaign_id }}{{ journey_id }}-{{ app.name }}",
  };
  const journey = { id: 'jrn_1', name: "Mai's\nchào" };
  t.same(utmFor(setting, { channel: 'sms', journey, step: 'wait 2' }, app, 0), [
    ['utm_campaign', 'Mai%27s%20ch%C3%A0o'],
    ['utm_term', 'wait%202'],
    ['utm_content', '1970-jrn_1-Shop'],
  ]);
  t.equal(utmFor({ campaign: '{{ campaign }}' }, { channel: 'sms' }, app, 0), undefined);
  t.equal(utmFor(null, { channel: 'sms' }, app, 0), undefined);
  const long = utmFor({ source: '😀'.repeat(300) }, { channel: 'sms' }, app, 0);
  t.equal([...decodeURIComponent(long?.[0]?.[1] ?? '')].length, 200, 'cut between characters');
});

t.test('a setting that reads a person, or cannot be rendered, is refused', async (t) => {
  t.equal(utmFault('source', 'engage'), undefined);
  t.equal(utmFault('source', '{{ campaign | downcase | replace: " ", "-" }}'), undefined);
  t.match(utmFault('campaign', '{{ first_name }}'), {
    field: 'utm.campaign',
    message: /first_name/,
  });
  t.match(utmFault('medium', '{{ subscriber.id }}'), { message: /subscriber\.id/ });
  t.match(utmFault('medium', '{{ channel | nofilter }}'), { message: /undefined filter/ });
  t.match(utmFault('medium', '{% if %}'), { field: 'utm.medium' });
});

t.test('links get what they lack, and nothing else of them changes', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['https://shop.example', `https://shop.example?${all}`],
    ['https://shop.example/a?b=1', `https://shop.example/a?b=1&${all}`],
    ['https://shop.example/a?', `https://shop.example/a?${all}`],
    ['https://shop.example/a?b=1&', `https://shop.example/a?b=1&${all}`],
    ['HTTPS://Shop.example/%7Ea#top', `HTTPS://Shop.example/%7Ea?${all}#top`],
    ['https://shop.example/?q=a%26b+c#/r?x=1', `https://shop.example/?q=a%26b+c&${all}#/r?x=1`],
    ['https://shop.example/?x=1&#35', `https://shop.example/?x=1&${all}#35`],
    ['https://shop.example/chào', `https://shop.example/chào?${all}`],
    [
      'https://shop.example/?UTM_Source=me',
      'https://shop.example/?UTM_Source=me&utm_medium=email&utm_campaign=Spring%20%26%20more',
    ],
    [
      'https://shop.example/?utm_source=&a=1',
      'https://shop.example/?utm_source=&a=1&utm_medium=email&utm_campaign=Spring%20%26%20more',
    ],
    [
      'https://shop.example/#utm_source=x&utm_medium=y',
      'https://shop.example/?utm_campaign=Spring%20%26%20more#utm_source=x&utm_medium=y',
    ],
  ];
  for (const [link, expected] of rows) t.equal(linkWithUtm(link, utm), expected, link);
  const stay = [
    'mailto:a@b.example?subject=Hi',
    'tel:+6612345678',
    'sms:+66',
    'shop://cart?a=1',
    '#top',
    '/relative',
    '//shop.example/',
    'https://',
    'javascript:alert(1)',
    'https://preferences.engage.invalid/p',
    `https://shop.example/?${all}`,
    `https://shop.example/${'a'.repeat(2_000)}`,
  ];
  for (const link of stay) t.equal(linkWithUtm(link, utm), link, link);
});

t.test('of a mail, links in the HTML get them, however they are written', async (t) => {
  const html = (body: string) => withUtm({ body, options: {} }, utm, true).body;
  const escaped = all.replaceAll('&', '&amp;');
  const rows: readonly (readonly [string, string])[] = [
    [
      `<a href="https://s.example/?a=1&amp;b=2#x">Go</a>`,
      `<a href="https://s.example/?a=1&amp;b=2&amp;${escaped}#x">Go</a>`,
    ],
    [
      `<A class=x HREF=https://s.example/a>Go`,
      `<A class=x HREF="https://s.example/a?${escaped}">Go`,
    ],
    [
      `<a href='https://s.example/?q="a"'>Go</a>`,
      `<a href="https://s.example/?q=&quot;a&quot;&amp;${escaped}">Go</a>`,
    ],
    [
      `<area href="  https://s.example/?a=1&b=&#34;&#x27; ">`,
      `<area href="https://s.example/?a=1&b=&#34;&#x27;&amp;${escaped}">`,
    ],
    [`<a href="https://s.example/&#35;top">`, `<a href="https://s.example/?${escaped}#top">`],
    [`<a href="https://s.example/&#63;a=1">`, `<a href="https://s.example/?a=1&amp;${escaped}">`],
    [
      `<a href="https://s.example/?a=1&amp;amp;utm_source=x&amp;utm_medium=m&utm_campaign=c">`,
      `<a href="https://s.example/?a=1&amp;amp;utm_source=x&amp;utm_medium=m&utm_campaign=c">`,
    ],
    [`<p>https://s.example</p><img src="https://s.example/a.png">`, ''],
    [`<a name="x" title="href='https://s.example'">x</a><link href="https://s.example">`, ''],
    [`<a href="mailto:a@s.example">x</a><a href="#top">y</a><a href="https://s.example`, ''],
  ];
  for (const [before, after] of rows) t.equal(html(before), after === '' ? before : after, before);
});

t.test('deep links and buttons get them on every channel, a text never', async (t) => {
  const content = {
    body: 'See https://s.example <a href="https://s.example">x</a>',
    deepLink: 'https://s.example/a',
    image: 'https://s.example/a.png',
    buttons: [
      { label: 'Go', url: 'https://s.example' },
      { label: 'App', url: 'shop://cart' },
      { label: 'No' },
    ],
    data: { url: 'https://s.example' },
    options: {},
  };
  t.same(withUtm(content, utm, false), {
    ...content,
    deepLink: `https://s.example/a?${all}`,
    buttons: [{ label: 'Go', url: `https://s.example?${all}` }, ...content.buttons.slice(1)],
  });
  t.equal(withUtm(content, undefined, true), content);
});

t.test('any web link keeps its origin, path, parameters and fragment', async (t) => {
  const anyUrl = fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'medium' });
  fc.assert(
    fc.property(anyUrl, (link) => {
      const added = new URL(linkWithUtm(link, utm));
      const own = new URL(link);
      t.equal(added.origin + added.pathname + added.hash, own.origin + own.pathname + own.hash);
      const names = new Set(utm.map(([name]) => name));
      const kept = [...added.searchParams].filter(([name]) => !names.has(name));
      t.same(
        kept,
        [...own.searchParams].filter(([name]) => !names.has(name)),
      );
      t.equal(added.searchParams.get('utm_campaign'), 'Spring & more');
      t.equal(linkWithUtm(added.href, utm), added.href, 'a second time adds nothing');
      const escaped = link.replaceAll('&', '&amp;');
      const html = withUtm({ body: `<a href="${escaped}">`, options: {} }, utm, true).body;
      const [, href = ''] = /href="(.*)"/.exec(html) ?? [];
      t.equal(decodeEntities(href), linkWithUtm(link, utm), 'in HTML the same link');
    }),
  );
});
