// Classifies a mail to one of our addresses: bounce (RFC 3464), complaint (ARF, RFC 5965), or
// neither. Pure, except for the parser. Our mails have one recipient, so a report on several,
// perhaps of a forwarding address, counts as a failure only if all failed.

import type { Attachment, ParsedMail } from 'mailparser';
import type { DeliveryReport } from '../../actors/channels/delivery-report.ts';
import { lateOutcome } from '../../actors/channels/email/relay-outcome.ts';

/** More groups than a report about one mail has. */
const groupsMax = 20;

/** The report in a mail's beginning; `undefined` if there is none. */
export async function newsIn(source: Buffer): Promise<DeliveryReport | undefined> {
  const report = reportIn(source);
  if (report === undefined) return undefined;
  // Half a megabyte of code, needed only with a listener.
  const { simpleParser } = await import('mailparser');
  let mail: ParsedMail;
  try {
    mail = await simpleParser(report, {
      keepDeliveryStatus: true,
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipTextLinks: true,
      skipImageLinks: true,
    });
  } catch {
    return undefined; // not a readable mail
  }
  const part = (pattern: RegExp) => mail.attachments.find((one) => pattern.test(one.contentType));
  const status = part(/^message\/(?:global-)?delivery-status$/i);
  if (status !== undefined) return newsOfStatus(groupsOf(status));
  const feedback = part(/^message\/feedback-report$/i);
  return feedback === undefined ? undefined : newsOfFeedback(groupsOf(feedback));
}

type Fields = ReadonlyMap<string, string>;

/** The first group is about the message, every other about a recipient. */
function newsOfStatus([_message, ...recipients]: readonly Fields[]): DeliveryReport | undefined {
  const news = recipients.map(newsOfRecipient);
  const [first] = news;
  return news.every((one) => one?.kind === first?.kind) ? first : undefined;
}

function newsOfRecipient(fields: Fields): DeliveryReport | undefined {
  const action = /^[a-z]+/.exec(fields.get('action')?.toLowerCase() ?? '')?.[0];
  switch (action) {
    case 'failed':
      return failureOf(fields.get('status') ?? '', fields.get('diagnostic-code') ?? '');
    case 'delivered':
      return { kind: 'arrived' };
    case 'relayed':
    case 'expanded':
      return { kind: 'taken' };
    default:
      return undefined; // delayed: the reporting server retries
  }
}

/** The failure's class, by the status or, if that is general, by the last server's response. */
function failureOf(status: string, diagnostic: string): DeliveryReport {
  const told = /^[245]\.\d{1,3}\.\d{1,3}/.exec(status.trim())?.[0];
  const words = diagnostic.replace(/^[\w.-]+\s*;\s*/, '').slice(0, wordsMax);
  const answered = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(words)?.[0];
  const isGeneral = told === undefined || told.endsWith('.0.0');
  const enhanced = isGeneral ? answered : told;
  const code = Number(
    /^[45]\d\d(?=[ -]|$)/.exec(words)?.[0] ?? `${(enhanced ?? told ?? '5')[0]}50`,
  );
  const outcome = lateOutcome({
    code,
    text: words,
    ...(enhanced === undefined ? {} : { enhanced }),
  });
  const { reason } = outcome;
  return { kind: 'failed', reason, effect: outcome.outcome === 'dead' ? 'dead' : 'none' };
}

const wordsMax = 1000;

function newsOfFeedback([report]: readonly Fields[]): DeliveryReport | undefined {
  const type = report?.get('feedback-type')?.toLowerCase() ?? '';
  return /^(?:abuse|fraud|opt-out|opt-out-list)$/.test(type) ? { kind: 'complained' } : undefined;
}

/** Groups of header fields, as in both kinds of report. The first of repeated fields counts. */
function groupsOf({ content }: Attachment): readonly Fields[] {
  const text = content.toString('latin1').replace(/\r\n?/g, '\n').trim();
  return text.split(/\n[ \t]*\n\s*/, groupsMax).map((group) => {
    const fields = new Map<string, string>();
    for (const line of group.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
      if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
    }
    return fields;
  });
}

/**
 * The report with only its part-locating headers and a bounded body. Others write these mails: a
 * hundred thousand addresses in a header would block the parser, and so the front, for a second.
 */
function reportIn(source: Buffer): Buffer | undefined {
  const crlf = source.indexOf('\r\n\r\n');
  const end = crlf >= 0 ? crlf : source.indexOf('\n\n');
  if (end < 0) return undefined;
  const header = source.toString('latin1', 0, Math.min(end, headerBytesMax));
  const type = /^content-type:[^\n]{0,500}(?:\n[ \t][^\n]{0,500}){0,8}/im.exec(header)?.[0];
  if (type === undefined || !/^content-type:\s*multipart\/report\b/i.test(type)) return undefined;
  const head = `${type.trimEnd()}\r\nMIME-Version: 1.0`;
  return Buffer.concat([Buffer.from(head, 'latin1'), source.subarray(end, end + bodyBytesMax)]);
}

const headerBytesMax = 64 * 1024;
const bodyBytesMax = 64 * 1024;
