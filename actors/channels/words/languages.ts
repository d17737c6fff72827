// Which of the languages that there are a person gets: region, then base language. The one rule for
// localizations, for words of ours and of an app, and for the languages of providers.

import { languageKey, shortened } from './language-tag.ts';

/** The values by language, in `languageKey`'s form. */
type ByLanguage<Value> = Readonly<Record<string, Value>>;

/** The value for a language, in any spelling. */
export function forLanguage<Value>(
  table: ByLanguage<Value>,
  language: string | undefined,
): Value | undefined {
  const key = chosenLanguage(table, language);
  return key === undefined ? undefined : table[key];
}

/**
 * The key of the language that fits best; `undefined` if none does. A regional language fits its
 * own region alone: a reader of `pt` does not get `pt-br`.
 */
export function chosenLanguage(
  table: ByLanguage<unknown>,
  language: string | undefined,
): string | undefined {
  if (language === undefined) return undefined;
  for (const key of choicesFor(language)) if (Object.hasOwn(table, key)) return key;
  return undefined;
}

const keptMax = 4_096;
const kept = new Map<string, readonly string[]>();

/** The keys to look for, the best first. */
function choicesFor(language: string): readonly string[] {
  let choices = kept.get(language);
  if (choices === undefined) {
    choices = [...new Set(written(languageKey(language) ?? language))];
    if (kept.size >= keptMax) kept.clear();
    kept.set(language, choices);
  }
  return choices;
}

/** With the names that tables stored before they were canonical may have. */
function* written(language: string): Generator<string> {
  for (const key of choices(language)) {
    yield key;
    const [name = ''] = key.split('-', 1);
    const old = Object.hasOwn(oldNames, name) ? oldNames[name] : undefined;
    if (old !== undefined) yield old + key.slice(name.length);
  }
}

const oldNames: Readonly<Record<string, string>> = {
  fil: 'tl',
  he: 'iw',
  id: 'in',
  jv: 'jw',
  nb: 'no',
  ro: 'mo',
  yi: 'ji',
};

function* choices(language: string): Generator<string> {
  let key: string | undefined = language;
  let locale = localeOf(key);
  // Without what stands behind the region, such as a variant.
  while (locale === undefined || key !== coreOf(locale)) {
    yield key;
    key = shortened(key);
    if (key === undefined) return;
    locale = localeOf(key);
  }
  const likely = locale.maximize();
  yield* regionThenBase(key, locale, likely);
  const wider = Object.hasOwn(widerNames, locale.language)
    ? widerNames[locale.language]
    : undefined;
  if (wider === undefined) return;
  yield* choices(joined(wider, likely.script, locale.region ?? likely.region));
}

/** Languages whose readers also read another one. */
const widerNames: Readonly<Record<string, string>> = { nn: 'nb', yue: 'zh' };

/**
 * A likely script counts as if it were written: `zh-hk` is `zh-hant-hk`. For a reader who names a
 * script, texts in that script come before all others.
 */
function regionThenBase(key: string, locale: Intl.Locale, likely: Intl.Locale): readonly string[] {
  const { language, script, region } = locale;
  if (likely.script === undefined) return [key, language];
  const inScript = joined(language, likely.script);
  if (region === undefined && script === undefined) return [key, inScript];
  const place = joined(language, region ?? likely.region);
  const places = [
    key,
    // A script without a region means its likely region: `zh-hant` is `zh-tw`.
    ...(region !== undefined || scriptOf(place) === script ? [place] : []),
    joined(language, likely.script, region ?? likely.region),
    ...(language === 'es' && latinAmerica.has(region ?? '') ? ['es-419'] : []),
    inScript,
    language,
  ];
  if (script === undefined) return places;
  const isReadable = (one: string) => one === key || scriptOf(one) === script;
  return [...places.filter(isReadable), ...places.filter((one) => !isReadable(one))];
}

/** The countries of `es-419`. Source: CLDR, parentLocales. */
const latinAmerica: ReadonlySet<string> = new Set(
  'AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE'.split(' '),
);

function scriptOf(key: string): string | undefined {
  return localeOf(key)?.maximize().script;
}

/** Language, script and region. */
function coreOf({ language, script, region }: Intl.Locale): string {
  return joined(language, script, region);
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .join('-')
    .toLowerCase();
}

function localeOf(key: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(key);
  } catch {
    return undefined;
  }
}
