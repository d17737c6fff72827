// Meta's language codes for a person's language. Source: Meta's Cloud API, "Supported languages".
// A language that is not listed has its base code.

import { forLanguage } from '../words/languages.ts';

/** Languages whose bare tag Meta writes with a region, and regions that it lacks. */
const codes: Readonly<Record<string, string>> = {
  pt: 'pt_BR',
  'pt-pt': 'pt_PT',
  'zh-hans': 'zh_CN',
  'zh-hant': 'zh_TW',
  'zh-hk': 'zh_HK',
  en: 'en',
  'en-gb': 'en_GB',
  'en-us': 'en_US',
  es: 'es',
  'es-ar': 'es_AR',
  'es-es': 'es_ES',
  'es-mx': 'es_MX',
  rw: 'rw_RW',
  ky: 'ky_KG',
  nb: 'nb',
  fil: 'fil',
  id: 'id',
  he: 'he',
};

/** The code of an approved translation, for a tag in `languageKey`'s form. */
export function metaLanguage(language: string): string {
  return forLanguage(codes, language) ?? (language.split('-', 1)[0] as string);
}
