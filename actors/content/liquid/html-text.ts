// Detects HTML, and converts text to HTML: email needs HTML, all other channels text
// (`channels/port/html-text.ts`).

import { escapeHtml } from './plain-filters.ts';

/**
 * Whether a source has an HTML element, a comment or a doctype. "a < b", "I <3 you" and "Press
 * <Enter>, then your <code>" are text: a placeholder is no element, nor is a tag without its end.
 */
export function isHtml(source: string): boolean {
  if (!source.includes('<')) return false;
  if (/<!--|<!doctype\b/i.test(source)) return true;
  let lower: string | undefined;
  const unclosed = new Set<string>();
  for (const [, slash, written = '', rest] of source.matchAll(tag)) {
    const name = written.toLowerCase();
    if (!elements.has(name) || unclosed.has(name)) continue;
    if (slash === '/' || rest?.trim() !== '' || withoutEnd.has(name)) return true;
    lower ??= source.toLowerCase();
    if (lower.includes(`</${name}`)) return true;
    unclosed.add(name);
  }
  return false;
}

const tag = /<(\/?)([a-z][a-z0-9-]*)((?:[\s/][^<>]*)?)>/gi;

/** Elements that stand alone, or whose end tag HTML lets an author omit. */
const withoutEnd = new Set(
  'area base br col embed hr img input link meta source wbr p li dt dd td th tr tbody thead tfoot html head body'.split(
    ' ',
  ),
);

/** Every element of HTML, with those of old mails. */
const elements = new Set([
  ...withoutEnd,
  ...(
    'a abbr acronym address applet article aside audio b bdi bdo big blockquote button canvas caption ' +
    'center cite code colgroup data datalist del details dfn dialog dir div dl em fieldset figcaption ' +
    'figure font footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label ' +
    'legend main map mark marquee menu meter nav noscript object ol optgroup option output picture pre ' +
    'progress q rp rt ruby s samp script search section select slot small span strike strong style sub ' +
    'summary sup svg table template textarea time title tt u ul var video'
  ).split(' '),
]);

/** Escapes text and keeps its line breaks. */
export function textToHtml(text: string): string {
  return escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>\n');
}
