// Writes one email as MIME: a plain text and an HTML part, ASCII on the wire, lines of at most 76
// characters. nodemailer's encoders do the encoding; its composer, which builds a tree of streams
// for every message, is left out because it costs ten times as much, and mailparser holds the
// result to the input in the tests. Easily got wrong: a line break in a header value starts a new
// header. The caller refuses such input; this writer asserts that it did.

import { createHash } from 'node:crypto';
import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { assert } from '../../../engine/base/assert.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { hasControlCharacter } from '../address.ts';
import type { DkimSigner } from './dkim.ts';
import { quotedPrintable } from './quoted-printable.ts';

/** An email in plain words. No value may hold a control character; addresses are ASCII. */
export interface Mail {
  readonly fromName?: string;
  readonly fromAddress: string;
  readonly to: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly dateMs: Millis;
  /**
   * Without angle brackets; also the seed of the part boundary, so that a repeated send is the same
   * bytes.
   */
  readonly messageId: string;
  /** Further headers, ASCII, as they are. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly html: string;
}

const lineCharsMax = 76;
/**
 * A header line may not be longer than 998 characters, and text without blanks cannot be folded.
 */
const plainHeaderCharsMax = 500;

/**
 * The message as it goes to the relay: CRLF line ends, ASCII, a signature on top where there is a
 * signer.
 */
export function writeMail(mail: Mail, signer: DkimSigner | undefined): string {
  const boundary = `=_engage_${createHash('sha256').update(mail.messageId).digest('hex').slice(0, 24)}`;
  const lines = [
    header('From', mailbox(mail.fromName, mail.fromAddress)),
    header('To', mail.to),
    ...(mail.replyTo === undefined ? [] : [header('Reply-To', mail.replyTo)]),
    header('Subject', words(mail.subject)),
    header('Date', new Date(mail.dateMs).toUTCString().replace('GMT', '+0000')),
    header('Message-ID', `<${mail.messageId}>`),
    ...mail.headers.map(([name, value]) => header(name, value)),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
  ];
  // An encoded `=` is followed by two digits, so no encoded body can hold the boundary's `=_`.
  const body =
    `--${boundary}\r\n${part('text/plain', mail.text)}` +
    `--${boundary}\r\n${part('text/html', mail.html)}` +
    `--${boundary}--\r\n`;
  const signature = signer === undefined ? '' : `${signer(lines, body)}\r\n`;
  return `${signature}${lines.join('\r\n')}\r\n\r\n${body}`;
}

function part(type: string, text: string): string {
  const encoded = quotedPrintable(text.replace(/\r\n|\r|\n/g, '\r\n'));
  return (
    `Content-Type: ${type}; charset=utf-8\r\n` +
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${encoded}\r\n`
  );
}

function header(name: string, value: string): string {
  assert(!hasControlCharacter(value), `control character in the header ${name}`);
  return foldLines(`${name}: ${value}`, lineCharsMax);
}

function mailbox(name: string | undefined, address: string): string {
  if (name === undefined || name === '') return address;
  if (/^[\w ]*$/.test(name) && name.length <= plainHeaderCharsMax) return `${name} <${address}>`;
  return `${isPlain(name) ? quoteString(name) : encoded(name)} <${address}>`;
}

/** Text as header words: as it is where that is safe, otherwise as encoded words (RFC 2047). */
function words(text: string): string {
  // Text that looks like an encoded word would be decoded by the reader.
  return isPlain(text) && !text.includes('=?') ? text : encoded(text);
}

function encoded(text: string): string {
  assert(!hasControlCharacter(text), 'control character in a header');
  return encodeWord(text, 'Q', 52);
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && text.length <= plainHeaderCharsMax;
}
