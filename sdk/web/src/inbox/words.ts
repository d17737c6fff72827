// What the inbox says by itself, in the languages of the in-app messages' own words.

const names = [
  'title',
  'unread',
  'allRead',
  'archive',
  'empty',
  'more',
  'preferences',
  'again',
  'close',
] as const;

export type InboxWords = Readonly<Record<(typeof names)[number], string>>;

/** In the order of `names`. */
const texts: Readonly<Record<string, string>> = {
  en: 'Notifications|unread|Mark all as read|Archive|No messages yet|Show more|Preferences|Try again|Close',
  de: 'Mitteilungen|ungelesen|Alle als gelesen markieren|Archivieren|Noch keine Mitteilungen|Mehr anzeigen|Einstellungen|Erneut versuchen|Schließen',
  es: 'Notificaciones|sin leer|Marcar todo como leído|Archivar|Aún no hay mensajes|Mostrar más|Preferencias|Reintentar|Cerrar',
  fr: 'Notifications|non lus|Tout marquer comme lu|Archiver|Aucun message pour le moment|Afficher plus|Préférences|Réessayer|Fermer',
  it: 'Notifiche|da leggere|Segna tutto come letto|Archivia|Ancora nessun messaggio|Mostra altri|Preferenze|Riprova|Chiudi',
  pt: 'Notificações|não lidas|Marcar tudo como lido|Arquivar|Ainda não há mensagens|Mostrar mais|Preferências|Tentar de novo|Fechar',
  id: 'Notifikasi|belum dibaca|Tandai semua sudah dibaca|Arsipkan|Belum ada pesan|Tampilkan lagi|Preferensi|Coba lagi|Tutup',
  vi: 'Thông báo|chưa đọc|Đánh dấu tất cả đã đọc|Lưu trữ|Chưa có tin nhắn|Xem thêm|Tùy chọn|Thử lại|Đóng',
  th: 'การแจ้งเตือน|ยังไม่ได้อ่าน|ทำเครื่องหมายว่าอ่านทั้งหมด|เก็บถาวร|ยังไม่มีข้อความ|แสดงเพิ่มเติม|การตั้งค่า|ลองอีกครั้ง|ปิด',
  ja: '通知|件の未読|すべて既読にする|アーカイブ|メッセージはまだありません|もっと見る|設定|再試行|閉じる',
  ko: '알림|개 읽지 않음|모두 읽음으로 표시|보관|아직 메시지가 없습니다|더 보기|환경설정|다시 시도|닫기',
  zh: '通知|条未读|全部标为已读|归档|暂无消息|显示更多|偏好设置|重试|关闭',
  ar: 'الإشعارات|غير مقروءة|تحديد الكل كمقروء|أرشفة|لا توجد رسائل بعد|عرض المزيد|التفضيلات|إعادة المحاولة|إغلاق',
  he: 'התראות|שלא נקראו|סימון הכול כנקרא|העברה לארכיון|אין עדיין הודעות|הצגת עוד|העדפות|ניסיון חוזר|סגירה',
};

/** Of a language tag; English where there are none. */
export function wordsOf(language: string): InboxWords {
  const [first = ''] = language.toLowerCase().split('-');
  const found = (texts[first] ?? texts['en'] ?? '').split('|');
  return Object.fromEntries(names.map((name, at) => [name, found[at]])) as InboxWords;
}
