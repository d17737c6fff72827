import fc from 'fast-check';
import t from 'tap';
import { framed } from '../../../../actors/channels/email/frame.ts';
import { composeMail } from '../../../../actors/channels/email/message.ts';
import { htmlToText } from '../../../../actors/channels/port/html-text.ts';
import { renderContent } from '../../../../actors/content/render/render-message.ts';
import { tries } from '../../../support/tries.ts';
import { anAttempt } from '../stand-ins.ts';

function mailOf(body: string, over: Parameters<typeof anAttempt>[0] = {}) {
  const given = anAttempt({ channel: 'email', endpoint: 'ada@example.com', lane: 'bulk', ...over });
  const context = {
    variables: {},
    tags: { first_name: '<i>Ada</i>' },
    subscriber: { id: '', tags: {} },
    app: { name: 'Shop' },
  };
  const how = { lane: 'marketing', email: true, nowMs: 0 } as const;
  const made = renderContent({ title: 'Hi', body }, context, how);
  if ('fault' in made) throw new Error(made.fault.message);
  const { email } = made.rendered;
  const mail = composeMail(
    { ...given, content: { ...given.content, ...email, ...over.content, body: email?.body ?? '' } },
    undefined,
  );
  if ('outcome' in mail) throw new Error(mail.reason);
  return mail;
}

t.test('a body without tags is text: its lines and its signs stay', async (t) => {
  const body = 'Hello {{ first_name }},\n\npress <Enter> & go.\n1 < 2';
  const { html, text } = mailOf(body);
  t.match(
    html,
    'Hello &lt;i&gt;Ada&lt;/i&gt;,<br>\n<br>\npress &lt;Enter&gt; &amp; go.<br>\n1 &lt; 2',
  );
  t.ok(text.startsWith('Hello <i>Ada</i>,\n\npress <Enter> & go.\n1 < 2\n'), text);
});

t.test('a body that is no document stands in a column, in the reader’s language', async (t) => {
  const { html } = mailOf('<p>Hi</p>', {
    language: 'ar',
    content: { image: 'https://a.example/b.png' },
  });
  t.match(html, /^<!doctype html>\n<html lang="ar">/);
  for (const part of ['max-width:600px', 'system', 'prefers-color-scheme:dark', 'dir="auto"'])
    t.match(html, part);
  t.ok(html.indexOf('b.png') < html.indexOf('<p>Hi</p>'));
  t.equal(html.match(/<body/g)?.length, 1);
});

t.test('a document keeps its own look, and gets what is added within', async (t) => {
  const link = { deepLink: 'https://shop.example/1' };
  const documents = [
    '<html><body bgcolor="#eee"><p>Hi</p></body></html>',
    '<!doctype html><html><head><style>p{color:red}</style></head><p>Hi</p></html>',
    '<HTML><p>Hi</p>',
    '<body><p>Hi</p>',
  ];
  for (const body of documents) {
    const { html } = mailOf(body, { content: link });
    t.notMatch(html, /max-width:600px/, body);
    t.ok(html.indexOf('<p>Hi</p>') < html.indexOf('shop.example/1'), body);
    const end = /<\/(?:body|html)>/i.exec(html)?.index ?? html.length;
    t.ok(html.indexOf('shop.example/1') < end, body);
    t.ok(html.includes(body.replace(/<p>[\s\S]*/, '')), 'its own head stays');
  }
});

t.test('a document may say where buttons and the unsubscribe link go', async (t) => {
  const { html } = mailOf('<html><body><p>Hi</p><!--engage:end--><p>Bye</p></body></html>', {
    content: { deepLink: 'https://shop.example/1' },
  });
  const places = ['<p>Hi</p>', 'shop.example/1', 'Unsubscribe', '<p>Bye</p>'];
  const at = places.map((one) => html.indexOf(one));
  t.strictSame(
    at,
    [...at].sort((a, b) => a - b),
  );
  t.ok(at.every((one) => one >= 0));
  t.notMatch(html, 'engage:end');
});

t.test('the frame adds nothing to the plain text, whatever it holds', async () => {
  const pieces = [
    '<',
    '>',
    '"',
    "'",
    '=',
    ' ',
    '\n',
    'a',
    '<a href=',
    '<a href="https://a.example">',
    '</a>',
    '<p>',
    '</p>',
    '<li>',
    '<!--',
    '<style>',
    '&amp;',
    '&zwnj;',
  ];
  const html = fc
    .array(fc.constantFrom(...pieces), { maxLength: 25 })
    .map((chosen) => chosen.join(''));
  fc.assert(
    fc.property(html, (inside) => htmlToText(framed(inside, 'en')) === htmlToText(inside)),
    { numRuns: tries(3000) },
  );
});
