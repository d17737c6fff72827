// Which language of a message a person gets: region, then base language, then the message itself.
// Language tags are compared in one form, so `en_US`, `en-us` and `EN-US` are one. A variant that
// is written for a region is never used for the bare language: somebody who reads `pt` gets the
// default rather than `pt-BR`.

import type { Fault } from '../../engine/base/fault.ts';

/** What a variant may replace; what it leaves out is the message's own. */
type Localized = object;

/** A language tag in the form that tags are compared in, or `undefined` for what is none. */
export function languageKey(tag: unknown): string | undefined {
  if (typeof tag !== 'string' || tag.length > 64) return undefined;
  // POSIX locales carry an encoding and a modifier: `de_DE.UTF-8@euro`.
  const key = (tag.split(/[.@]/, 1)[0] ?? '').trim().toLowerCase().replaceAll('_', '-');
  return /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/.test(key) ? key : undefined;
}

/** The person's language: tag `language`, else tag `locale`. */
export function languageOf(tags: Readonly<Record<string, unknown>>): string | undefined {
  const tag = (name: string) => (Object.hasOwn(tags, name) ? languageKey(tags[name]) : undefined);
  return tag('language') ?? tag('locale');
}

/**
 * The key of the variant for a language: the tag itself, then the tag without its last part, and so
 * on (`zh-hant-tw`, `zh-hant`, `zh`). `undefined` means the default. Keys of `localizations` are in
 * `languageKey`'s form.
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

/**
 * The variant that a localized message took members from, so that a fault can name the member that
 * was written.
 */
export interface ChosenLanguage {
  /** Its key in `localizations`. */
  readonly key: string;
  /** Its own members, as they were written. */
  readonly members: Localized;
}

/**
 * The message as one person gets it: the chosen variant's members over its own, and no variants
 * left. `variant` says which was chosen; it is absent where the message speaks for itself.
 */
export function localize<
  T extends {
    readonly localizations?: Readonly<Record<string, Partial<Omit<T, 'localizations'>>>>;
  },
>(
  content: T,
  tags: Readonly<Record<string, unknown>>,
): Omit<T, 'localizations'> & { readonly variant?: ChosenLanguage } {
  if (content.localizations === undefined) return content;
  const { localizations, ...own } = content;
  const key = chooseLocalization(localizations, languageOf(tags));
  const members = key === undefined ? undefined : localizations[key];
  if (key === undefined || members === undefined) return own;
  return { ...own, ...members, variant: { key, members } };
}

/**
 * A fault of a localized message, about the member that was written: `body` becomes
 * `localizations.vi.body`.
 */
export function faultAsWritten(fault: Fault, variant: ChosenLanguage | undefined): Fault {
  const { field } = fault;
  if (variant === undefined || field === undefined) return fault;
  const [member = ''] = field.split(/[.[]/, 1);
  if (!Object.hasOwn(variant.members, member)) return fault;
  const place = `localizations.${variant.key}.`;
  return { ...fault, field: place + field, message: place + fault.message };
}
