// A mail that a service was given as JSON, as its reader sees it.

import { preheaderOf } from '../email/mail-html.ts';
import type { Content } from '../message.ts';

export interface JsonMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly bcc?: readonly string[] | undefined;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Content in base64. */
  readonly files: readonly {
    readonly name: string;
    readonly type?: string | undefined;
    readonly content: string;
  }[];
  /** Tags and metadata. */
  readonly echoed: Readonly<Record<string, string>>;
}

/** `X-Engage-Send-Id` and `X-Engage-Device-Id`; absent in foreign mail. */
export function idsOfJsonMail({ headers }: JsonMail): { sendId?: string; deviceId?: string } {
  const named = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const sendId = named('x-engage-send-id');
  const deviceId = named('x-engage-device-id');
  return { ...(sendId && { sendId }), ...(deviceId && { deviceId }) };
}

export function contentOfJsonMail(mail: JsonMail): Content {
  const { from, to, cc = [], bcc = [], replyTo, subject, text, html, headers, files } = mail;
  const preheader = html === undefined ? undefined : preheaderOf(html);
  const list = (name: string, addresses: readonly string[]) =>
    addresses.length === 0 ? [] : [[name, addresses.join(', ')] as const];
  return {
    sender: from,
    title: subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(preheader !== undefined && { preheader }),
    details: [
      ...files.map(
        ({ name, type, content }) =>
          [
            'attachment',
            `${name}${type === undefined ? '' : ` · ${type}`} · ${Buffer.byteLength(content, 'base64')} B`,
          ] as const,
      ),
      ['From', from],
      ...list('To', to),
      ...list('Cc', cc),
      ...list('Bcc', bcc),
      ...list('Reply-To', replyTo === undefined ? [] : [replyTo]),
      ['Subject', subject],
      ...headers,
      ...Object.entries(mail.echoed),
    ],
  };
}

/** `"Shop, Inc." <a@example.com>` without the name. */
export function bareAddress(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}

/** An address that every service takes. */
export const addressPattern = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/;
