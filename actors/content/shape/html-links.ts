// Checks the links of an HTML body after rendering: a value may make one run code. Pure, and linear
// in time. What the author wrote is the author's; only bodies whose tags read values
// are checked, since mail programs disarm the rest.

import { decodeEntities, endOfTag } from '../../channels/port/html-text.ts';
import { refusedScheme } from './link.ts';

/** Whether a source prints a value within a tag of HTML. */
export function hasValueInTag(source: string): boolean {
  for (const tag of tagsOf(source)) if (/\{[{%]/.test(tag)) return true;
  return false;
}

/** The scheme of the first link that is not allowed and that `source` does not have itself. */
export function refusedLinkIn(html: string, source: string): string | undefined {
  let own: ReadonlySet<string> | undefined;
  for (const tag of tagsOf(html))
    for (const [whole, name = '', quoted = ''] of tag.matchAll(attributes)) {
      const value = decodeEntities(quoted.replace(/^(["'])(.*)\1$/s, '$2'));
      const scheme = refusedScheme(value);
      if (scheme === undefined) continue;
      own ??= new Set([...tagsOf(source)].flatMap((one) => one.match(attributes) ?? []));
      const isPicture = /^(src|background|poster)$/i.test(name) && /^\s*data:image\//i.test(value);
      if (!isPicture && !own.has(whole)) return scheme;
    }
  return undefined;
}

function* tagsOf(html: string): Generator<string> {
  const tags = /<[a-z]/gi;
  for (let open = tags.exec(html); open !== null; open = tags.exec(html)) {
    tags.lastIndex = endOfTag(html, open.index);
    yield html.slice(open.index, tags.lastIndex);
  }
}

const attributes =
  /\b(href|src|action|formaction|background|poster|data)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/gi;
