import t from 'tap';
import { canonicalLanguage, languageKey } from '../../../../actors/channels/words/language-tag.ts';

t.test('a tag has one form, however it was written', async (t) => {
  const forms: Readonly<Record<string, readonly string[]>> = {
    'en-us': ['en-US', 'en_US', 'EN-us', ' en-US ', 'en_US.UTF-8', 'en_US_POSIX', 'en-US-u-hc-h12'],
    id: ['id', 'in', 'IN', 'in_', 'in-'],
    'id-id': ['in_ID', 'in-id', 'id-ID', 'in_ID.UTF-8@calendar=islamic'],
    he: ['he', 'iw'],
    'he-il': ['iw_IL', 'he-IL'],
    yi: ['ji', 'yi'],
    jv: ['jw', 'jv'],
    'ro-md': ['mo-MD', 'ro-MD'],
    'fil-ph': ['tl_PH', 'fil-PH'],
    'nb-no': ['no_NO', 'nb-NO', 'nb_no'],
    'nn-no': ['no_NO_NY', 'nn-NO'],
    'sr-latn': ['sh', 'sr-Latn', 'sr@latin', 'sr_#Latn'],
    'sr-latn-rs': ['sh_RS', 'sr_RS@latin', 'sr_RS.UTF-8@latin', 'sr_RS_#Latn', 'sr-Latn-YU'],
    'zh-hant-tw': ['zh_TW_#Hant', 'zh-Hant-TW', 'zh_Hant_TW', 'zh-CHT-TW'],
    'zh-hant': ['zh__#Hant', 'zh-CHT', 'zh_Hant'],
    'zh-hans-cn': ['zh_CN_#Hans', 'zh-cmn-Hans-CN', 'cmn-Hans-CN'],
    'yue-hk': ['zh-yue-HK', 'yue-HK'],
    'en-gb': ['en-UK', 'en_uk', 'en-GB'],
    'de-de': ['de_DE@euro', 'de_DE.ISO-8859-15@euro', 'de-DD'],
    'de-x-formal': ['de-x-formal'],
  };
  for (const [key, tags] of Object.entries(forms))
    for (const tag of tags) t.equal(languageKey(tag), key, tag);
});

t.test('what is no tag has no form', async (t) => {
  const bad = ['', ' ', '-', '_', '../x', 'constructor', '__proto__', 'pt--br', 'en-US,en;q=0.9'];
  for (const tag of [...bad, '日本語', 'x'.repeat(65), 5, true, null, undefined, ['pt'], {}])
    t.equal(languageKey(tag), undefined, String(tag));
});

t.test('a tag for people keeps what is part of one', async (t) => {
  const cases: Readonly<Record<string, string | undefined>> = {
    in_ID: 'id-ID',
    'zh_TW_#Hant': 'zh-Hant-TW',
    'pt-br': 'pt-BR',
    'th_TH_TH_#u-nu-thai': 'th-TH',
    x: undefined,
    'not a language': undefined,
  };
  for (const [tag, written] of Object.entries(cases)) t.equal(canonicalLanguage(tag), written, tag);
});

t.test('many tags that nobody has again leave the common ones readable', async (t) => {
  for (let i = 0; i < 10_000; i++) languageKey(`en-x-${i}`);
  t.equal(languageKey('in_ID'), 'id-id');
});
