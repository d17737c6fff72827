// Puts a person's own link to their preferences into what is sent to them: where the content has
// `{{ preferences_url }}`, and in the footer of marketing mails.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { isMarketingMail } from '../../channels/email/unsubscribe-ways.ts';
import type { Attempt, RenderedContent } from '../../channels/port/attempt.ts';
import { preferencesPlaceholder } from '../../content/liquid/context.ts';
import type { PreferencesLink } from '../../people/preferences-link.ts';

export type PreferencesUrl = (link: PreferencesLink) => string;

export function withPreferences(
  attempt: Attempt,
  app: number,
  person: PersonOrdinal,
  url: PreferencesUrl,
): Attempt {
  const { content, channel, endpoint, email } = attempt;
  const isNamed = names(content);
  const hasFooter = email !== undefined && isMarketingMail(attempt);
  if (!isNamed && !hasFooter) return attempt;
  const isMail = channel === 'email' && typeof endpoint === 'string';
  const link = url({ app, person, ...(isMail ? { address: endpoint } : {}) });
  return {
    ...attempt,
    ...(isNamed ? { content: replaced(content, link) as RenderedContent } : {}),
    ...(email === undefined ? {} : { email: { ...email, preferencesUrl: link } }),
  };
}

/** Most contents do not, and are not walked. */
function names(content: RenderedContent): boolean {
  const { body, title, image, deepLink, buttons, data, payload } = content;
  if (isNamedIn(body) || isNamedIn(title) || isNamedIn(image) || isNamedIn(deepLink)) return true;
  return [buttons, data, payload].some(
    (part) => part !== undefined && isNamedIn(JSON.stringify(part)),
  );
}

function isNamedIn(text: string | undefined): boolean {
  return text?.includes('preferences.engage.invalid') === true;
}

const encodedPlaceholder = encodeURIComponent(preferencesPlaceholder);

function replaced(value: unknown, link: string): unknown {
  if (typeof value === 'string')
    return isNamedIn(value)
      ? value
          .replaceAll(preferencesPlaceholder, () => link)
          .replaceAll(encodedPlaceholder, () => encodeURIComponent(link))
      : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, link));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, link)]),
  );
}
