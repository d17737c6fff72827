// Adds campaign parameters to the links of rendered content: of a mail's HTML, and the deep link
// and buttons on every channel where they are http or https. Addresses within a text stay as they
// were written: nobody expects a text to be edited, and an SMS is paid for by its length. A
// parameter that a link has stays. All other characters of a link stay as they are. Pure.

import type { RenderedContent } from '../../channels/port/attempt.ts';
import { withHrefs } from '../../channels/port/html-hrefs.ts';
import { decodeEntities } from '../../channels/port/html-text.ts';
import { preferencesPlaceholder } from '../liquid/context.ts';
import { contentLimits } from '../shape/content-limits.ts';
import type { UtmParameters } from '../shape/utm-facts.ts';

/** `isMail`: the body is HTML. */
export function withUtm(
  content: RenderedContent,
  utm: UtmParameters | undefined,
  isMail: boolean,
): RenderedContent {
  if (utm === undefined) return content;
  const { body, deepLink, buttons } = content;
  const linked: { -readonly [Member in keyof RenderedContent]: RenderedContent[Member] } = {
    ...content,
  };
  if (isMail)
    linked.body = withHrefs(body, (raw) => withParameters(raw, decodeEntities(raw), utm, '&amp;'));
  if (deepLink !== undefined) linked.deepLink = linkWithUtm(deepLink, utm);
  if (buttons !== undefined)
    linked.buttons = buttons.map((button) =>
      button.url === undefined ? button : { ...button, url: linkWithUtm(button.url, utm) },
    );
  return linked;
}

/** The same link if nothing is to be added. */
function linkWithUtm(url: string, utm: UtmParameters): string {
  return withParameters(url, url, utm, '&') ?? url;
}

/** `raw` is the link as written, `url` what it means. `undefined`: it stays. */
function withParameters(
  raw: string,
  url: string,
  utm: UtmParameters,
  and: '&' | '&amp;',
): string | undefined {
  const link = url.trim();
  if (!/^https?:\/\/[^/?#\s]/i.test(link) || link.startsWith(preferencesPlaceholder))
    return undefined;
  const known = namesIn(link);
  const missing = utm.filter(([name]) => !known.has(name));
  if (missing.length === 0) return undefined;
  const written = partsOf(raw.trim(), and);
  // A `#` or `?` that is written as an entity: the whole link is written anew.
  const isClear = and === '&' || isSame(partsOf(link, '&'), written);
  const [address, query, fragment] = isClear
    ? written
    : partsOf(link, '&').map((part) => part?.replaceAll('&', '&amp;'));
  const own = query === undefined || query === '?' ? '' : query.slice(1);
  const glue = own === '' || /&(?:amp;)?$/.test(own) ? '' : and;
  const added = missing.map(([name, value]) => `${name}=${value}`).join(and);
  const whole = `${address}?${own}${glue}${added}${fragment ?? ''}`;
  if (whole.length > contentLimits.urlMax) return undefined;
  return and === '&' ? whole : whole.replaceAll('"', '&quot;');
}

/** The names of parameters, also in the fragment, and after an `&` that was escaped twice. */
function namesIn(link: string): ReadonlySet<string> {
  const [, query = '', fragment = ''] = partsOf(link, '&');
  const names = new Set<string>();
  for (const part of [query, fragment.slice(fragment.lastIndexOf('?') + 1)])
    for (const name of new URLSearchParams(part.replace(/^[?#]/, '')).keys())
      names.add(name.toLowerCase().replace(/^amp;/, ''));
  return names;
}

type Parts = readonly [address: string, query: string | undefined, fragment: string | undefined];

/** The query with its `?`, the fragment with its `#`. */
function partsOf(link: string, and: '&' | '&amp;'): Parts {
  const hash = and === '&' ? /#/ : /(?<!&)#|#(?!(?:\d+|x[\da-f]+);)/i;
  const at = link.search(hash);
  const before = at < 0 ? link : link.slice(0, at);
  const query = before.indexOf('?');
  return [
    query < 0 ? before : before.slice(0, query),
    query < 0 ? undefined : before.slice(query),
    at < 0 ? undefined : link.slice(at),
  ];
}

function isSame(parts: Parts, written: Parts): boolean {
  return parts.every((part, i) => {
    const raw = written[i];
    return part === (raw === undefined ? undefined : decodeEntities(raw));
  });
}
