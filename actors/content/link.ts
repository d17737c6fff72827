// Which links a message may carry. The rule is an allow-list of form: a link must begin with a
// scheme written in plain ASCII, so no disguise (a tab inside `java script`, an entity, a
// percent-encoded letter, a zero-width space) is a scheme at all. What a browser runs or what reads
// files is then refused by name; any other scheme is an app's own.

import { contentLimits } from './content-limits.ts';
import { isTemplate } from './is-template.ts';

/** `link`: a button or deep link. `image`: something to be fetched over the web. */
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

/**
 * The normal form of a link: trimmed, with blanks and the characters that end an HTML attribute
 * percent-encoded, and a scheme in lower case. Problems say what is wrong, without the field's
 * name.
 */
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
  if (web && (!/^\/\/[^/\\?#]/.test(rest) || !URL.canParse(url)))
    return { problem: 'not a valid URL' };
  return { url };
}

/**
 * The problem of a link before rendering. A link without template tags is checked whole. With tags,
 * what comes before the first one is checked, so `javascript:{{ x }}` is refused at once; the rest
 * has to wait for `checkLink`.
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

function schemeProblem(scheme: string, use: LinkUse): string | undefined {
  if (use === 'image' && scheme !== 'https' && scheme !== 'http') {
    return 'an image must be an https: or http: URL';
  }
  return refusedSchemes.has(scheme) ? `${scheme}: links are not allowed` : undefined;
}
