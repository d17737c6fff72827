// How a file that is not UTF-8 reads in each encoding, the likely ones first. A person decides by
// the readings, so the order is a guess from letters alone. The libraries that guess encodings know
// no Thai and no Vietnamese code page.

/** What browsers decode and programs still write. The order decides between equals. */
const encodings = [
  'windows-1252',
  'windows-874',
  'windows-1258',
  'windows-1254',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'koi8-r',
  'koi8-u',
  'iso-8859-2',
  'macintosh',
  'x-mac-cyrillic',
  'ibm866',
] as const;
export type Encoding = (typeof encodings)[number];

export interface Reading {
  readonly encoding: Encoding;
  readonly lines: readonly string[];
}

/**
 * Readings of all encodings that the lines can be in, the likely ones first. `languages` are those
 * of the browser: of two likely readings the one in their encoding is likelier.
 */
export function readingsOf(
  lines: readonly Uint8Array[],
  languages: readonly string[] = [],
): readonly Reading[] {
  const own = new Set(languages.map((one) => ofLanguage[one.slice(0, 2).toLowerCase()]));
  return encodings
    .flatMap((encoding) => {
      const read = readIn(encoding, lines);
      if (read === undefined) return [];
      const score = likelihood(encoding, read) + (own.has(encoding) ? 0.15 : 0);
      return [{ encoding, lines: read, score }];
    })
    .sort((one, other) => other.score - one.score)
    .map(({ encoding, lines: read }) => ({ encoding, lines: read }));
}

const ofLanguage: Readonly<Record<string, Encoding>> = {
  th: 'windows-874',
  vi: 'windows-1258',
  ...sameFor('windows-1250', ['pl', 'cs', 'sk', 'hu', 'sl', 'hr', 'ro', 'bs', 'sq']),
  ...sameFor('windows-1251', ['ru', 'uk', 'bg', 'be', 'mk', 'sr', 'kk', 'mn']),
  ...sameFor('windows-1257', ['lt', 'lv', 'et']),
  ...sameFor('windows-1256', ['ar', 'fa', 'ur']),
  tr: 'windows-1254',
  el: 'windows-1253',
  he: 'windows-1255',
  ja: 'shift_jis',
  ko: 'euc-kr',
};

function sameFor(encoding: Encoding, languages: readonly string[]): Record<string, Encoding> {
  return Object.fromEntries(languages.map((one) => [one, encoding]));
}

function readIn(encoding: Encoding, lines: readonly Uint8Array[]): readonly string[] | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    return lines.map((line) => decoder.decode(line).normalize('NFC').trim());
  } catch {
    return undefined;
  }
}

const latin: Partial<Record<Encoding, string>> = {
  'windows-1252': 'àáâãäåæçèéêëìíîïñòóôõöøùúûüýß',
  'windows-1250': 'ąćęłńóśźżáčďéěíňřšťúůýžöőüűäôľĺŕăâîşţđ',
  'iso-8859-2': 'ąćęłńóśźżáčďéěíňřšťúůýžöőüűäôľĺŕăâîşţđ',
  'windows-1254': 'çğıİöşüâîû',
  'windows-1257': 'āčēģīķļņšūžąęėįųõäöü',
  'windows-1258': 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
  macintosh: 'àáâãäåæçèéêëìíîïñòóôõöøùúûüß',
};
const russian = 'оеаинтсрвл';
/** The letters that make up most of a text. Without them a text would be nonsense of the script. */
const frequent: Partial<Record<Encoding, string>> = {
  ...latin,
  'windows-874': 'านรกอเงมยลีิ่้ัสทว',
  'windows-1251': russian,
  'koi8-r': russian,
  'koi8-u': `${russian}і`,
  'x-mac-cyrillic': russian,
  ibm866: russian,
  'windows-1253': 'αοιετσνηυρςάέήίόύώ',
  'windows-1255': 'יוהלארבתשמ',
  'windows-1256': 'الميونرتبةدعح',
};
const hanzi =
  '的一是不了人我在有中大来上国个和说们到地出文明小王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤海北京广州深圳市区路号客户姓名华伟芳娜秀英敏静丽强磊军洋勇艳杰涛超平刚桂' +
  '個來們國說張劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧葉蘇呂盧鐘譚陸範賈韋鄒邱閆龍賀顧龔萬錢嚴湯廣號客戶華偉麗強軍勇豔傑濤剛臺灣灣新北縣街樓' +
  '田中山本佐藤鈴木高橋伊渡辺小林加吉松井太郎花子美東京都大阪';

/** A mean over the letters beyond ASCII: what fits together counts for, what does not against. */
function likelihood(encoding: Encoding, lines: readonly string[]): number {
  let [score, letters] = [0, 0];
  const common = frequent[encoding] ?? hanzi;
  for (const line of lines) {
    let before = '';
    for (const letter of line) {
      if (letter > '\x7f') {
        letters++;
        score += worthOf(letter, before, common);
      } else if (/[a-z]/i.test(letter) && before > '\x7f' && isOfOtherScript(letter, before))
        score -= 2;
      before = letter;
    }
  }
  return letters === 0 ? Number.NEGATIVE_INFINITY : score / letters;
}

function worthOf(letter: string, before: string, common: string): number {
  if (/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(letter)) return -10;
  const isAfterLetter = /[\p{L}\p{M}]/u.test(before);
  if (/\p{M}/u.test(letter))
    return isAfterLetter && !isOfOtherScript(letter, before)
      ? common.includes(letter)
        ? 1.3
        : 0.8
      : -2;
  // Quotes, dashes, currencies and blanks stand anywhere; other signs not within a word.
  if (!/\p{L}/u.test(letter)) return /[’‘“”„–—…«»€£°©®№\u00a0、。（）]/u.test(letter) ? 0 : -1;
  if (isAfterLetter && isOfOtherScript(letter, before)) return -2;
  const low = letter.toLowerCase();
  if (
    isAfterLetter &&
    low !== letter &&
    before.toLowerCase() === before &&
    before !== before.toUpperCase()
  )
    return -2;
  let worth =
    common.includes(low) || common.includes(letter)
      ? 1.3
      : /\p{Script=Hangul}/u.test(letter)
        ? 1.2
        : 0.5;
  if (/[\uff61-\uff9f]/.test(letter)) worth = 0.2;
  else if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) worth = 1.3;
  else if (/\p{Script=Han}/u.test(letter) && worth === 0.5) worth = 0.8;
  // Latin letters beyond ASCII stand among those of ASCII.
  if (/\p{Script=Latin}/u.test(letter) && before > '\x7f' && isAfterLetter) worth -= 0.9;
  return worth;
}

const scripts = ['Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Thai', 'Hangul'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
);

function isOfOtherScript(letter: string, before: string): boolean {
  if (/\p{Script=Inherited}/u.test(letter)) return false;
  return (
    scripts.findIndex((one) => one.test(letter)) !== scripts.findIndex((one) => one.test(before))
  );
}
