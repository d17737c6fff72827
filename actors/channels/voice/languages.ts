// The carrier's languages, each with a voice that speaks it: a language without its own voice fails
// or is read by an English one. Source: Twilio, "Text-to-Speech", Google's standard voices. Nothing
// speaks Khmer, Lao, Burmese, Persian or Croatian there.

import { forLanguage } from '../words/languages.ts';

/** A voice as `<Say>` takes it. */
export interface CarrierVoice {
  readonly language: string;
  readonly voice: string;
}

/** By language tag: the carrier's language and the letter of its standard voice. */
const table: Readonly<Record<string, readonly [language: string, letter: string]>> = {
  af: ['af-ZA', 'A'],
  ar: ['ar-XA', 'A'],
  bg: ['bg-BG', 'A'],
  bn: ['bn-IN', 'C'],
  ca: ['ca-ES', 'A'],
  cs: ['cs-CZ', 'A'],
  da: ['da-DK', 'A'],
  de: ['de-DE', 'A'],
  el: ['el-GR', 'A'],
  en: ['en-US', 'C'],
  'en-au': ['en-AU', 'A'],
  'en-gb': ['en-GB', 'A'],
  'en-in': ['en-IN', 'A'],
  'en-nz': ['en-AU', 'A'],
  es: ['es-ES', 'B'],
  'es-419': ['es-US', 'A'],
  'es-mx': ['es-US', 'A'],
  'es-us': ['es-US', 'A'],
  eu: ['eu-ES', 'A'],
  fi: ['fi-FI', 'A'],
  fil: ['fil-PH', 'A'],
  fr: ['fr-FR', 'A'],
  'fr-ca': ['fr-CA', 'A'],
  gl: ['gl-ES', 'A'],
  gu: ['gu-IN', 'C'],
  he: ['he-IL', 'A'],
  hi: ['hi-IN', 'A'],
  hu: ['hu-HU', 'A'],
  id: ['id-ID', 'A'],
  is: ['is-IS', 'A'],
  it: ['it-IT', 'B'],
  ja: ['ja-JP', 'B'],
  kn: ['kn-IN', 'C'],
  ko: ['ko-KR', 'A'],
  lt: ['lt-LT', 'A'],
  lv: ['lv-LV', 'A'],
  mr: ['mr-IN', 'A'],
  ms: ['ms-MY', 'A'],
  nb: ['nb-NO', 'A'],
  nl: ['nl-NL', 'A'],
  'nl-be': ['nl-BE', 'A'],
  pa: ['pa-IN', 'A'],
  pl: ['pl-PL', 'A'],
  pt: ['pt-BR', 'B'],
  'pt-pt': ['pt-PT', 'A'],
  ro: ['ro-RO', 'A'],
  ru: ['ru-RU', 'A'],
  sk: ['sk-SK', 'A'],
  sr: ['sr-RS', 'A'],
  sv: ['sv-SE', 'A'],
  ta: ['ta-IN', 'C'],
  te: ['te-IN', 'A'],
  th: ['th-TH', 'A'],
  tr: ['tr-TR', 'A'],
  uk: ['uk-UA', 'A'],
  vi: ['vi-VN', 'A'],
  yue: ['yue-HK', 'A'],
  'zh-hans': ['cmn-CN', 'A'],
  'zh-hant': ['cmn-TW', 'A'],
  'zh-hk': ['yue-HK', 'A'],
};

/** The voice for a tag; `undefined` if nothing speaks it. */
export function carrierVoice(language: string | undefined): CarrierVoice | undefined {
  const row = forLanguage(table, language);
  return row && { language: row[0], voice: `Google.${row[0]}-Standard-${row[1]}` };
}
