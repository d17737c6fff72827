import t from 'tap';
import { openLabel, unsubscribeLabel } from '../../../../actors/channels/port/wording.ts';
import { acceptedLanguages, pageWordNames, pageWords } from '../../../../http/track/page-words.ts';

const languages = [
  ...['ar', 'bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fil', 'fr', 'he'],
  ...['hi', 'hr', 'hu', 'id', 'it', 'ja', 'km', 'ko', 'lo', 'ms', 'my', 'nb', 'nl', 'pl', 'pt'],
  ...['ro', 'ru', 'sk', 'sv', 'th', 'tr', 'uk', 'vi', 'zh-hans', 'zh-hant'],
];

t.test('40 languages have every word, and a label that fits on a button', async (t) => {
  t.equal(languages.length, 40);
  const english = pageWords(['en'], undefined);
  for (const language of languages) {
    const isEnglish = language === 'en';
    t.ok(openLabel({ language }).length <= 20, language);
    t.equal(openLabel({ language }) === 'Open', isEnglish, language);
    t.equal(unsubscribeLabel({ language }) === 'Unsubscribe', isEnglish, language);
    const page = pageWords([language], undefined);
    for (const name of [...pageWordNames, 'unknownText', 'unknownLinkText', 'tryAgain'] as const) {
      t.equal(page.say(name) === english.say(name), isEnglish, `${language} ${name}`);
      for (const part of ['{app}', '{address}'])
        t.equal(
          page.say(name).includes(part),
          english.say(name).includes(part),
          `${language} ${name}`,
        );
    }
  }
});

t.test('a word is chosen as content is: region, base language, then the default', async (t) => {
  const cases = [
    ['vi-vn', 'Mở'],
    ['zh', '打开'],
    ['zh-cn', '打开'],
    ['zh-hk', '開啟'],
    ['zh-hant-tw', '開啟'],
    ['no', 'Åpne'],
    ['tl-ph', 'Buksan'],
    ['xx', 'Open'],
    [undefined, 'Open'],
  ] as const;
  for (const [language, word] of cases) t.equal(openLabel({ language }), word, language ?? 'none');
});

t.test('an app replaces each word, for one language or for all', async (t) => {
  const wording = { vi: { open: 'Xem' }, default: { open: 'View', unsubscribe: 'Leave' } };
  t.equal(openLabel({ language: 'vi-vn', wording }), 'Xem');
  t.equal(openLabel({ language: 'th', wording }), 'View');
  t.equal(openLabel({ wording }), 'View');
  t.equal(unsubscribeLabel({ language: 'vi', wording }), 'Leave');
  t.equal(unsubscribeLabel({ language: 'vi' }, 'Bye'), 'Bye', 'the text of the email settings');
  const own = { vi: { unsubscribe: 'Thôi' } };
  t.equal(unsubscribeLabel({ language: 'vi', wording: own }, 'Bye'), 'Thôi');
  t.equal(unsubscribeLabel({ language: 'th', wording: own }, 'Bye'), 'Bye');
});

t.test('a browser’s languages are read by their weight', async (t) => {
  t.same(acceptedLanguages('en;q=0.3, vi-VN, *;q=0.1, th;q=0.8, xx;q=0'), ['vi-VN', 'th', 'en']);
  t.same(acceptedLanguages(undefined), []);
  t.same(acceptedLanguages(''), ['']);
});
