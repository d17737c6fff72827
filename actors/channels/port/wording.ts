// The words that Engage itself adds to messages, in the 40 languages of phones: the label of a deep
// link's button, and of the unsubscribe link beneath a mail. An app may replace each.

import { forLanguage } from '../words/languages.ts';
import type { OwnWording } from './attempt.ts';

/** By language: the label that opens a link, and the one that unsubscribes. */
const table: Readonly<Record<string, readonly [open: string, unsubscribe: string]>> = {
  ar: ['فتح', 'إلغاء الاشتراك'],
  bg: ['Отваряне', 'Отписване'],
  bn: ['খুলুন', 'আনসাবস্ক্রাইব করুন'],
  ca: ['Obre', 'Cancel·la la subscripció'],
  cs: ['Otevřít', 'Odhlásit odběr'],
  da: ['Åbn', 'Afmeld'],
  de: ['Öffnen', 'Abmelden'],
  el: ['Άνοιγμα', 'Κατάργηση εγγραφής'],
  en: ['Open', 'Unsubscribe'],
  es: ['Abrir', 'Cancelar suscripción'],
  fa: ['باز کردن', 'لغو اشتراک'],
  fi: ['Avaa', 'Peruuta tilaus'],
  fil: ['Buksan', 'Mag-unsubscribe'],
  fr: ['Ouvrir', 'Se désabonner'],
  he: ['פתיחה', 'ביטול הרשמה'],
  hi: ['खोलें', 'सदस्यता छोड़ें'],
  hr: ['Otvori', 'Odjava'],
  hu: ['Megnyitás', 'Leiratkozás'],
  id: ['Buka', 'Berhenti berlangganan'],
  it: ['Apri', 'Annulla iscrizione'],
  ja: ['開く', '配信停止'],
  km: ['បើក', 'ឈប់ជាវ'],
  ko: ['열기', '수신 거부'],
  lo: ['ເປີດ', 'ຍົກເລີກການຮັບຂ່າວ'],
  ms: ['Buka', 'Berhenti melanggan'],
  my: ['ဖွင့်ရန်', 'စာရင်းမှ နုတ်ထွက်ရန်'],
  nb: ['Åpne', 'Meld deg av'],
  nl: ['Openen', 'Afmelden'],
  pl: ['Otwórz', 'Wypisz się'],
  pt: ['Abrir', 'Cancelar inscrição'],
  ro: ['Deschide', 'Dezabonare'],
  ru: ['Открыть', 'Отписаться'],
  sk: ['Otvoriť', 'Odhlásiť odber'],
  sv: ['Öppna', 'Avsluta prenumerationen'],
  th: ['เปิด', 'ยกเลิกการรับข่าวสาร'],
  tr: ['Aç', 'Abonelikten çık'],
  uk: ['Відкрити', 'Відписатися'],
  vi: ['Mở', 'Hủy đăng ký'],
  'zh-hans': ['打开', '退订'],
  'zh-hant': ['開啟', '取消訂閱'],
};

interface Reader {
  /** The person's, in `languageKey`'s form; absent if unknown. */
  readonly language?: string | undefined;
  readonly wording?: OwnWording | undefined;
}

/** What a button of the deep link says. */
export function openLabel({ language, wording }: Reader): string {
  return ownWord(wording, 'open', language) ?? forLanguage(table, language)?.[0] ?? 'Open';
}

/** `text` is the app's own in all languages; a word for the person's language comes before it. */
export function unsubscribeLabel({ language, wording }: Reader, text?: string): string {
  return (
    (wording && forLanguage(wording, language)?.['unsubscribe']) ??
    text ??
    ownWord(wording, 'unsubscribe', language) ??
    forLanguage(table, language)?.[1] ??
    'Unsubscribe'
  );
}

/** The app's word for the language, or for every language without one. */
export function ownWord(
  wording: OwnWording | undefined,
  name: string,
  language: string | undefined,
): string | undefined {
  if (wording === undefined) return undefined;
  return forLanguage(wording, language)?.[name] ?? wording['default']?.[name];
}
