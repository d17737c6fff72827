// What is known to cost a mail its place in the inbox, checked in one mail as it would be sent.
// Each check says what it saw; nothing is added up to a score. Pure.

import type { RenderedContent } from '../port/attempt.ts';
import { withHrefs } from '../port/html-hrefs.ts';
import { decodeEntities, endOfTag, htmlToText } from '../port/html-text.ts';

/** `unknown`: it could not be found out. */
export type MailCheckState = 'done' | 'not_done' | 'unknown';

export const mailCheckNames = [
  'sender',
  'dkim',
  'spf',
  'dmarc',
  'alignment',
  'link_name',
  'one_click',
  'size',
  'https_links',
  'image_text',
  'text_part',
] as const;

export type MailCheckName = (typeof mailCheckNames)[number];

export interface MailCheck {
  readonly check: MailCheckName;
  readonly state: MailCheckState;
  /** A sentence. */
  readonly about: string;
}

/** A mail as its preview has it: composed, and the content that it was composed of. */
export interface CheckedMail {
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: RenderedContent;
}

/** Gmail shows no more of a mail's HTML, and with the rest goes the link to unsubscribe. */
const htmlBytesShown = 102 * 1_024;
const namedMax = 3;

/** `linkBase`: where its link to unsubscribe leads; a preview's leads nowhere. */
export function contentChecks(
  { html, text, headers, content }: CheckedMail,
  linkBase: string,
): MailCheck[] {
  return [
    oneClick(headers, linkBase),
    size(html),
    httpsLinks(content),
    imageText(content.body),
    textPart(html, text),
  ];
}

function checked(check: MailCheck['check'], isDone: boolean, about: string): MailCheck {
  return { check, state: isDone ? 'done' : 'not_done', about };
}

function oneClick(headers: CheckedMail['headers'], linkBase: string): MailCheck {
  if (headers['List-Unsubscribe-Post'] === undefined)
    return checked('one_click', false, 'The email has no header to unsubscribe with one click.');
  // Receivers post to https alone (RFC 8058).
  return /^https:/i.test(linkBase)
    ? checked('one_click', true, 'Mail programs can unsubscribe with one click.')
    : checked('one_click', false, 'The link to unsubscribe does not begin with https.');
}

function size(html: string): MailCheck {
  const kilobytes = Math.ceil(Buffer.byteLength(html) / 1_024);
  const isShown = Buffer.byteLength(html) <= htmlBytesShown;
  const about = `The HTML has ${kilobytes} KB; Gmail cuts it off at 102 KB.`;
  return checked('size', isShown, about);
}

function httpsLinks({ body, deepLink, buttons = [] }: RenderedContent): MailCheck {
  const links = [deepLink, ...buttons.map(({ url }) => url)].filter((url) => url !== undefined);
  withHrefs(body, (raw) => {
    links.push(decodeEntities(raw).trim());
    return undefined;
  });
  const open = links.filter((url) => /^http:/i.test(url));
  if (open.length === 0) return checked('https_links', true, 'All links use https.');
  return checked('https_links', false, `Links use http: ${named(open)}.`);
}

function imageText(body: string): MailCheck {
  const images = [...imagesOf(body)];
  const bare = images.filter((tag) => !/\salt\s*=/i.test(tag)).length;
  if (images.length === 0) return checked('image_text', true, 'The email has no images.');
  if (bare === 0) return checked('image_text', true, 'All images have an alternative text.');
  const many = bare === 1 ? 'One image has' : `${bare} images have`;
  return checked('image_text', false, `${many} no alternative text (alt).`);
}

function* imagesOf(html: string): Generator<string> {
  const tags = /<img[\s/]/gi;
  for (let open = tags.exec(html); open !== null; open = tags.exec(html)) {
    tags.lastIndex = endOfTag(html, open.index);
    yield html.slice(open.index, tags.lastIndex);
  }
}

function textPart(html: string, text: string): MailCheck {
  const inText = wordsOf(text);
  const missing = [...wordsOf(htmlToText(html))].filter((word) => !inText.has(word));
  if (missing.length === 0)
    return checked('text_part', true, 'The text part has the words of the HTML part.');
  return checked(
    'text_part',
    false,
    `Words of the HTML part are not in the text part: ${named(missing)}.`,
  );
}

/** Without addresses: links of the HTML part are tracked, those of the text part are not. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.replace(/\bhttps?:\/\/\S+/gi, ' ').toLowerCase();
  return new Set(words.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
}

function named(all: readonly string[]): string {
  const rest = all.length - namedMax;
  const some = all.slice(0, namedMax).map((one) => one.slice(0, 100));
  return rest > 0 ? `${some.join(', ')} and ${rest} more` : some.join(', ');
}
