// Chooses a message's language: region, then base language, then the message itself
// (`channels/words/languages.ts`). The tag `language` of a person comes before their `locale`.

import type { Fault } from '../../../engine/base/fault.ts';
import { languageKey } from '../../channels/words/language-tag.ts';
import { chosenLanguage } from '../../channels/words/languages.ts';

/** What a variant may replace; the rest comes from the message. */
type Localized = object;

/** The tag `language`, else the tag `locale`. */
export function languageOf(tags: Readonly<Record<string, unknown>>): string | undefined {
  const tag = (name: string) => (Object.hasOwn(tags, name) ? languageKey(tags[name]) : undefined);
  return tag('language') ?? tag('locale');
}

/** The variant of a localized message, so that a fault can name the member as written. */
export interface ChosenLanguage {
  readonly key: string;
  /** Its own members, as they were written. */
  readonly members: Localized;
}

const noVariant = { variant: null } as const;

/** The message in the chosen variant, without `localizations`; `null` if it has none that fits. */
export function localize<
  T extends {
    readonly localizations?: Readonly<Record<string, Partial<Omit<T, 'localizations'>>>>;
  },
>(
  content: T,
  tags: Readonly<Record<string, unknown>>,
): Omit<T, 'localizations'> & { readonly variant?: ChosenLanguage | null } {
  if (content.localizations === undefined) return content;
  const { localizations, ...own } = content;
  const key = chosenLanguage(localizations, languageOf(tags));
  const members = key === undefined ? undefined : localizations[key];
  if (key === undefined || members === undefined) return Object.assign(own, noVariant);
  return { ...own, ...members, variant: { key, members } };
}

/** Names the member as written: `body` becomes `localizations.vi.body`. */
export function faultAsWritten(fault: Fault, variant: ChosenLanguage | null | undefined): Fault {
  const { field } = fault;
  if (variant == null || field === undefined) return fault;
  const [member = ''] = field.split(/[.[]/, 1);
  if (!Object.hasOwn(variant.members, member)) return fault;
  const place = `localizations.${variant.key}.`;
  return { ...fault, field: place + field, message: place + fault.message };
}
