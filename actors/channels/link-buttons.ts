// The links of a message that a chat can show: its buttons, then the deep link unless a button
// already leads there. Pure. Chats open web addresses and little else, and refuse the whole message
// for a button with another scheme, so links into an app are left out.

import type { RenderedContent } from './attempt.ts';

interface LinkButton {
  readonly label: string;
  readonly url: string;
}

/**
 * The links that match `opens`, in order. A button without a link uses the deep link. `isDeepLink`
 * marks the last one, which has no label of its author.
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
