// A mail as its reader sees it, from the raw source. Parsed by mailparser when somebody looks, never on the SMTP path;
// only the ids, which the counters need at once, are scanned from the header block.

import { type ParsedMail, simpleParser } from 'mailparser';
import type { Content } from '../message.ts';

/** A mail's ids. */
export interface MailIds {
  readonly sendId?: string;
  readonly deviceId?: string;
}

/** The ids from `X-Engage-Send-Id` and `X-Engage-Device-Id` of a raw mail; both absent from foreign mail. */
export function idsOfSource(source: Buffer): MailIds {
  const end = source.indexOf('\r\n\r\n');
  const header = source.toString('latin1', 0, end === -1 ? source.length : end);
  const sendId = /^x-engage-send-id:\s*(\S+)/im.exec(header)?.[1];
  const deviceId = /^x-engage-device-id:\s*(\S+)/im.exec(header)?.[1];
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

/** The ids in a signed return path, `bounce+<send id>.<device id>.<mac>@…`: all there is when RCPT TO is refused. */
export function idsOfReturnPath(address: string): MailIds {
  const [, sendId, deviceId] = /^bounce\+([^.@]+)\.([^.@]+)\./i.exec(address) ?? [];
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

/** The mail for a reader: subject as title, both bodies, headers in their order, attachments among the details. */
export async function contentOfMail(source: Buffer): Promise<Content> {
  try {
    return contentOf(await simpleParser(source, { skipTextToHtml: true, skipImageLinks: true }));
  } catch (error) {
    return {
      note: `The mail could not be parsed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function contentOf(mail: ParsedMail): Content {
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
  const attachments = mail.attachments.map(
    ({ filename, contentType, size }): readonly [string, string] => [
      'attachment',
      `${filename ?? '(no name)'} · ${contentType} · ${size} B`,
    ],
  );
  return {
    ...(mail.from && { sender: mail.from.text }),
    ...(mail.subject && { title: mail.subject }),
    ...(mail.text && { text: mail.text.trim() }),
    ...(mail.html && { html: mail.html }),
    details: [...attachments, ...headers],
  };
}
