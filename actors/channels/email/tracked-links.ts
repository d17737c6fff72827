// Replaces a mail's links with tracked ones and appends a pixel. Pure and linear in time: it reads
// only link tags, because parsing the HTML per recipient would cost more than the rest of the mail.
// The signed address is the decoded one, with `&` for `&amp;`.

import { decodeEntities, endOfTag } from '../port/html-text.ts';
import type { MailMarks } from './mail-marks.ts';
import { pixelTag } from './open-pixel.ts';
import { trackedUrlBytesMax } from './tracked-token.ts';

/** The HTML with the marks' links and pixel. Addresses in `except` stay unchanged. */
export function trackedHtml(
  html: string,
  { clickUrl, openUrl }: MailMarks,
  except: (url: string) => boolean,
): string {
  const linked = clickUrl === undefined ? html : withLinks(html, clickUrl, except);
  if (openUrl === undefined) return linked;
  const pixel = pixelTag(openUrl);
  const end = linked.lastIndexOf('</body>');
  return end < 0 ? linked + pixel : linked.slice(0, end) + pixel + linked.slice(end);
}

const links = /<(?:a|area)[\s/]/gi;
const attributes = /([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

function withLinks(
  html: string,
  clickUrl: (url: string) => string,
  except: (url: string) => boolean,
): string {
  let out = '';
  let copied = 0;
  links.lastIndex = 0;
  for (let open = links.exec(html); open !== null; open = links.exec(html)) {
    const end = endOfTag(html, open.index);
    if (end > html.length) break; // an unterminated tag: nobody can follow it
    const from = open.index + open[0].length;
    links.lastIndex = end;
    const found = hrefIn(html.slice(from, end - 1));
    if (found === undefined) continue;
    const url = trackable(decodeEntities(found.value).trim());
    if (url === undefined || except(url)) continue;
    out += `${html.slice(copied, from + found.start)}"${clickUrl(url)}"`;
    copied = from + found.end;
  }
  return copied === 0 ? html : out + html.slice(copied);
}

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

/** The address in ASCII, as `Location` requires; `undefined` if untracked. */
function trackable(href: string): string | undefined {
  if (!/^https?:\/\/[^/?#]/i.test(href)) return undefined;
  if (/^[!-~]+$/.test(href)) return href.length <= trackedUrlBytesMax ? href : undefined;
  if (!URL.canParse(href)) return undefined;
  const { href: ascii } = new URL(href);
  return ascii.length <= trackedUrlBytesMax ? ascii : undefined;
}
