// Writes one email as MIME: text and HTML parts, ASCII, lines of at most 76 characters.
// nodemailer's encoders encode; its composer costs ten times as much. The caller refuses line
// breaks in header values; this writer asserts it.

import { createHash } from 'node:crypto';
import { encodeWord, foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { assert } from '../../../engine/base/assert.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { hasControlCharacter } from '../addresses/address.ts';
import type { DkimSigner } from './dkim.ts';
import { quotedPrintable } from './quoted-printable.ts';

/** A file of a mail. With `cid` it stands within the HTML part, which names it `cid:<cid>`. */
export interface MailAttachment {
  readonly filename: string;
  /** `type/subtype`, without parameters. */
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly cid?: string;
}

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

const lineCharsMax = 76;
/** A header line has at most 998 characters; text without blanks cannot be folded. */
const plainHeaderCharsMax = 500;

/** The message for the relay: CRLF line ends, ASCII, DKIM-signed if there is a signer. */
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
  // Two digits follow an encoded `=`, so no encoded body contains the boundary's `=_`.
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

/** Header text: unchanged if safe, otherwise encoded words (RFC 2047). */
function words(text: string): string {
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
