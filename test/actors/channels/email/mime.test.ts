// The MIME writer, the DKIM signer and the plain text of HTML, each against a judge: mailparser
// reads back what was written, nodemailer signs the same bytes.

import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import DKIM from 'nodemailer/lib/dkim';
import t from 'tap';
import { createDkimSigner } from '../../../../actors/channels/email/dkim.ts';
import { type Mail, writeMail } from '../../../../actors/channels/email/mime.ts';
import { htmlToText } from '../../../../actors/channels/port/html-text.ts';
import { tries } from '../../../support/tries.ts';

const mail: Mail = {
  fromName: 'Shop',
  fromAddress: 'shop@example.com',
  to: 'person@example.net',
  subject: 'Your order',
  dateMs: Date.UTC(2026, 10, 21, 12, 34, 56),
  messageId: 'ntf_1.dev_1@example.com',
  headers: [
    ['List-Unsubscribe', `<https://engage.example.com/u/${'x'.repeat(120)}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ],
  text: 'Hello',
  html: '<p>Hello</p>',
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaPem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

t.test('whatever is written, a reader reads', async () => {
  const printable = fc
    .string({ unit: 'grapheme', maxLength: 120 })
    .map((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, ''));
  const body = fc.string({
    unit: fc.constantFrom('a', 'é', '日', '🙂', '.', '=', ' ', '\t', '\n', '\r\n', '-', '--=_'),
    maxLength: 400,
  });
  await fc.assert(
    fc.asyncProperty(printable, printable, body, body, async (subject, fromName, text, html) => {
      const raw = writeMail(
        { ...mail, subject, fromName, text, html: `<p>${html}</p>` },
        undefined,
      );
      if (!/^[\t\r\n\x20-\x7e]*$/.test(raw) || /[^\r]\n|\r[^\n]/.test(raw)) return false;
      if (raw.split('\r\n').some((line) => line.length > 998)) return false;
      const read = await simpleParser(raw, { skipTextToHtml: true, skipHtmlToText: true });
      const lines = (value: string) => value.replace(/\r\n|\r|\n/g, '\n').replace(/\n$/, '');
      const blanks = (value: string) => value.replace(/\s+/g, ' ').trim();
      return (
        blanks(read.subject ?? '') === blanks(subject) &&
        read.from?.value.length === 1 &&
        read.from.value[0]?.address === 'shop@example.com' &&
        blanks(read.from.value[0]?.name ?? '') === blanks(fromName) &&
        lines(read.text ?? '') === lines(text) &&
        lines(String(read.html)) === lines(`<p>${html}</p>`)
      );
    }),
    { seed: 5322, numRuns: tries(300) },
  );
});

t.test('a control character in a header is a bug that stops the writer', async (t) => {
  t.throws(
    () => writeMail({ ...mail, subject: 'a\r\nBcc: x@example.com' }, undefined),
    /control character/,
  );
  t.throws(
    () => writeMail({ ...mail, fromName: 'é\nBcc: x@example.com' }, undefined),
    /control character/,
  );
  t.throws(
    () => writeMail({ ...mail, to: 'a@b.c\r\nBcc: x@example.com' }, undefined),
    /control character/,
  );
});

const read = async (stream: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};

t.test('the signature is the one that nodemailer makes', async (t) => {
  const config = { domain: 'example.com', selector: 's1', privateKey: rsaPem };
  const judge = new DKIM({
    domainName: 'example.com',
    keySelector: 's1',
    privateKey: rsaPem,
    headerFieldNames:
      'from:sender:reply-to:subject:date:message-id:to:cc:mime-version:content-type:' +
      'content-transfer-encoding:list-id:list-unsubscribe:list-unsubscribe-post:feedback-id',
  });
  const signer = createDkimSigner(config);
  const bodies = [
    'Hello',
    '',
    'a  b \t c \n\n\n',
    'no end',
    'é日\n.\n..\n',
    `${'x '.repeat(600)}\n\n`,
  ];
  for (const text of bodies) {
    const unsigned = writeMail({ ...mail, subject: `Grüße ${text.length}`, text }, undefined);
    const signed = writeMail({ ...mail, subject: `Grüße ${text.length}`, text }, signer);
    t.equal(signed, await read(judge.sign(unsigned)), JSON.stringify(text.slice(0, 20)));
  }
  const signed = writeMail(mail, signer);
  t.match(
    signed.replace(/\r\n /g, ''),
    /h=from:subject:date:message-id:to:mime-version:content-type:list-unsubscribe:list-unsubscribe-post;/,
  );
});

t.test('an Ed25519 signature verifies over the hash of what it covers', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = createDkimSigner({ domain: 'example.com', selector: 'ed', privateKey: pem });
  const header = signer(['From: a@example.com', 'Subject: x'], ['hi\r\n']);
  t.match(header, /a=ed25519-sha256/);
  const [, tags = '', signature = ''] =
    /^DKIM-Signature: (.*b=)([^=]+=*)$/.exec(header.replace(/\r\n /g, ' ')) ?? [];
  const covered = `from:a@example.com\r\nsubject:x\r\ndkim-signature:${tags.trim()}`;
  const digest = createHash('sha256').update(covered).digest();
  t.ok(
    verify(
      null,
      digest,
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature.replaceAll(' ', ''), 'base64'),
    ),
  );
  t.throws(() => createDkimSigner({ domain: 'a', selector: 'b', privateKey: 'nonsense' }));
});

t.test('HTML becomes text that can be read', async (t) => {
  const examples: [string, string][] = [
    ['<p>Hello <b>world</b></p><p>Second</p>', 'Hello world\n\nSecond'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['<a href="https://x.example/?a=1&amp;b=2">here</a>', 'here (https://x.example/?a=1&b=2)'],
    ['<a href="https://x.example">https://x.example</a>', 'https://x.example'],
    ['<a href="javascript:x">here</a>', 'here'],
    ['<a href="https://x.example"><img src="y" alt="Sale"></a>', 'Sale (https://x.example)'],
    ['<style>p{}</style><script>alert("</p>")</script>x<!-- <p>no</p> -->y', 'xy'],
    ['<head><title>T</title></head><body>x</body>', 'x'],
    [
      '1 &lt; 2 &amp;&amp; &quot;a&quot; &#39;b&#39; &#x1F642; &nbsp;&euro; &unknown; &#0;',
      '1 < 2 && "a" \'b\' 🙂 € &unknown;',
    ],
    ['<p title="a > b">x</p>', 'x'],
    ['  lots \n\n of   space ', 'lots of space'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
    ['5 < 6 <notatag', '5 < 6'],
    ['', ''],
    ['<', '<'],
    ['<p', ''],
  ];
  for (const [html, text] of examples) t.equal(htmlToText(html), text, html.slice(0, 40));
});

t.test('no HTML takes long to read', async (t) => {
  const startMs = performance.now();
  for (const evil of [
    '<'.repeat(100_000),
    '<p '.repeat(50_000),
    '<a href="'.repeat(20_000),
    '<style>'.repeat(20_000),
    '<!--'.repeat(30_000),
    '&#'.repeat(50_000),
    '\n '.repeat(50_000),
    '<style></style '.repeat(10_000),
  ]) {
    htmlToText(evil);
  }
  t.ok(performance.now() - startMs < 1_500, `${Math.round(performance.now() - startMs)} ms`);
});
