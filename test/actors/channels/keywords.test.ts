import fc from 'fast-check';
import t from 'tap';
import { keywordTable } from '../../../actors/channels/keyword-table.ts';
import { keywordIn, ownKeyword, saidIn } from '../../../actors/channels/keywords.ts';
import { tries } from '../../support/tries.ts';

const words = {
  stop: [
    ...['stop', 'stopall', 'stop all', 'unsubscribe', 'end', 'quit', 'cancel', 'revoke', 'optout'],
    ...['opt-out', 'opt out', 'remove', 'baja', 'arret', 'td', 'parar'],
  ],
  start: ['start', 'unstop', 'yes', 'alta', 'demarrer', 'comecar'],
  help: ['help', 'info'],
};
const keywords = Object.entries(words).flatMap(([keyword, list]) =>
  list.map((word) => [keyword, word] as const),
);

t.test(
  'a word of the lists counts in any case, with spaces around it and marks behind it',
  async (t) => {
    const around = fc.constantFrom('', ' ', '  ', '\n', '\t');
    const behind = fc.constantFrom('', '.', '!', '!!', '…', ' .', '?', '。');
    const cased = (word: string) =>
      fc.constantFrom(word, word.toUpperCase(), (word[0] ?? '').toUpperCase() + word.slice(1));
    for (const [keyword, word] of keywords)
      fc.assert(
        fc.property(cased(word), around, behind, around, (text, before, mark, after) => {
          t.equal(keywordIn(before + text + mark + after), keyword, word);
        }),
        { numRuns: tries(40) },
      );
  },
);

t.test('accents may be written or left out', async (t) => {
  const cases = [
    ['ARRÊT', 'stop'],
    ['arret', 'stop'],
    ['COMEÇAR', 'start'],
    ['comec\u0327ar', 'start'],
    ['Démarrer!', 'start'],
    ['ＳＴＯＰ', 'stop'],
    ['“Stop”', 'stop'],
    ['stop  all', 'stop'],
    ['opt-out', 'stop'],
  ] as const;
  for (const [text, keyword] of cases) t.equal(keywordIn(text), keyword, text);
});

t.test('STOP and START are understood in the languages of phones', async (t) => {
  const stops = [
    ...['DỪNG', 'Ngừng', 'HỦY', 'Huỷ', 'HUY', 'TỪ CHỐI', 'Tu choi', 'Hủy đăng ký', 'huy dang ky'],
    ...['หยุด', 'ยกเลิก', 'ຢຸດ', 'ឈប់', 'ရပ်', 'BERHENTI', 'Henti', 'batal', 'TIGIL', 'itigil'],
    ...[
      '停止',
      '退订',
      '退訂',
      '中止',
      '取消订阅',
      '配信停止',
      '수신거부',
      '수신 거부',
      '무료수신거부',
    ],
    ...['СТОП', 'Отписаться', 'توقف', 'إلغاء', 'الغاء', 'إيقاف', 'रोकें', 'बंद करें', 'বন্ধ'],
    ...[
      'Stopp',
      'Abmelden',
      'İPTAL',
      'iptal',
      'ΔΙΑΚΟΠΗ',
      'הסר',
      '「停止」',
      '停止。',
      '\u200fتوقف\u200f',
    ],
  ];
  for (const text of stops) t.equal(keywordIn(text), 'stop', text);
  const starts = [
    ...['BẮT ĐẦU', 'bat dau', 'Đăng ký', 'DANG KY', 'เริ่ม', 'สมัคร', 'MULAI', 'Mula', 'SIMULAN'],
    ...[
      '开始',
      '開始',
      '订阅',
      '再開',
      '수신동의',
      '시작',
      'СТАРТ',
      'Подписаться',
      'ابدأ',
      'शुरू करें',
    ],
  ];
  for (const text of starts) t.equal(keywordIn(text), 'start', text);
});

t.test('a word that means something else without its accents counts only with them', async (t) => {
  // "dung" is what a phone without accents makes of "đúng": right.
  for (const text of ['dung', 'đúng', 'Đừng', 'หยด', 'रक', '停', 'dur'])
    t.equal(keywordIn(text), undefined, text);
});

t.test('no word of the table has two meanings', async (t) => {
  const meanings = new Map<string, string>();
  for (const lists of keywordTable) {
    for (const keyword of ['stop', 'start', 'help'] as const)
      for (const word of lists[keyword] ?? []) {
        t.equal(keywordIn(word), keyword, word);
        const folded = word.normalize('NFKC').toLowerCase();
        t.equal(meanings.get(folded) ?? keyword, keyword, `${word} has one meaning`);
        meanings.set(folded, keyword);
      }
  }
});

t.test('an app’s own words are compared as the table’s are', async (t) => {
  const own = { stop: ['Genug', 'Thôi', '여기까지'], start: ['Wieder da'] };
  for (const text of ['GENUG!', 'thoi', 'Thôi.', '여기까지'])
    t.equal(ownKeyword(own, saidIn(text).said), 'stop', text);
  t.equal(ownKeyword(own, saidIn(' wieder  DA ').said), 'start');
  for (const text of ['genug davon', 'nochmal', '', 'x'.repeat(41)])
    t.equal(ownKeyword(own, saidIn(text).said), undefined, text);
  t.same(saidIn('STOP'), { keyword: 'stop' }, 'a known word needs no second look');
});

t.test('a message that only holds a keyword is none', async (t) => {
  const texts = [
    'stop please',
    'please stop',
    'do not stop',
    'stopped',
    'yes please',
    'the end',
    'endless',
    '',
    '.',
    `stop${' '.repeat(100)}`,
    'S T O P',
  ];
  for (const text of texts) t.equal(keywordIn(text), undefined, text);
});

t.test('any text at all is judged', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      t.ok([undefined, 'stop', 'start', 'help'].includes(keywordIn(text)));
    }),
  );
});
