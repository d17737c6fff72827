// Finds a person's language in a table of ours: region, then base language, as for content. Pure.
// Tables are keyed by lower-case tags; older and regional codes of the same language are aliases.

/** Codes that phones send for a language whose tables use another. */
const aliases: Readonly<Record<string, string>> = {
  zh: 'zh-hans',
  'zh-cn': 'zh-hans',
  'zh-sg': 'zh-hans',
  'zh-tw': 'zh-hant',
  'zh-hk': 'zh-hant',
  'zh-mo': 'zh-hant',
  no: 'nb',
  nn: 'nb',
  tl: 'fil',
  in: 'id',
  iw: 'he',
};

/** The table's value for a tag in `languageKey`'s form, shortened from the end. */
export function forLanguage<Value>(
  table: Readonly<Record<string, Value>>,
  language: string | undefined,
): Value | undefined {
  let key = language;
  while (key !== undefined) {
    if (Object.hasOwn(table, key)) return table[key];
    const alias = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
    if (alias !== undefined && Object.hasOwn(table, alias)) return table[alias];
    const end = key.lastIndexOf('-');
    key = end < 0 ? undefined : key.slice(0, end);
  }
  return undefined;
}
