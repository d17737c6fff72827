import fc from 'fast-check';
import t from 'tap';
import { htmlToText } from '../../../../actors/channels/port/html-text.ts';
import { isHtml, textToHtml } from '../../../../actors/content/liquid/html-text.ts';
import { hasValueInTag, refusedLinkIn } from '../../../../actors/content/shape/html-links.ts';
import { tries } from '../../../support/tries.ts';

t.test('HTML is what holds a tag, a comment or a doctype', async (t) => {
  for (const html of [
    '<p>Hi</p>',
    'Hi<br>',
    'a <b>b</b>',
    '<!doctype html>',
    '<!-- x -->',
    '<a href="x">',
    '</p>',
    '<P>one<P>two',
    '<TABLE width=600>',
    'code: <code>42</code>',
    'a <b>bold</B> word',
  ])
    t.ok(isHtml(html), html);
  const texts = [
    ...['Hi', 'a < b', 'I <3 you', '1<2 and 3>2', 'x <- y', '<>', '{{ a }}', '&amp;'],
    ...[
      'Press <Enter>',
      'Hello <your name>,',
      '<my-tag/>',
      'mail <me@example.com>',
      '<https://a.b/c>',
    ],
    ...['Your code: <code>\nSee you', 'at <time> in <address>', '<b', '< b >x</ b>'],
  ];
  for (const text of texts) t.notOk(isHtml(text), text);
  t.notOk(isHtml('<code>'.repeat(40_000)), 'in linear time');
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
    { seed: 3, numRuns: tries(1_000) },
  );
});

t.test('links are checked in linear time', async (t) => {
  const started = process.hrtime.bigint();
  const many = '<a href="javascript:x">'.repeat(10_000);
  t.equal(refusedLinkIn(many, many), undefined);
  t.equal(refusedLinkIn(many, '{{ x }}'), 'javascript');
  for (const text of ['='.repeat(250_000), '<a '.repeat(80_000), '<a href '.repeat(30_000)])
    t.notOk(hasValueInTag(text));
  t.ok(process.hrtime.bigint() - started < 5_000_000_000n);
});
