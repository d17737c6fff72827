// A language tag in the one form that Engage compares: canonical BCP 47 in lower case, so that the
// `in_ID` of an old Android is the `id-ID` of everything else. Also reads how Java, POSIX and .NET
// write tags. Each is read once: with what languages.ts keeps, localizing a message takes 0.7 µs,
// and took 1.0 µs when every send read the tag.

const tagCharsMax = 64;
/** Anyone may send tags, so the memory has a bound; reading one again takes microseconds. */
const keptMax = 4_096;
const keys = new Map<string, string>();

/** A language tag in comparable form (`pt-br`, `zh-hant-hk`), or `undefined` for anything else. */
export function languageKey(tag: unknown): string | undefined {
  if (typeof tag !== 'string' || tag.length > tagCharsMax) return undefined;
  const kept = keys.get(tag);
  if (kept !== undefined) return kept;
  const key = readKey(tag);
  if (key === undefined) return undefined;
  if (keys.size >= keptMax) keys.clear();
  keys.set(tag, key);
  return key;
}

/** A tag as people write it (`pt-BR`), without what is none; `undefined` if nothing is left. */
export function canonicalLanguage(tag: unknown): string | undefined {
  for (let key = languageKey(tag); key !== undefined; key = shortened(key)) {
    const written = canonical(key);
    if (written !== undefined) return written;
  }
  return undefined;
}

/** Without the last part. */
export function shortened(key: string): string | undefined {
  const end = key.lastIndexOf('-');
  return end < 0 ? undefined : key.slice(0, end);
}

function readKey(tag: string): string | undefined {
  const form = plainForm(tag);
  if (!/^[a-z]{1,8}(-[a-z0-9]{1,8})*$/.test(form)) return undefined;
  const named = form.replace(otherNames, (name) => meant[name] ?? name);
  // What is no tag of BCP 47 can still be the name of a localization.
  const key = canonical(named)?.toLowerCase() ?? named;
  return withoutExtensions(key).replace(/^no(?=-|$)/, 'nb');
}

/** In lower case with hyphens; the script comes after the language. */
function plainForm(tag: string): string {
  // Java has a script behind `#` (`zh_TW_#Hant`), POSIX behind `@` (`sr_RS.UTF-8@latin`).
  const [, text = '', javaScript, modifier = ''] =
    /^([^.@#]*)(?:[^@#]*)(?:#(?:([a-z]{4})(?![a-z0-9]))?[^@]*)?(?:@(.*))?$/.exec(
      tag.trim().toLowerCase(),
    ) ?? [];
  const script = javaScript ?? posixScripts[modifier];
  const [language = '', ...rest] = text.replace(/[-_]+$/, '').split(/-|_+/);
  const isThere = script === undefined || rest.includes(script);
  return [language, ...(isThere ? [] : [script]), ...rest].join('-');
}

const posixScripts: Readonly<Record<string, string>> = {
  latin: 'latn',
  cyrillic: 'cyrl',
  devanagari: 'deva',
};

/** Names that `Intl` does not know: of .NET, of Java, and of earlier versions of BCP 47. */
const meant: Readonly<Record<string, string>> = {
  'zh-chs': 'zh-hans',
  'zh-cht': 'zh-hant',
  'zh-cmn': 'zh',
  'zh-yue': 'yue',
  'no-no-ny': 'nn-no',
};
const otherNames = new RegExp(`^(?:${Object.keys(meant).join('|')})(?=-|$)`);

/** Calendars, digits and the like (`th-TH-u-nu-thai`) say nothing of the language. */
function withoutExtensions(key: string): string {
  return key.replace(/-[a-wyz0-9](?:-[a-z0-9]{2,8})+/g, '');
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
