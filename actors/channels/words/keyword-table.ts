// The words for STOP, START and HELP by language. A language is a row; a word that lost its meaning
// without accents is in `accented`. Words that are also a plausible answer to a question ("no",
// Tagalog "pare", Turkish "dur") are left out: an opt-out ends every message to a person.

export type Keyword = 'stop' | 'start' | 'help';

/** Where a row's words come from. */
type Source =
  /** Twilio, "Default opt-out keywords"; AWS End User Messaging, "Required opt-out keywords". */
  | 'carriers'
  /** What Google Messages sends by country; Vonage, "RCS Subscribe and Unsubscribe". */
  | 'google'
  /** Vietnam's Decree 91/2020, articles 14 to 16, and the operators' commands under it. */
  | 'decree-91'
  /** China's rules on SMS services of 2015, and the operators' wording. */
  | 'china-sms-rules'
  /** Korea's Network Act, article 50, and the form of words that its advertisements must name. */
  | 'network-act-50'
  /** Israel's Communications Law, section 30A, as advertisements word it. */
  | 'law-30a'
  /** No list is published: phones' own buttons for stop, cancel, unsubscribe and start. */
  | 'phones';

interface KeywordRow {
  readonly language: string;
  readonly source: Source;
  readonly stop?: readonly string[];
  readonly start?: readonly string[];
  readonly help?: readonly string[];
  /** STOP only as written, accents included. */
  readonly accented?: readonly string[];
}

export const keywordTable: readonly KeywordRow[] = [
  {
    language: 'en',
    source: 'carriers',
    stop: [
      ...['stop', 'stopall', 'stop all', 'unsubscribe', 'end', 'quit', 'cancel', 'revoke'],
      ...['optout', 'opt-out', 'opt out', 'remove', 'unsub', 'unsubscribe me', 'opt me out'],
    ],
    start: ['start', 'unstop', 'yes'],
    help: ['help', 'info'],
  },
  { language: 'es', source: 'google', stop: ['baja'], start: ['alta'] },
  { language: 'es', source: 'phones', stop: ['parar', 'cancelar', 'detener'], start: ['iniciar'] },
  { language: 'fr', source: 'carriers', stop: ['arrêt', 'td'] },
  { language: 'fr', source: 'google', start: ['démarrer'] },
  { language: 'fr', source: 'phones', stop: ['arrêter', 'désabonner'] },
  { language: 'pt', source: 'google', stop: ['parar'], start: ['começar'] },
  { language: 'pt', source: 'phones', stop: ['cancelar', 'descadastrar'], start: ['iniciar'] },
  {
    language: 'vi',
    source: 'decree-91',
    stop: ['từ chối', 'hủy', 'huỷ', 'hủy đăng ký', 'huỷ đăng ký'],
    start: ['đăng ký'],
  },
  {
    language: 'vi',
    source: 'phones',
    stop: ['ngừng', 'ngưng', 'dừng lại'],
    start: ['bắt đầu'],
    // Without accents it is also "đúng": right.
    accented: ['dừng'],
  },
  {
    language: 'th',
    source: 'phones',
    stop: ['หยุด', 'ยกเลิก', 'เลิกรับ', 'ยกเลิกรับข่าวสาร', 'ยกเลิกการสมัคร'],
    start: ['เริ่ม', 'สมัคร'],
  },
  { language: 'lo', source: 'phones', stop: ['ຢຸດ', 'ຍົກເລີກ'], start: ['ເລີ່ມ'] },
  { language: 'km', source: 'phones', stop: ['ឈប់', 'បញ្ឈប់', 'បោះបង់'], start: ['ចាប់ផ្តើម'] },
  { language: 'my', source: 'phones', stop: ['ရပ်', 'ရပ်ပါ', 'ပယ်ဖျက်'], start: ['စတင်', 'စတင်ပါ'] },
  {
    language: 'id',
    source: 'phones',
    stop: ['berhenti', 'hentikan', 'batal', 'berhenti berlangganan', 'unreg', 'unreg all'],
    start: ['mulai', 'langganan', 'berlangganan'],
  },
  {
    language: 'ms',
    source: 'phones',
    stop: ['henti', 'berhenti', 'batal', 'hentikan', 'henti langgan'],
    start: ['mula', 'langgan'],
  },
  {
    language: 'fil',
    source: 'phones',
    stop: ['tigil', 'itigil', 'hinto', 'ihinto'],
    start: ['simulan', 'magsimula'],
  },
  { language: 'zh-hans', source: 'china-sms-rules', stop: ['退订', '拒收'], start: ['订阅'] },
  {
    language: 'zh-hans',
    source: 'phones',
    stop: ['停止', '中止', '取消', '取消订阅'],
    start: ['开始', '恢复'],
  },
  {
    language: 'zh-hant',
    source: 'phones',
    stop: ['退訂', '停止', '中止', '取消', '取消訂閱'],
    start: ['開始', '恢復', '訂閱'],
  },
  {
    language: 'ja',
    source: 'phones',
    stop: ['停止', '中止', '配信停止', '解除', '登録解除'],
    start: ['開始', '再開', '登録', '配信再開'],
  },
  {
    language: 'ko',
    source: 'network-act-50',
    stop: ['수신거부', '수신 거부', '무료수신거부', '무료 수신거부'],
    start: ['수신동의', '수신 동의'],
  },
  { language: 'ko', source: 'phones', stop: ['중지', '해지', '그만'], start: ['시작'] },
  {
    language: 'hi',
    source: 'phones',
    stop: ['रोकें', 'रोको', 'बंद', 'बंद करें'],
    start: ['शुरू', 'शुरू करें', 'चालू करें'],
  },
  { language: 'bn', source: 'phones', stop: ['বন্ধ', 'বন্ধ করুন', 'থামুন'], start: ['শুরু', 'শুরু করুন'] },
  {
    language: 'ar',
    source: 'phones',
    stop: ['توقف', 'إيقاف', 'أوقف', 'إلغاء', 'إلغاء الاشتراك'],
    start: ['ابدأ', 'بدء', 'اشتراك', 'اشترك'],
  },
  { language: 'fa', source: 'phones', stop: ['لغو', 'توقف'], start: ['شروع'] },
  { language: 'he', source: 'law-30a', stop: ['הסר'] },
  { language: 'he', source: 'phones', stop: ['עצור', 'ביטול'], start: ['התחל', 'הצטרף'] },
  {
    language: 'ru',
    source: 'phones',
    stop: ['стоп', 'отписаться', 'отписка', 'отмена'],
    start: ['старт', 'подписаться', 'начать'],
  },
  {
    language: 'uk',
    source: 'phones',
    stop: ['стоп', 'відписатися', 'скасувати'],
    start: ['старт', 'підписатися', 'почати'],
  },
  { language: 'bg', source: 'phones', stop: ['стоп', 'отписване', 'отказ'], start: ['старт'] },
  { language: 'el', source: 'phones', stop: ['στοπ', 'διακοπή', 'διαγραφή'], start: ['έναρξη'] },
  {
    language: 'de',
    source: 'phones',
    stop: ['stopp', 'abmelden', 'abbestellen'],
    start: ['starten'],
  },
  {
    language: 'nl',
    source: 'phones',
    stop: ['stoppen', 'afmelden'],
    start: ['starten', 'aanmelden'],
  },
  { language: 'it', source: 'phones', stop: ['annulla', 'disiscrivi'], start: ['avvia', 'inizia'] },
  { language: 'ca', source: 'phones', stop: ['atura', 'cancel·la'], start: ['inicia'] },
  {
    language: 'sv',
    source: 'phones',
    stop: ['stopp', 'avsluta', 'avregistrera'],
    start: ['starta'],
  },
  { language: 'nb', source: 'phones', stop: ['stopp', 'avslutt', 'avmeld'], start: ['påmeld'] },
  { language: 'da', source: 'phones', stop: ['afmeld', 'afslut'], start: ['tilmeld'] },
  { language: 'fi', source: 'phones', stop: ['lopeta', 'peruuta'], start: ['aloita'] },
  {
    language: 'pl',
    source: 'phones',
    stop: ['zatrzymaj', 'rezygnuję', 'wypisz'],
    start: ['wznów'],
  },
  { language: 'cs', source: 'phones', stop: ['zrušit', 'odhlásit'], start: ['přihlásit'] },
  { language: 'sk', source: 'phones', stop: ['zrušiť', 'odhlásiť'], start: ['prihlásiť'] },
  { language: 'hr', source: 'phones', stop: ['odjava', 'prekini'], start: ['prijava', 'pokreni'] },
  { language: 'hu', source: 'phones', stop: ['leiratkozás', 'leállítás'], start: ['feliratkozás'] },
  { language: 'ro', source: 'phones', stop: ['dezabonare', 'oprește'], start: ['abonare'] },
  { language: 'tr', source: 'phones', stop: ['iptal', 'durdur'], start: ['başlat', 'başla'] },
];
