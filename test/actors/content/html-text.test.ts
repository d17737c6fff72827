import fc from 'fast-check';
import t from 'tap';
import { htmlToText } from '../../../actors/channels/html-text.ts';
import { isHtml, textToHtml } from '../../../actors/content/html-text.ts';

t.test('HTML is what holds a tag, a comment or a doctype', async (t) => {
  for (const html of [
    '<p>Hi</p>',
    'Hi<br>',
    'a <b>b</b>',
    '<!doctype html>',
    '<!-- x -->',
    '<a href="x">',
    '<my-tag/>',
    '</p>',
  ])
    t.ok(isHtml(html), html);
  for (const text of ['Hi', 'a < b', 'I <3 you', '1<2 and 3>2', 'x <- y', '<>', '{{ a }}', '&amp;'])
    t.notOk(isHtml(text), text);
});

t.test('text that is made HTML reads the same', async (t) => {
  t.equal(textToHtml('a < b & "c"\r\nd'), 'a &lt; b &amp; &#34;c&#34;<br>\nd');
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'B', '<', '>', '&', '"', "'", ';', '#', '1', ' ', 'é', '😀'),
      }),
      (text) => {
        return htmlToText(textToHtml(text)) === text.replace(/ +/g, ' ').trim();
      },
    ),
    { seed: 3, numRuns: 1_000 },
  );
});
