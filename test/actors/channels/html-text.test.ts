import t from 'tap';
import { htmlToText } from '../../../actors/channels/html-text.ts';

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
