// The two ways between HTML and plain text. A body is written once and goes to every channel: email
// wants HTML, all others want text. Both directions are linear scans; neither is a sanitizer, and
// none is needed: what a person's data puts into HTML is escaped when it is rendered, and what the
// author writes is the author's.

import { escapeHtml } from './plain-filters.ts';

/**
 * Whether a source is HTML: it holds a tag, a comment or a doctype. "a < b" and "I <3 you" are
 * text.
 */
export function isHtml(source: string): boolean {
  return /<(?:\/?[a-z][a-z0-9-]*(?:[\s/][^<>]*)?>|!--|!doctype\b)/i.test(source);
}

/** Text as HTML: escaped, with its line breaks. */
export function textToHtml(text: string): string {
  return escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>\n');
}

// Elements whose content no reader sees. The search for the end is case-blind and runs once an
// element.
const hidden: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'head', 'title', 'template', 'noscript'].map((name) => [
    name,
    new RegExp(`</${name}\\b`, 'gi'),
  ]),
);
const lineEnds = new Set(
  'address article blockquote br div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);
const cells = new Set(['td', 'th']);

/**
 * The text of HTML: blocks become lines, list items get a dash, links are followed by their address
 * where the text is not the address itself, and entities become characters. Runs of blanks become
 * one, more than one empty line too.
 */
export function htmlToText(html: string): string {
  // Apart from `out`, which begins anew with each link: to look for an address in a link's text,
  // all of the string is put together, and to do that with everything before each link takes
  // seconds where there are ten thousand.
  let before = '';
  let out = '';
  let link: string | undefined;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      out += decoded(html.slice(at));
      break;
    }
    out += decoded(html.slice(at, open));
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const tag = readTag(html, open);
    if (tag === undefined) {
      out += '<';
      at = open + 1;
      continue;
    }
    at = tag.end;
    const { name, closing } = tag;
    const ending = closing ? undefined : hidden.get(name);
    if (ending !== undefined) {
      ending.lastIndex = at;
      const match = ending.exec(html);
      if (match === null) break;
      at = match.index;
    } else if (name === 'li' && !closing) out += '\n- ';
    else if (lineEnds.has(name)) out += name === 'p' || /^h[1-6]$/.test(name) ? '\n\n' : '\n';
    else if (cells.has(name)) out += ' ';
    else if (name === 'a') {
      if (closing && link !== undefined && !out.includes(link)) out += ` (${link})`;
      before += out;
      out = '';
      const href = closing ? '' : hrefOf(html.slice(open, at));
      link = href === '' ? undefined : href;
    }
  }
  return (before + out)
    .replace(/[ \t\r\f\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface TagHead {
  readonly name: string;
  readonly closing: boolean;
  /** Where the text after the tag begins. */
  readonly end: number;
}

// `undefined` for a "<" that begins no tag. A tag that never ends swallows the rest, as in a
// browser.
function readTag(html: string, open: number): TagHead | undefined {
  const closing = html[open + 1] === '/';
  const start = open + (closing ? 2 : 1);
  let at = start;
  while (at < html.length && /[a-zA-Z0-9!-]/.test(html[at] ?? '')) at++;
  if (at === start || !/[a-zA-Z!]/.test(html[start] ?? '')) return undefined;
  const name = html.slice(start, at).toLowerCase();
  let quote = '';
  for (; at < html.length; at++) {
    const char = html[at] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return { name, closing, end: at + 1 };
    else if (char === '"' || char === "'") quote = char;
  }
  return { name, closing, end: html.length };
}

function hrefOf(tag: string): string {
  const [, double, single] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
  const href = decoded(double ?? single ?? '').trim();
  return /^https?:\/\//i.test(href) ? href : '';
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  deg: '°',
  times: '×',
  rarr: '→',
  larr: '←',
  shy: '',
  zwnj: '',
  zwj: '',
};

// Line breaks of the source are blanks in HTML; only elements break lines.
function decoded(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  if (!flat.includes('&')) return flat;
  return flat.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? '') : whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return valid ? String.fromCodePoint(code) : '';
    },
  );
}
