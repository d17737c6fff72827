import fc from 'fast-check';
import t from 'tap';
import { mayBeOptOut } from '../../../../actors/channels/words/doubtful-words.ts';
import { keywordTable } from '../../../../actors/channels/words/keyword-table.ts';
import { keywordIn, ownKeyword, saidIn } from '../../../../actors/channels/words/keywords.ts';
import { limits } from '../../../../actors/limits.ts';
import { tries } from '../../../support/tries.ts';

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
    'do not stop',
    'please stop by',
    'please',
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

t.test('emoji, marks, courtesy and repetition around a STOP do not hide it', async (t) => {
  const texts = [
    ...['stop 🙏', '🛑 STOP', '🛑🛑STOP🛑🛑', 'stop 👍🏽', 'STOP ✋️', '*STOP*'],
    ...['Stop. Thank you', 'please stop', 'Pls stop now!!', 'stop pls, thanks', 'STOP STOP stop'],
    ...['Kindly unsubscribe. Thank you so much 🙏', 'UNREG', 'unreg ya kak', 'Tolong berhenti'],
    ...['BAJA por favor', 'parar, obrigado', 'Arrêt s’il vous plaît', 'STOP merci', 'Stopp, danke'],
    ...[
      'dừng ạ',
      'Hủy giùm',
      'từ chối, cảm ơn',
      'หยุดครับ',
      'กรุณาหยุด ขอบคุณค่ะ',
      '请退订，谢谢',
      '停止してください',
    ],
    ...['수신거부 부탁드립니다', 'стоп пожалуйста', 'توقف من فضلك', 'İptal lütfen', 'कृपया रोकें'],
  ];
  for (const text of texts) t.same(saidIn(text), { keyword: 'stop' }, text);
  const others = ['yes please', 'start please', 'thanks', 'no thanks', 'help please'];
  for (const text of others) t.equal(saidIn(text).keyword, undefined, text);
});

t.test('words against promotions end marketing alone, in any language and form', async (t) => {
  const labels = [
    ...[
      'Stop promotions',
      'Stop marketing',
      'Detener promociones',
      'Parar promoções',
      'No more ads',
    ],
    ...['Arrêter les promotions', 'Interrompi promozioni', 'Hentikan promosi', 'Ngừng khuyến mãi'],
    ...[
      'หยุดโปรโมชั่น',
      '停止推广',
      '停止促銷',
      'プロモーションを停止',
      '프로모션 수신 거부',
      'Werbung beenden',
    ],
    ...['Остановить рекламу', 'Зупинити рекламу', 'Promosyonları durdur', 'إيقاف العروض الترويجية'],
    ...[
      'הפסקת מבצעים',
      'प्रमोशन रोकें',
      'Promoties stoppen',
      'Zatrzymaj promocje',
      'Itigil ang mga promo',
    ],
  ];
  const forms: ((label: string) => string)[] = [
    (label) => label,
    (label) => label.toUpperCase(),
    (label) => `  ${label.normalize('NFD')} `,
    (label) => `🚫 ${label}!`,
    (label) => label.replace(' ', '\u3000'),
    (label) => `${label} 🙏 thanks`,
  ];
  for (const label of labels)
    for (const form of forms)
      t.same(saidIn(form(label)), { keyword: 'stop', about: 'marketing' }, form(label));
  t.same(saidIn('Yes', 'Stop promotions').about, undefined, 'the first text counts');
  t.match(saidIn('Not interested', 'stop promotions'), { about: 'marketing' }, 'also a payload');
  for (const text of ['start promotions', 'More offers', 'Promotions', 'When does the promo stop'])
    t.equal(saidIn(text).keyword, undefined, text);
});

t.test('what may ask to be left alone is doubtful, and what only sounds so is not', async (t) => {
  const doubtful = [
    ...[
      'please stop sending me these',
      'STOP it',
      'remove me from the list',
      'hi, stop',
      'STOP 36111',
    ],
    ...['I don’t want to receive this', 'How do I unsubscribe?', 'no me envíen más mensajes'],
    ...[
      'não quero mais receber',
      'Arrêtez de m’envoyer ça',
      'Keine Nachrichten mehr!',
      'jangan kirim lagi',
    ],
    ...[
      'đừng gửi nữa',
      'อย่าส่งมาอีก',
      '不要再发了',
      '送らないで',
      '그만 보내세요',
      'не пишите мне больше',
    ],
    ...[
      'Stop\nSent from my iPhone',
      'Pls STOP msg',
      'stop '.repeat(21),
      'STOP. You have the wrong number.',
      'STOP! I never signed up',
      'for the last time STOP',
      'I already replied STOP three times',
      'Why do I still get these? I sent stop',
      'STOP, mauvais numéro, merci de me retirer',
      'Bitte STOP, falsche Nummer',
      'Stop, sai số rồi',
    ],
    ...['basta', 'bitte keine SMS', 'Lasst mich in Ruhe', 'đừng nhắn nữa'],
    ...['やめてください', '别再打扰', 'хватит'],
  ];
  const plain = [
    ...['I will be at the STOP sign', 'We never STOP', 'see you. Bus stop, five', 'OK THANKS'],
    ...[
      'don’t stop',
      'stop by the shop tomorrow',
      'unstoppable',
      'Where is the bus stop?',
      'hello',
    ],
    ...[
      'we never stop',
      'cancel my order',
      'thanks!',
      '',
      '👍',
      'it went to my spam folder',
      'jangan berhenti',
    ],
  ];
  for (const text of doubtful) {
    t.equal(saidIn(text).keyword, undefined, text);
    t.ok(mayBeOptOut(text), text);
  }
  for (const text of plain) t.notOk(mayBeOptOut(text), text);
  t.equal(saidIn('x'.repeat(9_000)).text?.length, limits.doubtfulCharsMax);
});

t.test('any text at all is judged', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      t.ok([undefined, 'stop', 'start', 'help'].includes(keywordIn(text)));
      t.type(mayBeOptOut(text), 'boolean');
    }),
  );
});
