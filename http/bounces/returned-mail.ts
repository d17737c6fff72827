// Classifies a mail to one of our addresses: bounce (RFC 3464, or the text of servers that write no
// report), complaint (ARF, RFC 5965), or neither. Pure, except for the parser. A mail has one
// recipient and perhaps copies, so a report on several counts if all failed, and says who it names.

import type { Attachment, ParsedMail } from 'mailparser';
import { lateOutcome } from '../../actors/channels/email/relay-outcome.ts';
import type { SmtpReply } from '../../actors/channels/email/smtp-reply.ts';
import type { DeliveryReport } from '../../actors/channels/port/delivery-report.ts';
import { isFailureMail, repliesIn } from './failure-text.ts';

/** More groups than a report about one mail has. */
const groupsMax = 20;

interface ReturnedNews {
  readonly news: DeliveryReport;
  /** The recipients that the report names; none in a text. */
  readonly about: readonly string[];
}

/** The report in a mail's beginning; `undefined` if there is none. */
export async function newsIn(source: Buffer): Promise<ReturnedNews | undefined> {
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
  const quoted = () => repliesIn(mail.text ?? '');
  const status = part(/^message\/(?:global-)?delivery-status$/i);
  const feedback = part(/^message\/feedback-report$/i);
  const groups = groupsOf(status ?? feedback);
  const news =
    status !== undefined
      ? reportOfStatus(groups, quoted)
      : feedback === undefined
        ? reportOfText(quoted())
        : reportOfFeedback(groups);
  return news && { news, about: groups.flatMap(addressesIn) };
}

/** The recipients that a group of fields names: the original one first, since servers forward. */
function addressesIn(fields: Fields): readonly string[] {
  for (const name of ['original-recipient', 'original-rcpt-to', 'final-recipient']) {
    const [, address] =
      /^(?:[\w-]{1,20}\s{0,20};)?\s{0,20}<?([^<>\s]{3,320})>?$/.exec(fields.get(name) ?? '') ?? [];
    if (address !== undefined) return [address];
  }
  return [];
}

type Fields = ReadonlyMap<string, string>;

/** The first group is about the message, every other about a recipient; some servers omit it. */
function reportOfStatus(
  groups: readonly Fields[],
  quoted: () => readonly SmtpReply[],
): DeliveryReport | undefined {
  const [first] = groups;
  const recipients = first?.has('action') === true ? groups : groups.slice(1);
  return together(recipients.map((fields) => reportOfRecipient(fields, quoted)));
}

function reportOfText(quoted: readonly SmtpReply[]): DeliveryReport | undefined {
  return together(quoted.map((reply) => failureFor(reply)));
}

/** Of several people: what is true of all of them. A device ends only if all are dead. */
function together(news: readonly (DeliveryReport | undefined)[]): DeliveryReport | undefined {
  const [first] = news;
  if (!news.every((one) => one?.kind === first?.kind)) return undefined;
  return news.find((one) => one?.kind === 'failed' && one.effect === 'none') ?? first;
}

function reportOfRecipient(
  fields: Fields,
  quoted: () => readonly SmtpReply[],
): DeliveryReport | undefined {
  const action = /^[a-z]+/.exec(fields.get('action')?.toLowerCase() ?? '')?.[0];
  switch (action) {
    case 'failed': {
      const diagnostic = fields.get('diagnostic-code') ?? '';
      const failure = failureOf(fields.get('status') ?? '', diagnostic);
      // A report that says no more than that it failed may quote the reply in its text.
      return failure.reason === 'refused' && !isLocal(diagnostic)
        ? (reportOfText(quoted()) ?? failure)
        : failure;
    }
    case 'delivered':
      return { kind: 'arrived' };
    case 'relayed':
    case 'expanded':
      return { kind: 'taken' };
    default:
      return undefined; // delayed: the reporting server retries
  }
}

type Failed = Extract<DeliveryReport, { kind: 'failed' }>;

/**
 * The failure's class, by the last server's reply before the reporting server's own status. What a
 * program on the reporting server said (`x-unix; procmail: no such user`) is no reply, and no news
 * of the mailbox: it may be one of several that the mail is forwarded to.
 */
function failureOf(status: string, diagnostic: string): Failed {
  const words = diagnostic.replace(typed, '').replace(ciscoLabel, '').slice(0, wordsMax);
  if (isLocal(diagnostic)) {
    const [reply] = / said: [45]\d\d[ -]/.test(words) ? repliesIn(words) : [];
    if (reply !== undefined) return failureFor(reply);
    const local = failureFor({ code: 550, text: words });
    return local.reason === 'domain_not_found' ? local : { ...local, effect: 'none' };
  }
  const told = /^[245]\.\d{1,3}\.\d{1,3}/.exec(status.trim())?.[0];
  const answered = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(words)?.[0];
  const enhanced = [answered, told].find((one) => one !== undefined && !one.endsWith('.0.0'));
  const said = /^[45]\d\d(?=[ -]|$)/.exec(words)?.[0];
  const code = Number(said ?? `${(enhanced ?? told ?? '5')[0]}50`);
  const text = said === undefined ? words : words.slice(4);
  return failureFor({ code, text, ...(enhanced === undefined ? {} : { enhanced }) });
}

function failureFor(reply: SmtpReply): Failed {
  const { outcome, reason } = lateOutcome(reply);
  const effect = outcome === 'dead' ? 'dead' : 'none';
  return { kind: 'failed', reason, effect, ...(outcome === 'retry' ? { isSoft: true } : {}) };
}

/** The type of a diagnostic: `smtp;`, or `x-postfix;` for what the server said itself. */
const typed = /^([\w.-]{1,60})\s{0,20};\s{0,20}/;

/** Cisco's name of a class of errors, and the reply: `5.1.0 - Unknown address error 550-'…'`. */
const ciscoLabel = /^[45]\.\d{1,3}\.\d{1,3} - [\w ,/]{1,80}(?=[45]\d\d[- ]')/;

function isLocal(diagnostic: string): boolean {
  const type = typed.exec(diagnostic)?.[1]?.toLowerCase();
  return type !== undefined && !/^(?:l?smtp|esmtp|lmtp|dns)$/.test(type);
}

const wordsMax = 1000;

function reportOfFeedback([report]: readonly Fields[]): DeliveryReport | undefined {
  const type = report?.get('feedback-type')?.toLowerCase() ?? '';
  return /^(?:abuse|fraud|opt-out|opt-out-list)$/.test(type) ? { kind: 'complained' } : undefined;
}

/** Groups of header fields, as in both kinds of report. The first of repeated fields counts. */
function groupsOf(report: Attachment | undefined): readonly Fields[] {
  if (report === undefined) return [];
  const text = report.content.toString('latin1').replace(/\r\n?/g, '\n').trim();
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
  const type = headerIn(header, contentType);
  if (!/^content-type:\s{0,20}multipart\/report\b/i.test(type) && !isFailureMail(header))
    return undefined;
  const head = `${type}${headerIn(header, transferEncoding)}MIME-Version: 1.0`;
  return Buffer.concat([Buffer.from(head, 'latin1'), source.subarray(end, end + bodyBytesMax)]);
}

const contentType = /^content-type:[^\n]{0,500}(?:\n[ \t][^\n]{0,500}){0,8}/im;
const transferEncoding = /^content-transfer-encoding:[^\n]{0,100}/im;

function headerIn(header: string, pattern: RegExp): string {
  const found = pattern.exec(header)?.[0];
  return found === undefined ? '' : `${found.trimEnd()}\r\n`;
}

const headerBytesMax = 64 * 1024;
const bodyBytesMax = 64 * 1024;
