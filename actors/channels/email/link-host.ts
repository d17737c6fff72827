// Puts the name of the app's own domain into the links of a mail that lead to this server: to
// unsubscribe, to preferences, tracked ones and the pixel. Pure.

import type { Attempt, RenderedContent } from '../port/attempt.ts';

/** The address of this server by that name: its scheme and port stay. */
export function linkBase(publicUrl: string, linkHost: string | undefined): string {
  if (linkHost === undefined) return publicUrl;
  const url = new URL(publicUrl);
  url.hostname = linkHost;
  return url.href.replace(/\/$/, '');
}

/** The attempt with links at `base` in place of `publicUrl`. */
export function withLinksAt(attempt: Attempt, publicUrl: string, base: string): Attempt {
  const { email, content } = attempt;
  if (base === publicUrl || email === undefined) return attempt;
  const { unsubscribeUrl, preferencesUrl } = email;
  const moved = (url: string) =>
    url.startsWith(`${publicUrl}/`) ? base + url.slice(publicUrl.length) : url;
  return {
    ...attempt,
    content: withPreferencesAt(content, publicUrl, base),
    email: {
      ...email,
      unsubscribeUrl: moved(unsubscribeUrl),
      ...(preferencesUrl === undefined ? {} : { preferencesUrl: moved(preferencesUrl) }),
    },
  };
}

/** Where an author put the link to the preferences. */
function withPreferencesAt(
  content: RenderedContent,
  publicUrl: string,
  base: string,
): RenderedContent {
  const { body, deepLink, buttons } = content;
  const [from, to] = [`${publicUrl}/p/`, `${base}/p/`];
  const moved = (text: string) => text.replaceAll(from, () => to);
  return {
    ...content,
    body: moved(body),
    ...(deepLink === undefined ? {} : { deepLink: moved(deepLink) }),
    ...(buttons === undefined
      ? {}
      : {
          buttons: buttons.map((button) =>
            button.url === undefined ? button : { ...button, url: moved(button.url) },
          ),
        }),
  };
}
