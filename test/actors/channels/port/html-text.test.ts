import fc from 'fast-check';
import t from 'tap';
import {
  decodeEntities,
  endOfTag,
  htmlToText,
} from '../../../../actors/channels/port/html-text.ts';
import { tries } from '../../../support/tries.ts';

t.test('the text of HTML has its lines, links and characters', async (t) => {
  t.equal(
    htmlToText(
      '<html><head><title>x</title><style>p{a:b}</style></head><body><h1>Hi&nbsp;Ann</h1><p>One\n two<br>three</p><ul><li>a</li><li>b</li></ul><script>evil("</p>")</script><!-- c --></body></html>',
    ),
    'Hi Ann\n\nOne two\nthree\n\n- a\n- b',
  );
  t.equal(
    htmlToText('<a href="https://example.com/a?b=1&amp;c=2">Track</a> it'),
    'Track (https://example.com/a?b=1&c=2) it',
  );
  t.equal(
    htmlToText('<a href="https://example.com">https://example.com</a>'),
    'https://example.com',
  );
  t.equal(htmlToText('<a href="javascript:x">Go</a>'), 'Go');
  t.equal(
    htmlToText('a < b &lt;b&gt; &#39;x&#39; &#x1F600; &unknown; &#0; &#55296;'),
    "a < b <b> 'x' 😀 &unknown;",
  );
  t.equal(htmlToText('x<p title=">">y'), 'x\n\ny');
});

t.test('a link whose text is its address without campaign parameters is told once', async (t) => {
  const address = 'https://a.example/x';
  for (const [shown, href, told] of [
    [address, `${address}?utm_source=e&amp;utm_medium=$1`, `${address}?utm_source=e&utm_medium=$1`],
    [`${address}?a=1#f`, `${address}?a=1&amp;utm_source=e#f`, `${address}?a=1&utm_source=e#f`],
    [`<b>${address}</b>`, `${address}?utm_source=e`, `${address}?utm_source=e`],
    [
      'https://a.example/',
      `${address}?utm_source=e`,
      `https://a.example/ (${address}?utm_source=e)`,
    ],
    [address, `${address}?a=1`, `${address} (${address}?a=1)`],
    ['', `${address}?utm_source=e`, `${address}?utm_source=e`],
  ] as const)
    t.equal(htmlToText(`See <a href="${href}">${shown}</a>.`), `See ${told}.`, shown);
});

t.test('every named character of HTML is read, in the case of its name, once', async (t) => {
  const cases: Readonly<Record<string, string>> = {
    '<p>Caf&eacute; cr&egrave;me &ntilde; &frac12; &sup2; &Aacute;</p>': 'Café crème ñ ½ ² Á',
    '&Eacute;&eacute; &Oslash;&oslash; &szlig; &Scaron;&scaron; &THORN;': 'Éé Øø ß Šš Þ',
    '&there4; &sup1;&frac34; &emsp14;x &blk14; &CounterClockwiseContourIntegral;':
      '∴ ¹¾ \u2005x ░ ∳',
    '&euro; &hellip; &rsquo; &NewLine;&Tab;x &colon; &num; &commat;': '€ … ’ x : # @',
    '&bne; &nGt; &fjlig;': '=\u20e5 ≫\u20d2 fj',
    '&amp;eacute; &amp;amp;lt; &#38;frac12; &#x26;lt;': '&eacute; &amp;lt; &frac12; &lt;',
    '&EACUTE; &Frac12; &nosuch; &; &#; &#x; &eacute &amp':
      '&EACUTE; &Frac12; &nosuch; &; &#; &#x; &eacute &amp',
    '&#233; &#xE9; &#XE9; &#128; &#x1F600; &#x110000; &#xD800; &#0;': 'é é é € 😀',
    'a&nbsp;b&shy;c&zwnj;d&zwj;e': 'a bcde',
    '&zwnj;&nbsp;&zwnj;&nbsp;Hi&zwnj;&nbsp;&zwj;': 'Hi',
    'می&zwnj;خواهم &#1605;&#1740;&zwnj;&#1588;&#1608;&#1583;': 'می\u200cخواهم می\u200cشود',
    'ක්&zwj;ෂ ক্&zwnj;ষ': 'ක්\u200dෂ ক্\u200cষ',
    '👩&zwj;💻 &#128105;&zwj;&#128103;': '👩\u200d💻 👩\u200d👧',
    '<img alt="Gl&uuml;ck &frac12;">': 'Glück ½',
    '<a href="https://x.example/?a=1&amp;copy=2&lang=de&reg=3">T&auml;glich</a>':
      'Täglich (https://x.example/?a=1&copy=2&lang=de&reg=3)',
  };
  for (const [html, text] of Object.entries(cases)) t.equal(htmlToText(html), text, html);
  t.equal(decodeEntities('no sign at all'), 'no sign at all');
});

t.test('text that is escaped once is read as it was', async () => {
  const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const piece = fc.constantFrom(
    '&',
    '&amp;',
    'eacute;',
    '&eacute;',
    '#233;',
    '&#',
    ';',
    'é',
    '<',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      return decodeEntities(escaped(text)) === text;
    }),
    { seed: 38, numRuns: tries(5_000) },
  );
});

t.test('a tag ends where a browser ends it', async (t) => {
  const cases: Readonly<Record<string, string>> = {
    '<a href = "https://x.example/?q=a>b">x</a>': '<a href = "https://x.example/?q=a>b">',
    "<a href\n=\t'a>b'>x": "<a href\n=\t'a>b'>",
    '<a href="a>b">x': '<a href="a>b">',
    '<a title=a"b>x"': '<a title=a"b>',
    '<a href=a=">x"': '<a href=a=">',
    '<a x= y="a>b">x': '<a x= y="a>',
    '<a "b>x"': '<a "b>',
    '<a b = >x': '<a b = >',
    '<p>': '<p>',
  };
  for (const [html, tag] of Object.entries(cases))
    t.equal(html.slice(0, endOfTag(html, 0)), tag, html);
  t.equal(
    htmlToText('<a href = "https://x.example/?q=a>b">Go</a> now'),
    'Go (https://x.example/?q=a>b) now',
  );
});

t.test('hostile HTML is read in linear time', async (t) => {
  for (const unit of [
    '<',
    '<a ',
    '<a "',
    '<!--',
    '<script>',
    '&#',
    '</',
    '<p ',
    ' ',
    '\n',
    '<a href="',
    '<a = ',
    '&eacute',
    '&amp;',
  ]) {
    const html = unit.repeat(262_144 / unit.length);
    t.ok(htmlToText(html).length <= html.length, JSON.stringify(unit));
  }
});

t.test('ten thousand links cost what their letters do', async (t) => {
  // Measured: four times the text takes a quadratic reader 100 times as long, a linear one four.
  const html = (links: number) => `<p>${'<a href="https://a.b/c">x</a>'.repeat(links)}`;
  const bestMs = (links: number) => {
    const times = [1, 2, 3, 4].map(() => {
      const startMs = performance.now();
      htmlToText(html(links));
      return performance.now() - startMs;
    });
    return Math.min(...times);
  };
  const quarterMs = bestMs(4_500);
  const wholeMs = bestMs(18_000);
  t.ok(wholeMs < 25 * quarterMs, `${wholeMs} ms, and ${quarterMs} ms for a quarter`);
});
