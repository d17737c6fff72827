// Composes an email: HTML with image, buttons and unsubscribe footer, plain text, sender, headers.
// Pure. One-click unsubscribe follows RFC 8058. A line break in a title or sender name would
// start a header, so such a message is refused.

import { assert } from '../../../engine/base/assert.ts';
import { hasControlCharacter } from '../addresses/address.ts';
import { failure } from '../port/answers.ts';
import type { Attempt, EmailEnvelope, MailParts } from '../port/attempt.ts';
import { htmlToText } from '../port/html-text.ts';
import type { Failure } from '../port/outcome.ts';
import { openLabel, preferencesLabel, unsubscribeLabel } from '../port/wording.ts';
import { emailAddress } from './address.ts';
import type { MailAttachment } from './attached.ts';
import { endMark, framed, isDocument } from './frame.ts';
import { identityHeaders } from './identity-headers.ts';
import type { MailMarks } from './mail-marks.ts';
import { headerWords, type Mail } from './mime.ts';
import { trackedHtml } from './tracked-links.ts';
import { unsubscribeOffers } from './unsubscribe-ways.ts';

const htmlBytesMax = 512 * 1024;

/** The email, or why there is none. Requires `attempt.email`; `senderDefault` is the fallback. */
export function composeMail(
  attempt: Attempt,
  senderDefault: string | undefined,
  marks: MailMarks = {},
): Mail | Failure {
  const { content } = attempt;
  assert(attempt.email !== undefined, 'an email attempt carries its envelope');
  const email = withLanguage(attempt.email, attempt.language);
  const to = address(attempt.endpoint);
  if (to === undefined) return { outcome: 'permanent', reason: 'bad_address' };
  const from = address(email.fromAddress ?? senderDefault);
  if (from === undefined) return { outcome: 'config', reason: 'sender_not_configured' };
  const { mail: parts = {} } = content;
  const replyToGiven = parts.replyTo ?? email.replyTo;
  const replyTo = replyToGiven === undefined ? undefined : address(replyToGiven);
  if (replyToGiven !== undefined && replyTo === undefined) {
    return failure('config', 'sender_not_configured', 'replyTo is not an email address');
  }
  if (email.returnPath !== undefined && address(email.returnPath) === undefined) {
    return failure('config', 'sender_not_configured', 'the return path is not an email address');
  }
  const subject = (content.title ?? '').trim();
  for (const value of [
    subject,
    email.fromName ?? '',
    email.unsubscribeUrl,
    attempt.sendId,
    attempt.deviceId,
    attempt.appId,
  ]) {
    if (hasControlCharacter(value))
      return failure('permanent', 'header_injection', 'control character in a header');
  }
  const offers = unsubscribeOffers(attempt);
  const { html, told } = withExtras(attempt, email, offers.footer);
  if (Buffer.byteLength(html) > htmlBytesMax)
    return { outcome: 'permanent', reason: 'message_too_large' };
  const attachments = attachmentsOf(attempt);
  if (attachments === undefined) return failure('permanent', 'attachment_missing');
  return {
    ...(email.fromName !== undefined && { fromName: email.fromName }),
    fromAddress: from,
    to,
    ...copiesOf(parts, to),
    ...(replyTo !== undefined && { replyTo }),
    subject,
    dateMs: attempt.acceptedMs,
    messageId: `${attempt.sendId}.${attempt.deviceId}@${from.slice(from.lastIndexOf('@') + 1)}`,
    headers: [
      ...(offers.header ? unsubscribeHeaders(email, marks) : []),
      ...identityHeaders(attempt, from),
      ['X-Engage-Send-Id', attempt.sendId],
      ['X-Engage-Device-Id', attempt.deviceId],
      ...(content.options.priority === 'high'
        ? ([
            ['X-Priority', '1'],
            ['Importance', 'high'],
          ] as const)
        : []),
      ...(parts.headers ?? []).map(([name, value]) => [name, headerWords(value)] as const),
    ],
    text: htmlToText(told),
    html: trackedHtml(html, marks, isOurs(email)),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** The files with their bytes; `undefined` if the bytes of one did not come along. */
function attachmentsOf({ content, files = {} }: Attempt): readonly MailAttachment[] | undefined {
  const attachments: MailAttachment[] = [];
  for (const { filename, contentType, hash, cid } of content.mail?.attachments ?? []) {
    const bytes = files[hash];
    if (bytes === undefined) return undefined;
    const inline = cid === undefined ? {} : { cid };
    attachments.push({ filename, contentType, content: bytes, hash, ...inline });
  }
  return attachments;
}

/** Nobody gets the mail twice. */
function copiesOf({ cc = [], bcc = [] }: MailParts, to: string): Pick<Mail, 'cc' | 'bcc'> {
  const isOther = (one: string) => one.toLowerCase() !== to.toLowerCase();
  const others = { cc: cc.filter(isOther), bcc: bcc.filter(isOther) };
  return {
    ...(others.cc.length > 0 && { cc: others.cc }),
    ...(others.bcc.length > 0 && { bcc: others.bcc }),
  };
}

/** Links of ours are the person's alone, and say nothing about the mail. */
function isOurs({ unsubscribeUrl, preferencesUrl }: EmailEnvelope): (url: string) => boolean {
  const bare = (url: string | undefined) => url?.split('?', 1)[0];
  const ours = new Set([bare(unsubscribeUrl), bare(preferencesUrl)]);
  return (url) => ours.has(bare(url));
}

/** The page behind the link speaks the reader's language. */
function withLanguage(email: EmailEnvelope, language: string | undefined): EmailEnvelope {
  if (language === undefined) return email;
  const { unsubscribeUrl, preferencesUrl } = email;
  const inLanguage = (url: string) => `${url}?language=${language}`;
  return {
    ...email,
    unsubscribeUrl: inLanguage(unsubscribeUrl),
    ...(preferencesUrl === undefined ? {} : { preferencesUrl: inLanguage(preferencesUrl) }),
  };
}

/** The link comes first: RFC 8058 receivers post to the first https one. */
function unsubscribeHeaders(
  email: EmailEnvelope,
  { unsubscribeAddress }: MailMarks,
): readonly (readonly [string, string])[] {
  const link = `<${asciiUrl(email.unsubscribeUrl)}>`;
  const ways = unsubscribeAddress === undefined ? link : `${link}, <mailto:${unsubscribeAddress}>`;
  return [
    ['List-Unsubscribe', ways],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}

interface WholeBody {
  /** A document. */
  readonly html: string;
  /** The HTML that the plain text is read from: the frame around a body says nothing. */
  readonly told: string;
}

/** The body as a whole document, with the extras from content and envelope. */
function withExtras(attempt: Attempt, email: EmailEnvelope, hasFooter: boolean): WholeBody {
  const { content } = attempt;
  const before =
    content.image === undefined
      ? ''
      : `<p><img src="${escapeHtml(content.image)}" alt="" style="${imageStyle}"></p>\n`;
  const buttons = (content.buttons ?? []).flatMap((button) =>
    button.url === undefined ? [] : [{ label: button.label, url: button.url }],
  );
  if (
    content.deepLink !== undefined &&
    !buttons.some((button) => button.url === content.deepLink)
  ) {
    buttons.unshift({ label: openLabel(attempt), url: content.deepLink });
  }
  const links = buttons
    .filter((button) => isSafeLink(button.url))
    .map(
      (button) =>
        `<a class="e-button" href="${escapeHtml(button.url)}" style="${buttonStyle}">${escapeHtml(button.label)}</a>`,
    );
  const after =
    (links.length === 0 ? '' : `\n<p>${links.join('&nbsp;\n')}</p>`) +
    (hasFooter ? footer(attempt, email) : '\n');

  const html = content.body;
  if (isDocument(html)) {
    const whole = inDocument(html, before, after);
    return { html: whole, told: whole };
  }
  const told = before + html + after;
  return { html: framed(told, content.language ?? attempt.language), told };
}

/** A document with what goes before and behind its own content. */
function inDocument(html: string, before: string, after: string): string {
  const open = /<body[^>]{0,2000}>/i.exec(html) ?? /<\/head>|<html[^>]{0,2000}>/i.exec(html);
  const start = open === null ? 0 : open.index + open[0].length;
  const lower = html.toLowerCase();
  const marked = html.indexOf(endMark, start);
  if (marked >= 0)
    return (
      html.slice(0, start) +
      before +
      html.slice(start, marked) +
      after +
      html.slice(marked + endMark.length)
    );
  const close = Math.max(lower.lastIndexOf('</body>'), start);
  const last = lower.lastIndexOf('</html>');
  const end = close > start ? close : last > start ? last : html.length;
  return html.slice(0, start) + before + html.slice(start, end) + after + html.slice(end);
}

/** The service is named only where there is a footer: a receipt without one stays as it is. */
function footer(
  attempt: Attempt,
  { unsubscribeUrl, unsubscribeText, preferencesUrl, namesService }: EmailEnvelope,
): string {
  const link = `<a href="${escapeHtml(unsubscribeUrl)}" style="color:#6b7280">`;
  const label = escapeHtml(unsubscribeLabel(attempt, unsubscribeText));
  const more =
    preferencesUrl === undefined
      ? ''
      : ` · <a href="${escapeHtml(preferencesUrl)}" style="color:#6b7280">${escapeHtml(preferencesLabel(attempt))}</a>`;
  const service =
    namesService === true ? `<p lang="en" dir="ltr" style="${serviceStyle}">${sentWith}</p>\n` : '';
  return `\n<p style="${footerStyle}">${link}${label}</a>${more}</p>\n${service}`;
}

const imageStyle = 'max-width:100%;height:auto;border:0';
const buttonStyle =
  'display:inline-block;margin:4px 0;padding:12px 20px;border-radius:6px;background:#111827;color:#ffffff;text-decoration:none';
const footerStyle = 'margin-top:32px;font-size:12px;color:#6b7280';
const serviceStyle = 'margin:4px 0 0;font-size:12px;color:#6b7280';
const sentWith = 'Sent with Engage';

/** A link that a mail reader may follow. Everything is rendered, so this is the final check. */
function isSafeLink(url: string): boolean {
  const scheme = /^[\p{Cc}\s]*([a-z][a-z0-9+.-]*):/iu.exec(url.replace(/[\t\r\n]/g, ''))?.[1];
  return scheme !== undefined && !/^(javascript|data|vbscript|file|blob)$/i.test(scheme);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function address(raw: Attempt['endpoint'] | undefined): string | undefined {
  if (typeof raw !== 'string' || hasControlCharacter(raw)) return undefined;
  const checked = emailAddress(raw);
  return 'value' in checked ? checked.value : undefined;
}

function asciiUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : encodeURI(url);
}
