// Chooses a message's language: region, then base language, then the message itself. `en_US`,
// `en-us` and `EN-US` are equal. A regional variant is never used for the bare language: a reader
// of `pt` gets the default, not `pt-BR`.

import type { Fault } from '../../engine/base/fault.ts';

/** What a variant may replace; the rest comes from the message. */
type Localized = object;

/** A language tag in comparable form, or `undefined` for anything else. */
export function languageKey(tag: unknown): string | undefined {
  if (typeof tag !== 'string' || tag.length > 64) return undefined;
  // POSIX locales have an encoding and a modifier: `de_DE.UTF-8@euro`.
  const key = (tag.split(/[.@]/, 1)[0] ?? '').trim().toLowerCase().replaceAll('_', '-');
  return /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/.test(key) ? key : undefined;
}

/** The tag `language`, else the tag `locale`. */
export function languageOf(tags: Readonly<Record<string, unknown>>): string | undefined {
  const tag = (name: string) => (Object.hasOwn(tags, name) ? languageKey(tags[name]) : undefined);
  return tag('language') ?? tag('locale');
}

/**
 * The key of the language's variant, shortened from the end (`zh-hant-tw`, `zh-hant`, `zh`);
 * `undefined` for the default. Keys are in `languageKey`'s form.
 */
export function chooseLocalization(
  localizations: Readonly<Record<string, Localized>>,
  language: string | undefined,
): string | undefined {
  let key = language;
  while (key !== undefined) {
    if (Object.hasOwn(localizations, key)) return key;
    const end = key.lastIndexOf('-');
    key = end < 0 ? undefined : key.slice(0, end);
  }
  return undefined;
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
  const key = chooseLocalization(localizations, languageOf(tags));
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
