// The replies that a failure mail quotes in its text: mail servers that write no delivery report
// (qmail, old Exim and Exchange, Yahoo, OpenSMTPD), and reports that say nothing else. Only what a
// mail server replied counts, not the words around it. Pure and linear.

import type { SmtpReply } from '../../actors/channels/email/smtp-reply.ts';

const textCharsMax = 8_000;
const replyCharsMax = 600;
const repliesMax = 10;

/** Whether a mail server's daemon wrote it, and it is neither a delay nor a person's reply. */
export function isFailureMail(header: string): boolean {
  if (!/^from:[^\n]{0,200}(?:mailer-?daemon|postmaster|mail delivery|mail system)/im.test(header))
    return false;
  return !/^subject:[^\n]{0,200}(?:delay|warning|out of office|auto)/im.test(header);
}

/** Every reply in the text, before the copy of the mail that failed; one for each paragraph. */
export function repliesIn(text: string): readonly SmtpReply[] {
  const own = beforeCopy(text.slice(0, textCharsMax).replace(/\r\n?/g, '\n'));
  const replies: SmtpReply[] = [];
  for (const paragraph of own.split(/\n[ \t]{0,80}\n/)) {
    const reply = replyIn(paragraph);
    if (reply !== undefined) replies.push(reply);
    if (replies.length === repliesMax) break;
  }
  return replies;
}

/** How mail servers begin the copy of the mail that failed. */
const copyBegins =
  /^[ \t>*=-]{0,60}(?:this is a copy|below (?:this line )?is a copy|below this line|(?:the )?headers? of the original|original (?:message|mail)|(?:unsent|returned|undelivered) message|message (?:text|headers?|follows)|received: |return-path: )/im;

function beforeCopy(text: string): string {
  const at = copyBegins.exec(text)?.index;
  return at === undefined ? text : text.slice(0, at);
}

/** A code with an enhanced code, or where a quoted reply begins. */
const replyBegins = [
  /(?<![\d.])([45]\d\d)[- ]#?[45]\.\d{1,3}\.\d{1,3}/,
  /(?:said|says|returned|responded|response|reply|\]|<<<|>)['":\s]{1,6}([45]\d\d)[- ]\S/,
  /^[ \t<>*-]{0,20}([45]\d\d)[- ]\S/m,
];

/** A reply ends where a line begins with another code: that is another server's, or a later one. */
function endOfReply(text: string, code: number): number | undefined {
  for (const found of text.matchAll(/\n[ \t<>*-]{0,20}([45]\d\d)[- ]/g))
    if (Number(found[1]) !== code) return found.index;
  return undefined;
}

/** qmail tells at which command it was refused, apart from the reply. */
const beforeRecipient = /connected to [^\n]{0,200} but (?:my name|sender|greeting)/i;

function replyIn(paragraph: string): SmtpReply | undefined {
  let first: { readonly at: number; readonly code: number } | undefined;
  for (const pattern of replyBegins) {
    const found = pattern.exec(paragraph);
    const code = found?.[1];
    if (found === null || code === undefined) continue;
    const at = found.index + found[0].indexOf(code);
    if (first === undefined || at < first.at) first = { at, code: Number(code) };
  }
  if (first !== undefined) {
    const rest = paragraph.slice(first.at + 4, first.at + replyCharsMax);
    const text = rest.slice(0, endOfReply(rest, first.code));
    const enhanced = /^#?([45]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1];
    const before = beforeRecipient.test(paragraph) ? 'Sender rejected: ' : '';
    return { code: first.code, text: before + text, ...(enhanced !== undefined && { enhanced }) };
  }
  // qmail ends its own words with `(#5.1.1)`; GMX begins with the enhanced code alone.
  const enhanced = (/\(#([45]\.\d{1,3}\.\d{1,3})\)/.exec(paragraph) ??
    /^[ \t]{0,20}([45]\.\d{1,3}\.\d{1,3}) \S/m.exec(paragraph))?.[1];
  if (enhanced === undefined) return undefined;
  const code = enhanced.startsWith('4') ? 450 : 550;
  return { code, enhanced, text: paragraph.slice(0, replyCharsMax) };
}
