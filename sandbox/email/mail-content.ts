// A mail as its reader sees it. mailparser parses on view, never on the SMTP path; only the ids
// that counters need are scanned from the header at once.

import { type ParsedMail, simpleParser } from 'mailparser';
import { formatId } from '../../engine/base/id.ts';
import type { Content, ContentFile } from '../message.ts';
import { unsignedHeaders } from './dkim-cover.ts';
import { type KeysAt, verifyDkim } from './dkim-verify.ts';
import { preheaderOf } from './mail-html.ts';
import { type LaterReturn, laterReturns } from './returned-mails.ts';

export interface MailIds {
  readonly sendId?: string;
  readonly deviceId?: string;
}

/** `X-Engage-Send-Id` and `X-Engage-Device-Id`; absent in foreign mail. */
export function idsOfSource(source: Buffer): MailIds {
  const end = source.indexOf('\r\n\r\n');
  const header = source.toString('latin1', 0, end === -1 ? source.length : end);
  const sendId = /^x-engage-send-id:\s*(\S+)/im.exec(header)?.[1];
  const deviceId = /^x-engage-device-id:\s*(\S+)/im.exec(header)?.[1];
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

/**
 * The send in a signed return path, `bounce+<36 letters>.<16 letters>@…`, the only source if RCPT
 * TO is refused. Has 32 bits of the app, 42 of the time, 48 more of the send's id, and 58 of person
 * and device that make no id.
 */
export function idsOfReturnPath(address: string): MailIds {
  const [, letters] = /^bounce\+([0-9a-z]{36})\.[0-9a-z]{16}@/i.exec(address) ?? [];
  if (letters === undefined) return {};
  let bits = 0n;
  for (const letter of letters.toLowerCase()) {
    const value = base32.indexOf(letter);
    if (value < 0) return {};
    bits = (bits << 5n) | BigInt(value);
  }
  const take = (from: bigint, count: bigint) => Number((bits >> from) & ((1n << count) - 1n));
  return {
    sendId: formatId('ntf', {
      ordinal: take(148n, 32n),
      atMs: take(106n, 42n),
      high16: take(90n, 16n),
      low32: take(58n, 32n),
    }),
  };
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** For a reader: subject as title, both bodies, headers in order, attachments in the details. */
export async function contentOfMail(
  source: Buffer,
  keysAt: KeysAt,
  later?: LaterReturn,
): Promise<Content> {
  try {
    const parsed = await simpleParser(source, { skipTextToHtml: true });
    const content = contentOf(parsed, signaturesOf(source, keysAt));
    const note = [noteOfSignature(source), noteOfReturn(later)].filter(Boolean).join(' ');
    return note === '' ? content : { ...content, note };
  } catch (error) {
    return {
      note: `The mail could not be parsed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Each signature's domain, and whether a receiver would accept it. */
function signaturesOf(source: Buffer, keysAt: KeysAt): string {
  const results = verifyDkim(source.toString('latin1'), keysAt);
  if (results.length === 0) return 'not signed';
  return results
    .map(({ domain, result, reason, aligned }) => {
      if (result === 'no_key') return `${domain}: signed, but its key is not in the sandbox's DNS`;
      if (result === 'fail') return `${domain}: invalid, ${reason}`;
      return `${domain}: valid${aligned ? '' : ', but not the domain of the sender'}`;
    })
    .join(' · ');
}

function noteOfSignature(source: Buffer): string {
  const end = source.indexOf('\r\n\r\n');
  const lacking = unsignedHeaders(source.toString('latin1', 0, end === -1 ? source.length : end));
  return lacking === undefined || lacking.length === 0
    ? ''
    : `DKIM does not cover ${lacking.join(', ')}: receivers will not honor one-click unsubscribe (RFC 8058).`;
}

function noteOfReturn(later: LaterReturn | undefined): string {
  const says = laterReturns.find(({ prefix }) => prefix === later)?.says;
  return says === undefined ? '' : `This address: ${says}.`;
}

const unnamed = '(no name)';

/** Without pictures of the HTML part, which it shows. */
function filesOf({ attachments }: ParsedMail): ParsedMail['attachments'] {
  return attachments.filter(({ related }) => related !== true);
}

/** A file of a mail by its place among `files`. */
export async function fileOfMail(
  source: Buffer,
  place: number,
): Promise<{ readonly name: string; readonly bytes: Buffer } | undefined> {
  const parsed = await simpleParser(source, { skipTextToHtml: true, skipImageLinks: true });
  const file = filesOf(parsed)[place];
  return file && { name: file.filename ?? 'file', bytes: file.content };
}

function contentOf(mail: ParsedMail, signatures: string): Content {
  const headers = mail.headerLines.map(({ line }): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [
      line.slice(0, colon),
      line
        .slice(colon + 1)
        .replace(/\r?\n\s+/g, ' ')
        .trim(),
    ];
  });
  const files = filesOf(mail).map(({ filename, contentType, size }): ContentFile => {
    return { name: filename ?? unnamed, type: contentType, bytes: size };
  });
  const attachments = mail.attachments.map(
    ({ filename, contentType, size }): readonly [string, string] => [
      'attachment',
      `${filename ?? unnamed} · ${contentType} · ${size} B`,
    ],
  );
  const preheader = mail.html ? preheaderOf(mail.html) : undefined;
  return {
    ...(mail.from && { sender: mail.from.text }),
    ...(mail.subject && { title: mail.subject }),
    ...(mail.text && { text: mail.text.trim() }),
    ...(mail.html && { html: mail.html }),
    ...(preheader !== undefined && { preheader }),
    ...(files.length > 0 && { files }),
    details: [['DKIM', signatures], ...attachments, ...headers],
  };
}
