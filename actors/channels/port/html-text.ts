// Plain text from HTML, for channels and mail readers without HTML. Pure and linear in time. The
// result is for reading; it is not safe HTML. The package `entities` has the 2,231 names of HTML;
// its version 8 needs a newer Node than we do.

import { decodeHTMLStrict } from 'entities/decode';

/** Elements without readable text. */
const hidden: ReadonlySet<string> = new Set([
  'style',
  'script',
  'head',
  'title',
  'template',
  'noscript',
]);
/** Elements that start and end a line. */
const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote div dl dt dd fieldset figure footer form header hr main nav ol pre section table tr ul'.split(
    ' ',
  ),
);
/** Elements with an empty line around them. */
const paragraphs: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Separates paragraphs; list items get a dash, links `text (address)`, images their `alt`. */
export function htmlToText(html: string): string {
  // Text before the last link, kept apart from `out`: reading a link's text flattens its string,
  // and flattening everything before ten thousand links takes seconds.
  let before = '';
  let out = '';
  let at = 0;
  let link: string | undefined;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open !== at) {
      const text = html.slice(at, open < 0 ? html.length : open);
      out += decodeEntities(text).replace(/[\t\r\n\f][ \t\r\n\f]*| [ \t\r\n\f]+/g, ' ');
    }
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    if (!/[a-z!?/]/i.test(html[open + 1] ?? '')) {
      out += '<'; // "a < b", and no tag
      at = open + 1;
      continue;
    }
    const close = endOfTag(html, open);
    const tag = html.slice(open + 1, close - 1);
    at = close;
    const name = /^\/?([a-zA-Z][a-zA-Z0-9]*)/.exec(tag)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    const closing = tag.startsWith('/');
    if (!closing && hidden.has(name)) at = afterElement(html, at, name);
    else if (name === 'br') out += '\n';
    else if (paragraphs.has(name)) out += '\n\n';
    else if (name === 'li' && !closing) out += '\n- ';
    else if (blocks.has(name)) out += '\n';
    else if (name === 'td' || name === 'th') out += ' ';
    else if (name === 'img') out += attribute(tag, 'alt') ?? '';
    else if (name === 'a' && !closing) {
      link = attribute(tag, 'href') ?? '';
      before += out;
      out = '';
    } else if (name === 'a' && link !== undefined) {
      const shown = out.trim();
      const address = link;
      if (leadsSomewhere(link) && !says(shown, link)) {
        if (shown !== '' && shown === withoutUtm(link)) out = out.replace(shown, () => address);
        else out += shown === '' ? link : ` (${link})`;
      }
      before += out;
      out = '';
      link = undefined;
    }
  }
  return tidy(before + out);
}

/** An absolute address, app schemes included, except what only a browser could run or resolve. */
function leadsSomewhere(href: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1];
  return scheme !== undefined && !/^(javascript|vbscript|data|file|blob|cid)$/i.test(scheme);
}

/** Whether a link's text is its address: `help@example.com` for `mailto:help@example.com`. */
function says(shown: string, href: string): boolean {
  return shown === href || /^(mailto|tel):(.*)$/i.exec(href)?.[2] === shown;
}

/** Campaign parameters are added behind what an author wrote, also as the link's text. */
function withoutUtm(href: string): string {
  return href.replace(/[?&]utm_[^&#]*/gi, '');
}

/** The index after the `>` of a tag; a `>` inside a quoted value does not count. */
export function endOfTag(html: string, open: number): number {
  let at = open + 1;
  for (let close = html.indexOf('>', at); close >= 0; ) {
    const value = valueIn(html, at, close);
    if (value < 0) return close + 1;
    const first = html.charCodeAt(value);
    if (first === doubleQuote || first === singleQuote) {
      const end = html.indexOf(first === doubleQuote ? '"' : "'", value + 1);
      if (end < 0) break;
      at = end + 1;
      if (close < at) close = html.indexOf('>', at);
    } else {
      at = value;
      while (at < close && !isSpace(html.charCodeAt(at))) at++;
    }
  }
  return html.length + 1;
}

/** Where the value of the next attribute begins; -1 if no more follow before `close`. */
function valueIn(html: string, from: number, close: number): number {
  let at = from;
  while (at < close && html.charCodeAt(at) !== equals) at++;
  do at++;
  while (at < close && isSpace(html.charCodeAt(at)));
  return at < close ? at : -1;
}

const doubleQuote = 0x22;
const singleQuote = 0x27;
const equals = 0x3d;

/** Blank, tab, line feed, form feed and carriage return. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

/** The index after `</name>`, or the end of the text. */
function afterElement(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}[\\s>]`, 'gi');
  close.lastIndex = from;
  const found = close.exec(html);
  return found === null ? html.length : endOfTag(html, found.index);
}

function attribute(tag: string, name: keyof typeof attributeForms): string | undefined {
  const found = attributeForms[name].exec(tag)?.[1];
  return found === undefined ? undefined : decodeEntities(found.replace(/^["']|["']$/g, '')).trim();
}

const attributeForms = {
  alt: /[\s"']alt\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i,
  href: /[\s"']href\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i,
} as const;

/**
 * References with their semicolon, each once: `&amp;eacute;` is the text `&eacute;`. Without one
 * they stay, because a link may well have `&copy=2`.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const decoded = text.replace(
    /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi,
    decodeEntity,
  );
  return joiners.test(text) ? decoded.replace(looseJoiners, '') : decoded;
}

const joiners = /&zwn?j;/;
/** Persian and Indian words are written with them, and so are some emoji; elsewhere they pad. */
const joined = String.raw`(?!\p{sc=Latn})[\p{L}\p{M}\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]`;
const looseJoiners = new RegExp(
  `(?<!${joined})[\\u200c\\u200d]|[\\u200c\\u200d](?!${joined})`,
  'gu',
);

function decodeEntity(entity: string): string {
  const own = ownReadings.get(entity);
  if (own !== undefined) return own;
  const letter = decodeHTMLStrict(entity);
  return letter === '\ufffd' ? '' : letter;
}

/** Signs that mails use as padding, which text has no use for. */
const ownReadings: ReadonlyMap<string, string> = new Map([
  ['&nbsp;', ' '],
  ['&shy;', ''],
]);

/** Trims line ends, collapses empty lines, and trims the text. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/ {2,}/g, ' ').trim());
  const kept = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  return kept.join('\n').trim();
}
