// Replaces addresses of an HTML text's links. Pure and linear in time: it reads only link tags,
// because parsing the HTML per recipient would cost more than the rest of the mail.

import { endOfTag } from './html-text.ts';

/**
 * The HTML with the `href` of each `a` and `area` replaced. `replace` gets the value as written,
 * with its entities and without quotes; what it returns stands in double quotes, unchanged.
 * `undefined` keeps the link.
 */
export function withHrefs(html: string, replace: (raw: string) => string | undefined): string {
  let out = '';
  let copied = 0;
  links.lastIndex = 0;
  for (let open = links.exec(html); open !== null; open = links.exec(html)) {
    const end = endOfTag(html, open.index);
    if (end > html.length) break; // an unterminated tag: nobody can follow it
    const from = open.index + open[0].length;
    links.lastIndex = end;
    const found = hrefIn(html.slice(from, end - 1));
    const url = found === undefined ? undefined : replace(found.value);
    if (found === undefined || url === undefined) continue;
    out += `${html.slice(copied, from + found.start)}"${url}"`;
    copied = from + found.end;
  }
  return copied === 0 ? html : out + html.slice(copied);
}

const links = /<(?:a|area)[\s/]/gi;
const attributes = /([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

/** The value of the first `href` and its position, quotes included. */
function hrefIn(
  tag: string,
): { readonly start: number; readonly end: number; readonly value: string } | undefined {
  attributes.lastIndex = 0;
  for (let one = attributes.exec(tag); one !== null; one = attributes.exec(tag)) {
    const [whole, name = '', quoted] = one;
    if (quoted === undefined || name.length !== 4 || name.toLowerCase() !== 'href') continue;
    const end = one.index + whole.length;
    const value = /^["']/.test(quoted) ? quoted.slice(1, -1) : quoted;
    return { start: end - quoted.length, end, value };
  }
  return undefined;
}
