// The words that Engage itself adds to messages, in the 40 languages of phones: the label of a deep
// link's button, and of the links beneath a mail. An app may replace each.

import { forLanguage } from '../words/languages.ts';
import type { OwnWording } from './attempt.ts';

/** By language: the label that opens a link, the one that unsubscribes, and of preferences. */
const table: Readonly<
  Record<string, readonly [open: string, unsubscribe: string, preferences: string]>
> = {
  ar: ['فتح', 'إلغاء الاشتراك', 'التفضيلات'],
  bg: ['Отваряне', 'Отписване', 'Предпочитания'],
  bn: ['খুলুন', 'আনসাবস্ক্রাইব করুন', 'পছন্দ'],
  ca: ['Obre', 'Cancel·la la subscripció', 'Preferències'],
  cs: ['Otevřít', 'Odhlásit odběr', 'Předvolby'],
  da: ['Åbn', 'Afmeld', 'Præferencer'],
  de: ['Öffnen', 'Abmelden', 'Einstellungen'],
  el: ['Άνοιγμα', 'Κατάργηση εγγραφής', 'Προτιμήσεις'],
  en: ['Open', 'Unsubscribe', 'Preferences'],
  es: ['Abrir', 'Cancelar suscripción', 'Preferencias'],
  fa: ['باز کردن', 'لغو اشتراک', 'ترجیحات'],
  fi: ['Avaa', 'Peruuta tilaus', 'Asetukset'],
  fil: ['Buksan', 'Mag-unsubscribe', 'Mga kagustuhan'],
  fr: ['Ouvrir', 'Se désabonner', 'Préférences'],
  he: ['פתיחה', 'ביטול הרשמה', 'העדפות'],
  hi: ['खोलें', 'सदस्यता छोड़ें', 'प्राथमिकताएँ'],
  hr: ['Otvori', 'Odjava', 'Postavke'],
  hu: ['Megnyitás', 'Leiratkozás', 'Beállítások'],
  id: ['Buka', 'Berhenti berlangganan', 'Preferensi'],
  it: ['Apri', 'Annulla iscrizione', 'Preferenze'],
  ja: ['開く', '配信停止', '配信設定'],
  km: ['បើក', 'ឈប់ជាវ', 'ចំណូលចិត្ត'],
  ko: ['열기', '수신 거부', '수신 설정'],
  lo: ['ເປີດ', 'ຍົກເລີກການຮັບຂ່າວ', 'ການຕັ້ງຄ່າ'],
  ms: ['Buka', 'Berhenti melanggan', 'Pilihan'],
  my: ['ဖွင့်ရန်', 'စာရင်းမှ နုတ်ထွက်ရန်', 'ဦးစားပေးချက်များ'],
  nb: ['Åpne', 'Meld deg av', 'Innstillinger'],
  nl: ['Openen', 'Afmelden', 'Voorkeuren'],
  pl: ['Otwórz', 'Wypisz się', 'Preferencje'],
  pt: ['Abrir', 'Cancelar inscrição', 'Preferências'],
  ro: ['Deschide', 'Dezabonare', 'Preferințe'],
  ru: ['Открыть', 'Отписаться', 'Настройки'],
  sk: ['Otvoriť', 'Odhlásiť odber', 'Predvoľby'],
  sv: ['Öppna', 'Avsluta prenumerationen', 'Inställningar'],
  th: ['เปิด', 'ยกเลิกการรับข่าวสาร', 'การตั้งค่า'],
  tr: ['Aç', 'Abonelikten çık', 'Tercihler'],
  uk: ['Відкрити', 'Відписатися', 'Налаштування'],
  vi: ['Mở', 'Hủy đăng ký', 'Tùy chọn'],
  'zh-hans': ['打开', '退订', '偏好设置'],
  'zh-hant': ['開啟', '取消訂閱', '偏好設定'],
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

/** What the link to the person's preferences says. */
export function preferencesLabel({ language }: Pick<Reader, 'language'>): string {
  return forLanguage(table, language)?.[2] ?? 'Preferences';
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
