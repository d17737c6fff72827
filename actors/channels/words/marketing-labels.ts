// How people end promotions alone: the label of WhatsApp's own "Marketing opt-out" button in the
// languages of its templates, and the same in other words. A row is a language; each of its verbs
// goes with each of its nouns, in either order.

interface LabelRow {
  readonly language: string;
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
}

// biome-ignore format: a table reads better packed
const rows: readonly LabelRow[] = [
  { language: 'en', verbs: ['stop', 'stop all', 'no more', 'end', 'cancel', 'opt out of', 'opt out from', 'unsubscribe from', 'block'],
    nouns: ['promotions', 'promotion', 'promos', 'promo', 'promotional messages', 'marketing', 'marketing messages', 'offers', 'offers and announcements', 'ads', 'advertising', 'advertisements', 'newsletter', 'newsletters'] },
  { language: 'af', verbs: ['stop', 'staak'], nouns: ['promosies', 'bemarking', 'aanbiedinge', 'advertensies'] },
  { language: 'sq', verbs: ['ndalo', 'ndaloni', 'ndaloj'], nouns: ['promovimet', 'promocionet', 'marketingun', 'ofertat', 'reklamat'] },
  { language: 'ar', verbs: ['إيقاف', 'أوقف', 'وقف', 'إلغاء'], nouns: ['العروض الترويجية', 'العروض', 'الترويج', 'الإعلانات', 'التسويق', 'الرسائل الترويجية', 'الرسائل التسويقية', 'عروض', 'إعلانات'] },
  { language: 'az', verbs: ['dayandır', 'dayandırın', 'dayandırmaq'], nouns: ['promosyonları', 'kampaniyaları', 'reklamları', 'təklifləri', 'marketinqi'] },
  { language: 'bn', verbs: ['বন্ধ করুন', 'থামান', 'বন্ধ'], nouns: ['প্রচার', 'প্রমোশন', 'প্রোমোশন', 'প্রচারণা', 'অফার', 'বিজ্ঞাপন', 'মার্কেটিং'] },
  { language: 'bg', verbs: ['спри', 'спрете', 'спиране на', 'без'], nouns: ['промоциите', 'промоции', 'реклами', 'рекламите', 'маркетинг', 'оферти', 'офертите'] },
  { language: 'ca', verbs: ['atura', 'atura les', 'aturar'], nouns: ['promocions', 'ofertes', 'publicitat', 'màrqueting'] },
  { language: 'zh-hans', verbs: ['停止', '停止接收', '取消', '退订', '拒收', '关闭', '不再接收'], nouns: ['促销', '推广', '促销信息', '推广信息', '营销', '营销信息', '营销消息', '广告', '优惠信息'] },
  { language: 'zh-hant', verbs: ['停止', '停止接收', '取消', '退訂', '拒收', '關閉', '不再接收'], nouns: ['促銷', '推廣', '促銷訊息', '推廣訊息', '促銷活動', '推廣活動', '行銷', '行銷訊息', '廣告', '優惠訊息', '宣傳'] },
  { language: 'hr', verbs: ['zaustavi', 'zaustavite', 'prekini', 'prekinite', 'obustavi'], nouns: ['promocije', 'oglase', 'marketing', 'ponude', 'reklame'] },
  { language: 'sr', verbs: ['zaustavi', 'zaustavite', 'prekini', 'заустави', 'зауставите', 'прекини'], nouns: ['promocije', 'reklame', 'marketing', 'ponude', 'промоције', 'рекламе', 'маркетинг', 'понуде'] },
  { language: 'cs', verbs: ['zastavit', 'ukončit', 'zrušit', 'nechci'], nouns: ['propagaci', 'promo akce', 'propagační akce', 'akce', 'nabídky', 'reklamy', 'reklamu', 'marketing', 'propagace'] },
  { language: 'sk', verbs: ['zastaviť', 'ukončiť', 'zrušiť', 'nechcem'], nouns: ['propagáciu', 'propagačné akcie', 'akcie', 'ponuky', 'reklamy', 'reklamu', 'marketing', 'promo akcie'] },
  { language: 'sl', verbs: ['ustavi', 'ustavite', 'prekini'], nouns: ['promocije', 'oglase', 'ponudbe', 'trženje', 'marketing'] },
  { language: 'da', verbs: ['stop', 'afmeld', 'stands'], nouns: ['kampagner', 'tilbud', 'reklamer', 'reklame', 'markedsføring', 'promoveringer', 'promotioner'] },
  { language: 'nb', verbs: ['stopp', 'avslutt', 'stans'], nouns: ['kampanjer', 'tilbud', 'reklame', 'markedsføring', 'promoteringer'] },
  { language: 'sv', verbs: ['stoppa', 'avsluta', 'sluta med', 'stopp'], nouns: ['kampanjer', 'erbjudanden', 'reklam', 'marknadsföring', 'promotions', 'marknadsföringen'] },
  { language: 'fi', verbs: ['lopeta', 'pysäytä', 'peru', 'estä'], nouns: ['kampanjat', 'tarjoukset', 'mainokset', 'markkinointi', 'markkinointiviestit', 'promootiot'] },
  { language: 'nl', verbs: ['stop', 'stoppen', 'stoppen met', 'stop met', 'stopzetten', 'geen', 'afmelden voor'], nouns: ['promoties', 'aanbiedingen', 'reclame', 'marketing', 'acties', 'promotieberichten', 'advertenties'] },
  { language: 'et', verbs: ['peata', 'peatage', 'lõpeta', 'peatan'], nouns: ['kampaaniad', 'pakkumised', 'reklaamid', 'turundus', 'reklaam'] },
  { language: 'lv', verbs: ['apturēt', 'pārtraukt', 'apturi'], nouns: ['reklāmas', 'akcijas', 'piedāvājumus', 'mārketingu', 'reklāmu'] },
  { language: 'lt', verbs: ['stabdyti', 'sustabdyti', 'nutraukti'], nouns: ['reklamas', 'reklamą', 'akcijas', 'pasiūlymus', 'rinkodarą'] },
  { language: 'fil', verbs: ['itigil', 'itigil ang', 'itigil ang mga', 'ihinto', 'ihinto ang', 'ihinto ang mga'], nouns: ['promosyon', 'promotion', 'promo', 'promos', 'alok', 'marketing'] },
  { language: 'fr', verbs: ['arrêter', 'arrêter les', 'arrêtez', 'arrêtez les', 'stop', 'stopper', 'stopper les', 'plus de', 'refuser les', 'désactiver les', 'se désabonner des'], nouns: ['promotions', 'promos', 'promo', 'offres', 'offres promotionnelles', 'publicités', 'la publicité', 'pub', 'pubs', 'le marketing', 'marketing', 'messages promotionnels', 'messages marketing'] },
  { language: 'ka', verbs: ['შეწყვიტე', 'შეაჩერე', 'შეჩერება', 'გაჩერება'], nouns: ['აქციები', 'პრომოაქციები', 'რეკლამა', 'მარკეტინგი', 'აქციების'] },
  { language: 'de', verbs: ['stoppen', 'stopp', 'stop', 'beenden', 'abbestellen', 'abmelden', 'keine', 'keine weitere', 'nicht mehr erhalten'], nouns: ['promotions', 'werbeaktionen', 'werbung', 'angebote', 'marketing', 'marketingnachrichten', 'werbenachrichten', 'aktionen'] },
  { language: 'el', verbs: ['διακοπή', 'σταματήστε', 'σταμάτα', 'τέλος', 'στοπ'], nouns: ['προωθήσεων', 'προσφορών', 'προωθητικών ενεργειών', 'διαφημίσεων', 'μάρκετινγκ', 'τις προσφορές', 'τις προωθήσεις', 'τις διαφημίσεις'] },
  { language: 'gu', verbs: ['બંધ કરો', 'રોકો'], nouns: ['પ્રમોશન', 'પ્રચાર', 'ઑફર', 'જાહેરાતો', 'માર્કેટિંગ'] },
  { language: 'ha', verbs: ['dakatar da', 'tsayar da'], nouns: ['talla', 'tallace-tallace', 'promoshan'] },
  { language: 'he', verbs: ['הפסק', 'הפסקת', 'עצור', 'להפסיק', 'ביטול', 'הסרה מ'], nouns: ['מבצעים', 'קידומי מכירות', 'פרסומות', 'פרסום', 'שיווק', 'דיוור', 'תוכן שיווקי', 'הודעות שיווקיות'] },
  { language: 'hi', verbs: ['रोकें', 'बंद करें', 'रोको', 'बंद'], nouns: ['प्रमोशन', 'प्रचार', 'ऑफ़र', 'ऑफर', 'विज्ञापन', 'मार्केटिंग', 'प्रमोशन को'] },
  { language: 'hu', verbs: ['leállítása', 'leállítás', 'állítsd le', 'nem kérek', 'vége'], nouns: ['promóciók', 'akciók', 'ajánlatok', 'reklámok', 'marketing', 'hirdetések', 'promóciókat'] },
  { language: 'id', verbs: ['hentikan', 'stop', 'berhenti', 'berhenti menerima', 'berhenti terima', 'batalkan', 'jangan kirim', 'unreg'], nouns: ['promosi', 'promo', 'pemasaran', 'iklan', 'penawaran', 'pesan promosi', 'pesan pemasaran'] },
  { language: 'ms', verbs: ['hentikan', 'henti', 'berhenti', 'batal'], nouns: ['promosi', 'pemasaran', 'iklan', 'tawaran', 'mesej promosi'] },
  { language: 'ga', verbs: ['stad', 'cuir stop le'], nouns: ['promóisin', 'cur chun cinn', 'margaíocht', 'fógraí'] },
  { language: 'it', verbs: ['interrompi', 'interrompi le', 'ferma', 'ferma le', 'stop', 'stop alle', 'blocca', 'basta', 'annulla', 'disattiva', 'no alle', 'no'], nouns: ['promozioni', 'promo', 'offerte', 'pubblicità', 'marketing', 'il marketing', 'messaggi promozionali'] },
  { language: 'ja', verbs: ['停止', 'を停止', 'を停止する', 'の停止', '配信停止', 'の配信停止', 'を止める', 'をやめる', '解除'], nouns: ['プロモーション', 'プロモ', '宣伝', '広告', 'マーケティング', 'お得な情報', '販促', 'キャンペーン'] },
  { language: 'kn', verbs: ['ನಿಲ್ಲಿಸಿ', 'ನಿಲ್ಲಿಸು'], nouns: ['ಪ್ರಚಾರಗಳನ್ನು', 'ಪ್ರಚಾರ', 'ಪ್ರಮೋಷನ್', 'ಕೊಡುಗೆಗಳನ್ನು', 'ಜಾಹೀರಾತು'] },
  { language: 'kk', verbs: ['тоқтату', 'тоқтатыңыз'], nouns: ['акцияларды', 'жарнаманы', 'промоакцияларды', 'ұсыныстарды', 'маркетингті'] },
  { language: 'rw', verbs: ['hagarika'], nouns: ['promosiyo', 'kwamamaza', 'iyamamaza'] },
  { language: 'ko', verbs: ['중지', '중단', '수신거부', '수신 거부', '거부', '그만 받기', '그만받기', '받지 않기', '해지', '차단'], nouns: ['프로모션', '광고', '마케팅', '홍보', '할인 정보', '이벤트', '마케팅 메시지', '광고 메시지', '프로모션 수신'] },
  { language: 'ky', verbs: ['токтотуу', 'токтот'], nouns: ['акцияларды', 'жарнаманы', 'промону', 'маркетингди'] },
  { language: 'lo', verbs: ['ຢຸດ', 'ຢຸດຮັບ', 'ຍົກເລີກ'], nouns: ['ໂປຣໂມຊັນ', 'ໂປຣໂມຊັ່ນ', 'ໂຄສະນາ', 'ການຕະຫຼາດ'] },
  { language: 'km', verbs: ['បញ្ឈប់', 'ឈប់', 'បិទ'], nouns: ['ការផ្សព្វផ្សាយ', 'ប្រូម៉ូសិន', 'ការផ្សាយពាណិជ្ជកម្ម', 'ទីផ្សារ'] },
  { language: 'my', verbs: ['ရပ်ပါ', 'ရပ်', 'ရပ်တန့်ပါ'], nouns: ['ပရိုမိုးရှင်း', 'ပရိုမိုးရှင်းများ', 'ကြော်ငြာ', 'ကြော်ငြာများ'] },
  { language: 'mk', verbs: ['запри', 'запрете', 'прекини', 'стоп за'], nouns: ['промоции', 'промоциите', 'реклами', 'маркетинг', 'понуди'] },
  { language: 'ml', verbs: ['നിർത്തുക', 'നിർത്തൂ'], nouns: ['പ്രമോഷനുകൾ', 'പ്രമോഷൻ', 'ഓഫറുകൾ', 'പരസ്യങ്ങൾ'] },
  { language: 'mr', verbs: ['थांबवा', 'बंद करा'], nouns: ['प्रमोशन', 'जाहिराती', 'ऑफर', 'मार्केटिंग', 'प्रचार'] },
  { language: 'fa', verbs: ['توقف', 'لغو', 'قطع'], nouns: ['تبلیغات', 'تبلیغ', 'پیشنهادها', 'بازاریابی', 'پیامهای تبلیغاتی', 'پیام‌های تبلیغاتی'] },
  { language: 'pl', verbs: ['zatrzymaj', 'wyłącz', 'wstrzymaj', 'koniec', 'zrezygnuj z', 'rezygnuję z', 'stop'], nouns: ['promocje', 'promocji', 'reklamy', 'reklam', 'marketing', 'oferty', 'ofert', 'marketingu', 'promocjom'] },
  { language: 'pt', verbs: ['parar', 'parar as', 'pare', 'pare as', 'parem', 'interromper', 'cancelar', 'bloquear', 'sair das', 'não quero', 'chega de', 'stop'], nouns: ['promoções', 'promoção', 'promos', 'ofertas', 'publicidade', 'marketing', 'propaganda', 'propagandas', 'anúncios', 'mensagens promocionais', 'mensagens de marketing'] },
  { language: 'pa', verbs: ['ਬੰਦ ਕਰੋ', 'ਰੋਕੋ'], nouns: ['ਪ੍ਰਮੋਸ਼ਨ', 'ਪ੍ਰਚਾਰ', 'ਆਫਰ', 'ਇਸ਼ਤਿਹਾਰ'] },
  { language: 'ro', verbs: ['opriți', 'oprește', 'oprire', 'stop', 'dezabonare de la', 'fără'], nouns: ['promoțiile', 'promoții', 'promoțiilor', 'ofertele', 'oferte', 'reclamele', 'reclame', 'marketing', 'marketingul'] },
  { language: 'ru', verbs: ['остановить', 'отключить', 'отказаться от', 'прекратить', 'отменить', 'стоп', 'хватит', 'отписаться от', 'без', 'не присылать', 'запретить'], nouns: ['рекламу', 'рекламы', 'акции', 'акций', 'промоакции', 'промоакций', 'промо', 'маркетинг', 'рассылку', 'рассылки', 'реклама', 'предложения', 'рекламные сообщения', 'рекламных сообщений'] },
  { language: 'uk', verbs: ['зупинити', 'припинити', 'вимкнути', 'відмовитися від', 'відписатися від', 'стоп', 'скасувати', 'без'], nouns: ['рекламу', 'реклами', 'акції', 'акцій', 'промоакції', 'маркетинг', 'розсилку', 'розсилки', 'пропозиції', 'реклама'] },
  { language: 'es', verbs: ['detener', 'detener las', 'deten', 'parar', 'parar las', 'cancelar', 'cancelar las', 'dejar de recibir', 'no más', 'no quiero', 'baja de', 'baja', 'interrumpir', 'stop', 'bloquear', 'finalizar', 'terminar', 'alto a las'], nouns: ['promociones', 'promoción', 'promos', 'ofertas', 'publicidad', 'marketing', 'anuncios', 'propaganda', 'mensajes promocionales', 'mensajes de marketing'] },
  { language: 'sw', verbs: ['acha', 'simamisha', 'komesha', 'sitisha'], nouns: ['matangazo', 'promosheni', 'ofa', 'masoko', 'matangazo ya biashara'] },
  { language: 'ta', verbs: ['நிறுத்து', 'நிறுத்தவும்', 'நிறுத்துக'], nouns: ['விளம்பரங்களை', 'விளம்பரம்', 'சலுகைகளை', 'புரொமோஷன்களை', 'ப்ரோமோஷன்களை', 'விளம்பரங்கள்'] },
  { language: 'te', verbs: ['ఆపండి', 'ఆపివేయండి', 'ఆపు', 'నిలిపివేయండి'], nouns: ['ప్రమోషన్లను', 'ప్రమోషన్‌లను', 'ప్రమోషన్లు', 'ప్రకటనలు', 'ప్రకటనలను', 'ఆఫర్లు', 'ఆఫర్‌లను'] },
  { language: 'th', verbs: ['หยุด', 'หยุดรับ', 'หยุดส่ง', 'เลิกรับ', 'ยกเลิก', 'ยกเลิกรับ', 'ยกเลิกการรับ', 'ไม่รับ', 'งดรับ'], nouns: ['โปรโมชั่น', 'โปรโมชัน', 'โปรโมท', 'โปร', 'การโปรโมท', 'การโปรโมต', 'โฆษณา', 'การตลาด', 'ข้อเสนอ', 'ข่าวโปรโมชั่น', 'ข้อความส่งเสริมการขาย', 'การส่งเสริมการขาย', 'ข้อความการตลาด', 'ข้อความโปรโมชั่น'] },
  { language: 'tr', verbs: ['durdur', 'durdurun', 'iptal et', 'iptal', 'kapat', 'istemiyorum', 'sonlandır', 'almayı durdur'], nouns: ['promosyonları', 'promosyonlar', 'promosyon', 'kampanyaları', 'kampanyalar', 'reklamları', 'reklam', 'reklamlar', 'tanıtımları', 'teklifleri', 'pazarlama', 'pazarlamayı'] },
  { language: 'ur', verbs: ['بند کریں', 'روکیں', 'بند'], nouns: ['پروموشنز', 'پروموشن', 'تشہیر', 'اشتہارات', 'آفرز', 'مارکیٹنگ'] },
  { language: 'uz', verbs: ['toʻxtatish', 'toxtatish', 'to\'xtatish', 'тўхтатиш'], nouns: ['aksiyalarni', 'reklamani', 'promo', 'marketingni', 'reklamalarni', 'рекламани'] },
  { language: 'vi', verbs: ['ngừng', 'dừng', 'ngưng', 'hủy', 'huỷ', 'từ chối', 'tắt', 'ngừng nhận', 'dừng nhận', 'ngưng nhận', 'hủy nhận', 'không nhận', 'chặn', 'stop'], nouns: ['khuyến mãi', 'khuyến mại', 'quảng cáo', 'quảng bá', 'tiếp thị', 'ưu đãi', 'tin khuyến mãi', 'tin quảng cáo', 'chương trình khuyến mãi', 'tin nhắn quảng cáo', 'tin nhắn khuyến mãi', 'tin nhắn tiếp thị'] },
  { language: 'zu', verbs: ['misa', 'yeka'], nouns: ['ukukhangisa', 'amaphromoshini', 'izikhangiso', 'ukumaketha'] },
];

/** All of them; scripts without blanks write verb and noun together. */
export function* marketingLabels(): Generator<string> {
  for (const { verbs, nouns } of rows)
    for (const verb of verbs)
      for (const noun of nouns) {
        yield `${verb} ${noun}`;
        yield `${noun} ${verb}`;
        if (isUnspaced(verb)) {
          yield verb + noun;
          yield noun + verb;
        }
      }
}

/** Whether its script has no blanks between words. */
export function isUnspaced(text: string): boolean {
  return /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(
    text,
  );
}
