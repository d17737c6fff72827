import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import t from 'tap';
import { trackedHtml } from '../../../../actors/channels/email/tracked-links.ts';
import {
  readTracked,
  tokenWriter,
  trackedUrlBytesMax,
} from '../../../../actors/channels/email/tracked-token.ts';
import { HmacSha256 } from '../../../../engine/base/hmac.ts';
import { formatId, type IdPrefix } from '../../../../engine/base/id.ts';
import { tries } from '../../../support/tries.ts';

const key = new HmacSha256(new Uint8Array(32).fill(1));
const uint = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
const anyId = (prefix: IdPrefix, ordinal: number) =>
  fc
    .record({ atMs: uint(48), high16: uint(16), low32: uint(32) })
    .map((parts) => formatId(prefix, { ordinal, ...parts }));
const anyMail = uint(32).chain((app) =>
  fc.record(
    {
      app: fc.constant(app),
      sendId: anyId('ntf', app),
      deviceId: anyId('dev', app),
      person: uint(32),
      journeyId: anyId('jrn', app),
    },
    { requiredKeys: ['app', 'sendId', 'deviceId', 'person'] },
  ),
);
const anyUrl = fc.webUrl({ withQueryParameters: true, withFragments: true, size: 'medium' });

t.test('a token says what it was made of, and which of several keys made it', async (t) => {
  fc.assert(
    fc.property(anyMail, anyUrl, (mail, url) => {
      const tokens = tokenWriter(mail, key);
      if (tokens === undefined) throw new Error('not written');
      const keys = [new HmacSha256(new Uint8Array(32)), key];
      const opened = readTracked(tokens.opened(), keys);
      t.same(opened, { ...mail, kind: 'opened', mark: opened?.mark });
      const clicked = readTracked(tokens.clicked(url), keys);
      t.same(clicked, { ...mail, kind: 'clicked', url, mark: clicked?.mark });
      t.not(opened?.mark, clicked?.mark);
      t.equal(tokens.clicked(url), tokens.clicked(url), 'a repeated mail is the same bytes');
    }),
  );
});

t.test('a token with any letter changed, cut or added is not ours', async (t) => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  fc.assert(
    fc.property(anyMail, anyUrl, uint(16), fc.constantFrom(...letters), (mail, url, at, letter) => {
      const token = tokenWriter(mail, key)?.clicked(url) as string;
      const place = at % token.length;
      const before = token.slice(0, place);
      const others = [before + letter + token.slice(place + 1), before, token + letter];
      for (const other of others)
        if (other !== token) t.equal(readTracked(other, [key]), undefined, other);
    }),
  );
  t.equal(readTracked('', [key]), undefined);
  t.equal(readTracked(`${'A'.repeat(70)}=`, [key]), undefined);
});

t.test('ids that are not of our making have no token', async (t) => {
  const mail = { sendId: 'ntf_preview', deviceId: 'dev_preview', person: 1 };
  t.equal(tokenWriter(mail, key), undefined);
});

const marks = { clickUrl: (url: string) => `https://e.test/c/${Buffer.from(url).toString('hex')}` };
const track = (html: string) => trackedHtml(html, marks, (url) => url.endsWith('/u/stay'));
const to = (url: string) => `"${marks.clickUrl(url)}"`;

t.test('links to the web pass through us, everything else stays as it is', async (t) => {
  const a = 'https://a.test/';
  const cases: [html: string, expected: string][] = [
    [`<a href="${a}">x</a>`, `<a href=${to(a)}>x</a>`],
    [`<a href='${a}'>x</a>`, `<a href=${to(a)}>x</a>`],
    [`<a href=${a}>x</a>`, `<a href=${to(a)}>x</a>`],
    [`<A class="b" HREF = "${a}" id=c>x</A>`, `<A class="b" HREF = ${to(a)} id=c>x</A>`],
    [`<a\n href="${a}"\n>x</a>`, `<a\n href=${to(a)}\n>x</a>`],
    [`<area shape="rect" href="${a}">`, `<area shape="rect" href=${to(a)}>`],
    [`<a href="${a}?b=1&amp;c=2">x</a>`, `<a href=${to(`${a}?b=1&c=2`)}>x</a>`],
    [`<a href="HTTP://A.test">x</a>`, `<a href=${to('HTTP://A.test')}>x</a>`],
    [`<a href=" ${a} ">x</a>`, `<a href=${to(a)}>x</a>`],
    [`<a href="${a}ü">x</a>`, `<a href=${to(`${a}%C3%BC`)}>x</a>`],
    [`<a title="href=${a}" href="${a}b">x</a>`, `<a title="href=${a}" href=${to(`${a}b`)}>x</a>`],
    [`<a data-href="${a}">x</a>`, `<a data-href="${a}">x</a>`],
    [
      `<!--[if mso]><a href="${a}">x</a><![endif]-->`,
      `<!--[if mso]><a href=${to(a)}>x</a><![endif]-->`,
    ],
    [`<a href="${a}u/stay">x</a>`, `<a href="${a}u/stay">x</a>`],
    [`<link href="${a}"><img src="${a}">`, `<link href="${a}"><img src="${a}">`],
    [`<abbr href="${a}">`, `<abbr href="${a}">`],
    ...[
      'mailto:a@b.test',
      'tel:+123',
      '#top',
      '/path',
      'shop://open',
      'javascript:x',
      '',
      'http://',
    ].map((href): [string, string] => [`<a href="${href}">x</a>`, `<a href="${href}">x</a>`]),
    [`<a href="${a}`, `<a href="${a}`],
    ['<a', '<a'],
    ['<a >x', '<a >x'],
  ];
  for (const [html, expected] of cases) t.equal(track(html), expected);
  const long = `${a}${'x'.repeat(trackedUrlBytesMax)}`;
  t.equal(track(`<a href="${long}">x</a>`), `<a href="${long}">x</a>`);
});

t.test(
  'each of several links is its own, and the pixel is the last thing of the body',
  async (t) => {
    const html =
      '<body><a href="https://a.test/1">1</a> and <a href="https://a.test/2">2</a></body></html>';
    const tracked = trackedHtml(html, { ...marks, openUrl: 'https://e.test/o/1.gif' }, () => false);
    t.match(tracked, to('https://a.test/1'));
    t.match(tracked, to('https://a.test/2'));
    t.match(tracked, /<img src="https:\/\/e\.test\/o\/1\.gif"[^>]*><\/body><\/html>$/);
    t.equal(
      trackedHtml(html, {}, () => false),
      html,
      'without marks nothing changes',
    );
  },
);

t.test('every link that a reader’s program finds is led through us', async (t) => {
  const attribute = fc.constantFrom('', ' class="a>b"', " title='x'", ' id=z', ' download');
  const link = fc.tuple(attribute, anyUrl, attribute, fc.constantFrom('"', "'"));
  await fc.assert(
    fc.asyncProperty(fc.array(link, { maxLength: 5 }), async (all) => {
      const escaped = (url: string) => url.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
      const html = all
        .map(([a, url, b, quote]) => `<p><a${a} href=${quote}${escaped(url)}${quote}${b}>x</a></p>`)
        .join('');
      const source = `Content-Type: text/html\r\n\r\n${track(html)}`;
      const { text } = await simpleParser(source);
      for (const [, url] of all) t.ok(text?.includes(marks.clickUrl(url)), url);
    }),
    { numRuns: tries(50) },
  );
});

t.test('HTML of any form is worked off in time that grows with its length', async (t) => {
  const sizes = [50_000, 400_000];
  for (const piece of [
    '<a ',
    '<a href="',
    '<a x="',
    "<a href='>",
    '<a href=https://a.test/>',
    '<a\n',
  ]) {
    const times = sizes.map((size) => {
      const html = piece.repeat(Math.ceil(size / piece.length));
      const startedNs = process.hrtime.bigint();
      track(html);
      return Number(process.hrtime.bigint() - startedNs) / 1e6;
    });
    t.ok((times[1] as number) < 1_000, `${piece}: ${times.map(Math.round)} ms`);
  }
});
