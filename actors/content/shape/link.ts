// Which links a message may contain. A link must begin with a scheme in plain ASCII, so that no
// disguise (a tab inside `java script`, an entity, a percent-encoded letter, a zero-width space)
// counts as one. Schemes that run code or read files are refused; others are an app's own.

import { isHost } from '../../channels/outbound/network-guard.ts';
import { contentLimits } from './content-limits.ts';
import { isTemplate } from './is-template.ts';

/** `link`: a button or deep link. `image`: fetched over the web. */
export type LinkUse = 'link' | 'image';

const refusedSchemes = new Set([
  'javascript',
  'vbscript',
  'livescript',
  'jscript',
  'mocha',
  'data',
  'file',
  'filesystem',
  'blob',
  'intent',
  'content',
  'about',
  'view-source',
  'jar',
  'chrome',
  'resource',
  'feed',
]);

/** Trims a link, lower-cases its scheme, encodes blanks and what ends an HTML attribute. */
export function checkLink(
  input: string,
  use: LinkUse,
): { readonly url: string } | { readonly problem: string } {
  const trimmed = input.trim();
  if (trimmed.length > contentLimits.urlMax)
    return { problem: `at most ${contentLimits.urlMax} characters` };
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(trimmed))
    return { problem: 'a link must not contain control characters' };
  const [, written, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(trimmed) ?? [];
  if (written === undefined || rest === undefined) {
    return { problem: 'a link must start with a scheme, such as https:' };
  }
  const scheme = written.toLowerCase();
  const problem = schemeProblem(scheme, use);
  if (problem !== undefined) return { problem };
  if (rest === '') return { problem: 'the link has nothing after its scheme' };
  const url = `${scheme}:${rest.replace(/[ "<>`]/g, encodeURIComponent)}`;
  const web = scheme === 'http' || scheme === 'https';
  if (web && (!/^\/\/[^/\\?#]/.test(rest) || !isWebUrl(url))) return { problem: 'not a valid URL' };
  return { url };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && isHost(new URL(url).hostname);
}

/**
 * The problem of a link before rendering. Of a template, checks only what precedes the first tag:
 * `javascript:{{ x }}` is refused.
 */
export function linkSourceProblem(source: string, use: LinkUse): string | undefined {
  if (!isTemplate(source)) {
    const checked = checkLink(source, use);
    return 'problem' in checked ? checked.problem : undefined;
  }
  const fixed = source.slice(0, source.search(/\{[{%]/)).trimStart();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(fixed)?.[1];
  return scheme === undefined ? undefined : schemeProblem(scheme.toLowerCase(), use);
}

/** The scheme of a link that may run code or read files, as a browser reads it. */
export function refusedScheme(link: string): string | undefined {
  const bare = link.replace(/[\p{Cc}\p{Cf}]+/gu, '').trimStart();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase();
  return scheme !== undefined && refusedSchemes.has(scheme) ? scheme : undefined;
}

function schemeProblem(scheme: string, use: LinkUse): string | undefined {
  if (use === 'image' && scheme !== 'https' && scheme !== 'http') {
    return 'an image must be an https: or http: URL';
  }
  return refusedSchemes.has(scheme) ? `${scheme}: links are not allowed` : undefined;
}
