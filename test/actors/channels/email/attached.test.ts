// Files in a mail, against a judge: mailparser reads back names and bytes as they were given, and
// nodemailer signs the same bytes.

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import DKIM from 'nodemailer/lib/dkim';
import t from 'tap';
import {
  base64Length,
  base64Slices,
  EncodedFiles,
  type MailAttachment,
} from '../../../../actors/channels/email/attached.ts';
import { createDkimSigner } from '../../../../actors/channels/email/dkim.ts';
import { type Mail, writeMail, writePieces } from '../../../../actors/channels/email/mime.ts';
import { tries } from '../../../support/tries.ts';

const mail: Mail = {
  fromAddress: 'shop@example.com',
  to: 'person@example.net',
  subject: 'Your invoice',
  dateMs: Date.UTC(2026, 10, 21, 12, 34, 56),
  messageId: 'ntf_1.dev_1@example.com',
  headers: [],
  text: 'Hello',
  html: '<p>Hello <img src="cid:logo"></p>',
};
const pdf = (content: Uint8Array, filename = 'invoice.pdf'): MailAttachment => ({
  filename,
  contentType: 'application/pdf',
  content,
});

const readBack = async (attachments: readonly MailAttachment[]) => {
  const raw = writeMail({ ...mail, attachments }, undefined);
  if (!/^[\t\r\n\x20-\x7e]*$/.test(raw) || /[^\r]\n|\r[^\n]/.test(raw)) return 'not CRLF';
  const long = raw.split('\r\n').find((line) => line.length > 78);
  if (long !== undefined) return `a line of ${long.length} characters`;
  const read = await simpleParser(raw, { skipTextToHtml: true, skipImageLinks: true });
  return { read, files: read.attachments };
};

t.test('names and bytes of files are read as they were given', async () => {
  const name = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(
          'a',
          'hóa đơn',
          'ạ',
          '日',
          '🧾',
          '👩‍👩‍👧',
          '"',
          '%',
          "'",
          '*',
          ';',
          '=?',
          ' ',
          '.',
        ),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 60,
    })
    .map((text) => `x${text.replace(/[\p{Cc}\p{Cs}\u2028\u2029/\\]/gu, '')}x.pdf`);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, fc.uint8Array({ maxLength: 300 })), { minLength: 1, maxLength: 4 }),
      async (given) => {
        const back = await readBack(given.map(([filename, content]) => pdf(content, filename)));
        if (typeof back === 'string') throw new Error(back);
        if (back.read.text?.trim() !== 'Hello') throw new Error('the text is lost');
        for (const [i, [filename, content]] of given.entries()) {
          const file = back.files[i];
          if (file?.filename !== filename) throw new Error(`${file?.filename} is not ${filename}`);
          if (!Buffer.from(content).equals(file.content)) throw new Error('other bytes');
          if (file.contentDisposition !== 'attachment') throw new Error('not an attachment');
        }
      },
    ),
    { numRuns: tries(60) },
  );
});

t.test('a picture within the text is beside it, and files are behind both', async (t) => {
  const logo = { ...pdf(Buffer.from('png'), 'logo.png'), contentType: 'image/png', cid: 'logo' };
  for (const attachments of [[logo], [logo, pdf(Buffer.from('%PDF-'))]]) {
    const back = await readBack(attachments);
    if (typeof back === 'string') throw new Error(back);
    t.match(back.files[0], { cid: 'logo', related: true, contentDisposition: 'inline' });
    t.equal(back.files.length, attachments.length);
    t.match(back.read.html, /cid:logo/);
    t.equal(back.read.text?.trim(), 'Hello');
  }
});

t.test('a mail with files is signed as nodemailer signs it', async (t) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const config = { domain: 'example.com', selector: 's1', privateKey: pem };
  const judge = new DKIM({ domainName: 'example.com', keySelector: 's1', privateKey: pem });
  const many = {
    ...mail,
    cc: ['a@example.org', 'b@example.org'],
    text: 'a  b \n\n',
    attachments: [pdf(Buffer.alloc(10_000, 7)), { ...pdf(Buffer.from('x')), cid: 'logo' }],
  };
  const chunks: Buffer[] = [];
  for await (const chunk of judge.sign(writeMail(many, undefined))) chunks.push(Buffer.from(chunk));
  const signed = Buffer.concat(chunks).toString('latin1');
  const ours = writeMail(many, createDkimSigner(config));
  const hashOf = (text: string) => /bh=([^;]+);/.exec(text.replaceAll(/\r\n\s*/g, ''))?.[1];
  t.ok(hashOf(ours));
  t.equal(hashOf(ours), hashOf(signed));
});

t.test('a file is encoded once for all mails, within a bound of bytes', async (t) => {
  const encoded = new EncodedFiles(4_000);
  const file = (hash: string) => ({ ...pdf(Buffer.alloc(1_200, hash)), hash });
  const first = encoded.of(file('a'));
  t.equal(encoded.of(file('a')), first);
  const [, piece] = writePieces({ ...mail, attachments: [file('a')] }, undefined, (one) =>
    encoded.of(one),
  );
  t.equal(piece, first, 'no copy in a mail');
  encoded.of(file('b'));
  encoded.of(file('a'));
  encoded.of(file('c'));
  t.equal(encoded.of(file('a')), first, 'the latest used stays');
  encoded.of(file('d'));
  encoded.of(file('e'));
  t.not(encoded.of(file('a')), first, 'the oldest went');
});

t.test('copies that nobody sees are in no header', async (t) => {
  const raw = writeMail({ ...mail, cc: ['c@example.org'], bcc: ['b@example.org'] }, undefined);
  t.match(raw, /^Cc: c@example\.org\r$/m);
  t.notMatch(raw, 'b@example.org');
});

t.test('slices of base64 are the base64 of all pieces, wherever these are cut', (t) => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 7 }),
    fc.string({ maxLength: 5, unit: 'grapheme-ascii' }),
    fc.integer({ min: 49_150, max: 98_310 }).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const whole = Buffer.concat(pieces.map((one) => Buffer.from(one as string, 'latin1')));
      const encoded = Buffer.concat([...base64Slices(pieces)]).toString('latin1');
      if (encoded !== whole.toString('base64')) throw new Error(`${encoded.length} characters`);
      if (encoded.length !== base64Length(whole.length)) throw new Error('another length');
    }),
    { numRuns: tries(300) },
  );
  t.end();
});
