// Writes one email as MIME: text, HTML and files, ASCII, lines of at most 76 characters.
// nodemailer's encoders encode; its composer costs ten times as much. The caller refuses line
// breaks in header values; this writer asserts it.

import { hash } from 'node:crypto';
import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs';
import { assert } from '../../../engine/base/assert.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { hasControlCharacter } from '../addresses/address.ts';
import { attachedHead, base64Lines, type MailAttachment, type MailPiece } from './attached.ts';
import type { DkimSigner } from './dkim.ts';
import { foldedHeader } from './folded-header.ts';
import { quotedPrintable } from './quoted-printable.ts';

/** An email before encoding. No value has a control character; addresses are ASCII. */
export interface Mail {
  readonly fromName?: string;
  readonly fromAddress: string;
  readonly to: string;
  /** Addresses that everybody sees, and addresses that nobody sees. */
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly dateMs: Millis;
  /** Without angle brackets; also seeds the boundary, so that repeats are byte-identical. */
  readonly messageId: string;
  /** In ASCII. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly MailAttachment[];
}

/** A header line has at most 998 characters; text without blanks cannot be folded. */
const plainHeaderCharsMax = 500;

/** The whole message for the relay, in one text (`writePieces`). */
export function writeMail(mail: Mail, signer: DkimSigner | undefined): string {
  return writePieces(mail, signer)
    .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1')))
    .join('');
}

/**
 * The message for the relay: CRLF line ends, ASCII, DKIM-signed if there is a signer. Each piece
 * ends a line, and encoded files are pieces of their own, which need no dot-stuffing.
 */
export function writePieces(
  mail: Mail,
  signer: DkimSigner | undefined,
  encode: (file: MailAttachment) => Uint8Array = ({ content }) => base64Lines(content),
): readonly MailPiece[] {
  const { type, body } = bodyOf(mail, encode);
  const lines = [
    header('From', mailbox(mail.fromName, mail.fromAddress)),
    header('To', mail.to),
    ...(mail.cc === undefined || mail.cc.length === 0 ? [] : [header('Cc', mail.cc.join(', '))]),
    ...(mail.replyTo === undefined ? [] : [header('Reply-To', mail.replyTo)]),
    header('Subject', headerWords(mail.subject)),
    header('Date', new Date(mail.dateMs).toUTCString().replace('GMT', '+0000')),
    header('Message-ID', `<${mail.messageId}>`),
    ...mail.headers.map(([name, value]) => header(name, value)),
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
  ];
  const signature = signer === undefined ? '' : `${signer(lines, body)}\r\n`;
  const [first = '', ...rest] = body;
  return [`${signature}${lines.join('\r\n')}\r\n\r\n${first}`, ...rest];
}

interface Body {
  /** The content type with its boundary. */
  readonly type: string;
  /** The first is a text. */
  readonly body: readonly MailPiece[];
}

/** Text and HTML as alternatives; pictures within the HTML beside it; files behind all. */
function bodyOf(
  { messageId, text, html, attachments = [] }: Mail,
  encode: (file: MailAttachment) => Uint8Array,
): Body {
  const seed = hash('sha256', messageId, 'hex').slice(0, 24);
  const files = attachments.filter(({ cid }) => cid === undefined);
  const inline = attachments.filter(({ cid }) => cid !== undefined);
  const htmlPart: MailPiece[] = [part('text/html', html)];
  const related = `=_related_${seed}`;
  if (inline.length > 0)
    htmlPart.unshift(head(`multipart/related; type="text/html"`, related), `--${related}\r\n`);
  for (const file of inline)
    htmlPart.push(`--${related}\r\n${attachedHead(file)}`, encode(file), '\r\n');
  if (inline.length > 0) htmlPart.push(`--${related}--\r\n`);

  // Two digits follow an encoded `=`, and base64 has no `_`, so no part contains a boundary.
  const boundary = `=_engage_${seed}`;
  const alternative = [
    `--${boundary}\r\n${part('text/plain', text)}--${boundary}\r\n`,
    ...htmlPart,
    `--${boundary}--\r\n`,
  ];
  if (files.length === 0)
    return { type: typeWith('multipart/alternative', boundary), body: merged(alternative) };
  const mixed = `=_mixed_${seed}`;
  const body: MailPiece[] = [
    `--${mixed}\r\n${head('multipart/alternative', boundary)}`,
    ...alternative,
  ];
  for (const file of files) body.push(`--${mixed}\r\n${attachedHead(file)}`, encode(file), '\r\n');
  body.push(`--${mixed}--\r\n`);
  return { type: typeWith('multipart/mixed', mixed), body: merged(body) };
}

function typeWith(type: string, boundary: string): string {
  return `${type};\r\n boundary="${boundary}"`;
}

function head(type: string, boundary: string): string {
  return `Content-Type: ${typeWith(type, boundary)}\r\n\r\n`;
}

/** Neighboring texts as one. */
function merged(pieces: readonly MailPiece[]): readonly MailPiece[] {
  const fewer: MailPiece[] = [];
  for (const piece of pieces) {
    const last = fewer.at(-1);
    if (typeof piece === 'string' && typeof last === 'string')
      fewer[fewer.length - 1] = last + piece;
    else fewer.push(piece);
  }
  return fewer;
}

function part(type: string, text: string): string {
  return (
    `Content-Type: ${type}; charset=utf-8\r\n` +
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}\r\n`
  );
}

function header(name: string, value: string): string {
  assert(!hasControlCharacter(value), `control character in the header ${name}`);
  return foldedHeader(`${name}: ${value}`);
}

function mailbox(name: string | undefined, address: string): string {
  if (name === undefined || name === '') return address;
  if (/^[\w ]*$/.test(name) && name.length <= plainHeaderCharsMax) return `${name} <${address}>`;
  return `${isPlain(name) ? quoteString(name) : encoded(name)} <${address}>`;
}

/** Header text: unchanged if safe, otherwise encoded headerWords (RFC 2047). */
export function headerWords(text: string): string {
  // A reader would decode text that looks like an encoded word.
  return isPlain(text) && !text.includes('=?') ? text : encoded(text);
}

function encoded(text: string): string {
  assert(!hasControlCharacter(text), 'control character in a header');
  return encodeWord(text, 'Q', 52);
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && text.length <= plainHeaderCharsMax;
}
