// Which links of a message a chat can show: its own buttons, then the deep link where none of them
// leads there. Pure. Easily got wrong: chats open web addresses and little else, and refuse the
// whole message for a button with another scheme, so a link into an app is left out rather than
// sent.

import type { RenderedContent } from './attempt.ts';

/** A link with what it says. */
interface LinkButton {
  readonly label: string;
  readonly url: string;
}

/**
 * The links that `opens` fits, in order. A button without a link of its own leads where a tap on
 * the message would. `isDeepLink` tells the last one, which nobody wrote a label for.
 */
export function linkButtons(
  content: RenderedContent,
  opens: RegExp,
): readonly (LinkButton & { readonly isDeepLink?: true })[] {
  const { deepLink } = content;
  const links: (LinkButton & { readonly isDeepLink?: true })[] = [];
  for (const { label, url = deepLink } of content.buttons ?? []) {
    if (url !== undefined && opens.test(url)) links.push({ label, url });
  }
  const isLinked = links.some(({ url }) => url === deepLink);
  if (deepLink !== undefined && opens.test(deepLink) && !isLinked)
    links.push({ label: 'Open', url: deepLink, isDeepLink: true });
  return links;
}
