import t from 'tap';
import { colorsOf, preheaderOf } from '../../sandbox/email/mail-html.ts';

t.test('the preview text is the first words of a mail, hidden ones too', async (t) => {
  t.equal(
    preheaderOf(
      '<html><head><style>p{}</style><title>T</title></head><body><!-- c --><div style="display:none">Soon &amp; safe&zwnj;&#847;&nbsp;</div><p>Hello</p>',
    ),
    'Soon & safe Hello',
  );
  t.equal(preheaderOf('<img src="x">'), undefined);
  const long = preheaderOf(`<p>${'word '.repeat(100)}</p>`) ?? '';
  t.match(long, /^(word )+word…$/);
  t.ok(long.length < 120);
  t.equal(preheaderOf('<p>&#x110000; &#0; &bogus;</p>'), '\ufffd \ufffd &bogus;');
  t.equal(preheaderOf('<p>Caf&eacute; &Eacute;&frac12; &amp;eacute;</p>'), 'Café É½ &eacute;');
});

t.test('a mail follows a dark reader if it says so, or has no colors', async (t) => {
  t.equal(colorsOf('<p>Hello</p>'), 'light dark');
  t.equal(colorsOf('<p style="color:#333">Hello</p>'), 'light');
  t.equal(colorsOf('<td bgcolor="#fff">Hello</td>'), 'light');
  t.equal(
    colorsOf('<meta name="color-scheme" content="light dark"><p style="color:#333">'),
    'light dark',
  );
  t.equal(
    colorsOf('<style>@media (prefers-color-scheme: dark){p{color:#fff}}</style>'),
    'light dark',
  );
});
