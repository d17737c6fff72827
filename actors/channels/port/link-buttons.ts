// A message's links that a chat can show: its buttons, then the deep link unless a button has it.
// Pure. Chats refuse the whole message for a scheme they do not open, so app links are omitted.

import type { Attempt } from './attempt.ts';
import { openLabel } from './wording.ts';

interface LinkButton {
  readonly label: string;
  readonly url: string;
}

/** Those that match `opens`, in order. `isDeepLink` marks the last, which has no author's label. */
export function linkButtons(
  attempt: Attempt,
  opens: RegExp,
): readonly (LinkButton & { readonly isDeepLink?: true })[] {
  const { content } = attempt;
  const { deepLink } = content;
  const links: (LinkButton & { readonly isDeepLink?: true })[] = [];
  for (const { label, url = deepLink } of content.buttons ?? []) {
    if (url !== undefined && opens.test(url)) links.push({ label, url });
  }
  const isLinked = links.some(({ url }) => url === deepLink);
  if (deepLink !== undefined && opens.test(deepLink) && !isLinked)
    links.push({ label: openLabel(attempt), url: deepLink, isDeepLink: true });
  return links;
}
