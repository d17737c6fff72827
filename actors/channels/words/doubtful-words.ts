// Whether a text that is no keyword may still ask to be left alone: "please stop sending me these",
// "STOP it", "remove me from the list". A person decides about it, so it may be wrong both ways;
// "don't stop" and "stop by the shop tomorrow" must not get there. Pure.

import { isUnspaced } from './marketing-labels.ts';
import { keywordForm } from './plain-words.ts';

/** Characters of a text that are looked at. */
const lookedAtMax = 1_000;

// biome-ignore format: a table reads better packed
const phrases = [
  // English
  'stop it', 'stop this', 'stop these', 'stop that', 'stop them', 'stop all', 'stop sending', 'stop messaging', 'stop texting', 'stop contacting', 'stop calling', 'stop spamming', 'stop bothering', 'stop writing', 'stop the message', 'stop the messages', 'stop your messages', 'stop your message', 'stop messages', 'stop message', 'stop msgs', 'stop sms', 'stop me', 'stop receiving', 'unsubscribe', 'unsubscribe me', 'unsub', 'opt out', 'opt me out', 'optout', 'remove me', 'remove my number', 'delete my number', 'take me off', 'no more messages', 'no more texts', 'no more msgs', 'no more sms', 'don t send me', 'dont send me', 'do not send me', 'don t text me', 'dont text me', 'do not text me', 'don t message me', 'dont message me', 'do not message me', 'don t contact me', 'dont contact me', 'do not contact me', 'don t want these', 'dont want these', 'don t want to receive', 'dont want to receive', 'do not want to receive', 'no longer want to receive', 'no longer wish to receive', 'leave me alone', 'sent stop', 'replied stop', 'said stop', 'texted stop', 'wrote stop', 'spam', 'spamming', 'block you', 'report you',
  // Spanish, Portuguese, French, Italian
  'dar de baja', 'darme de baja', 'denme de baja', 'dame de baja', 'no me envien', 'no me manden', 'no me escriban', 'dejen de enviar', 'dejen de mandar', 'deja de enviar', 'no quiero recibir', 'no quiero mas mensajes', 'no mas mensajes', 'quitenme de la lista', 'eliminen mi numero', 'ya no quiero',
  'nao quero receber', 'nao quero mais receber', 'nao me envie', 'nao me mande', 'pare de enviar', 'pare de mandar', 'parem de enviar', 'parem de mandar', 'para de enviar', 'para de mandar', 'me tire da lista', 'me tira da lista', 'sair da lista', 'quero sair', 'descadastrar', 'remover meu numero', 'chega de mensagem', 'chega de mensagens', 'parar de receber',
  'ne plus recevoir', 'plus recevoir', 'arretez de m envoyer', 'arretez de m ecrire', 'arrete de m envoyer', 'arreter de m envoyer', 'me desabonner', 'me desinscrire', 'desinscrivez moi', 'desabonnez moi', 'retirez moi', 'supprimez mon numero', 'ne m envoyez plus', 'ne m ecrivez plus',
  'non voglio piu ricevere', 'non inviatemi', 'non mandatemi', 'non scrivetemi', 'smettete di', 'smettetela', 'cancellatemi', 'toglietemi', 'disiscrivermi', 'basta messaggi',
  // German, Dutch
  'keine nachrichten mehr', 'keine sms mehr', 'bitte keine', 'lasst mich in ruhe', 'lass mich in ruhe', 'keine werbung mehr', 'nicht mehr anschreiben', 'nicht mehr schreiben', 'nicht mehr schicken', 'nicht mehr senden', 'aus dem verteiler', 'aus der liste', 'hort auf', 'hor auf', 'abmelden', 'abbestellen', 'loscht meine nummer', 'loschen sie meine nummer', 'niet meer sturen', 'geen berichten meer', 'geen sms meer', 'stop met sturen', 'uitschrijven', 'haal me van de lijst', 'verwijder mijn nummer',
  // Indonesian, Malay, Filipino, Vietnamese
  'jangan kirim', 'jangan sms', 'jangan wa', 'jangan hubungi', 'jangan hantar', 'stop kirim', 'berhenti kirim', 'berhenti mengirim', 'berhenti hantar', 'hentikan pesan', 'hentikan sms', 'tidak mau menerima', 'tidak ingin menerima', 'tak nak terima', 'hapus nomor saya', 'padam nombor saya', 'berhenti langganan', 'berhenti berlangganan', 'unreg', 'ganggu', 'mengganggu',
  'huwag na', 'wag na kayong', 'wag niyo na', 'tigilan', 'ayoko na', 'tanggalin',
  'dung gui', 'dung nhan', 'ngung gui', 'khong muon nhan', 'khong nhan tin', 'huy nhan tin', 'huy dang ky', 'ngung nhan tin', 'dung lam phien', 'xoa so', 'khong gui nua', 'tu choi nhan',
  // Russian, Ukrainian, Polish, Turkish
  'не присылайте', 'не присылать', 'не пишите', 'не писать мне', 'не шлите', 'не отправляйте', 'не беспокоите', 'не беспокойте', 'отпишите', 'отписаться', 'отпишите меня', 'прекратите', 'хватит', 'удалите мои номер', 'удалите мой номер', 'не надсилаите', 'не надсилайте', 'не пишіть', 'видаліть мій номер', 'відпишіть', 'nie wysylajcie', 'nie wysylac', 'nie piszcie', 'wypisac', 'wypiszcie', 'usuncie moj numer', 'mesaj atmayin', 'mesaj atma', 'mesaj gondermeyin', 'gondermeyin', 'listeden cikar', 'listeden cikarin', 'abonelikten cik', 'rahatsiz etmeyin',
  // Thai
  'อย่าส่ง', 'เลิกส่ง', 'หยุดส่ง', 'ไม่ต้องส่ง', 'ไม่อยากรับ', 'ไม่ต้องการรับ', 'ยกเลิกรับ', 'ยกเลิกการรับ', 'หยุดรบกวน', 'อย่ารบกวน', 'ลบเบอร์',
  // Chinese, Japanese, Korean
  '不要再发', '不要发', '别再发', '别再打扰', '别发', '不想收到', '不想再收', '停止发送', '取消订阅', '退订', '骚扰', '不要再發', '不要發', '別再發', '別發', '不想收到', '停止發送', '取消訂閱', '退訂', '騷擾', '唔好再', 'やめてください', '送らないで', '送ってこないで', '配信を停止', '配信停止', '配信を止め', '登録解除', '退会', '迷惑', '그만 보내', '그만보내', '보내지 마', '보내지마', '수신거부', '수신 거부', '받고 싶지', '스팸',
  // Arabic, Hebrew, Hindi
  'لا ترسل', 'لا ترسلوا', 'توقف عن', 'توقفوا عن', 'الغاء الاشتراك', 'لا اريد', 'احذف رقمي', 'תפסיקו', 'תפסיק לשלוח', 'אל תשלחו', 'תסירו אותי', 'הסירו אותי', 'מחקו את המספר', 'मत भेज', 'मत भेजो', 'भेजना बंद', 'मैसेज बंद', 'संदेश बंद',
];

/** Words that make a short text doubtful at its beginning or end. */
// biome-ignore format: a table reads better packed
const strong = ['stop', 'stopp', 'unsubscribe', 'unsub', 'unreg', 'optout', 'arret', 'baja', 'parar', 'sair', 'salir', 'fermer', 'stornieren', 'basta', 'berhenti', 'hentikan', 'стоп', 'отпишите', 'στοπ', 'توقف', 'הסר', 'หยุด', '退订', '退訂'];
const shortWordsMax = 3;

/** What turns a STOP around, or makes it a word of everyday life. */
const everyday = [
  /(^| )(don t|dont|do not|never|can t|cant|cannot|won t|wont|didn t|not|ne|n|jangan|dung|đung|nie|не|non|nicht|no) (stop|unsubscribe|opt|remove|berhenti|hentikan|arrete|arreter|aufhoren)\b/gu,
  /(^| )(bus|train|full|pit|non|one|next|last|first|the|a|rest|whistle|tram|gas|pick up) stop\b/gu,
  /(^| )stop (by|at|in|over|here|there|and|for|off|watch|motion|sign|light|lights|loss|press|worrying|crying)\b/gu,
  /(^| )spam (folder|filter|musubi|fritters|and eggs)\b/gu,
  /(^| )(in|into|to|my|from) (the )?spam\b/gu,
];

const strongWords = new Set(strong.map(keywordForm));

/** Phrases by their first word; made at the first text. */
let byFirst: ReadonlyMap<string, readonly string[]> | undefined;
let unspaced: readonly string[] = [];

export function mayBeOptOut(text: string): boolean {
  const whole = keywordForm(text.slice(0, lookedAtMax));
  const words = everyday.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), whole).trim();
  const each = words.split(/ +/);
  if (words === whole && isInAPart(text.slice(0, lookedAtMax))) return true;
  return hasPhrase(each) || (isUnspaced(words) && unspaced.some((one) => words.includes(one)));
}

/** A strong word in a short text or sentence, in capitals beside others, or nothing else. */
function isInAPart(text: string): boolean {
  const parts = text.split(/[.!?。！？,;:\n\r…]+/).map((part) => keywordForm(part).split(/ +/));
  const isStrong = (word: string | undefined) => strongWords.has(word ?? '');
  if (
    parts.some(
      (part) => part.length <= shortWordsMax && (isStrong(part[0]) || isStrong(part.at(-1))),
    )
  )
    return true;
  const all = parts.flat().filter((word) => word !== '');
  if (all.length > 0 && all.every(isStrong)) return true;
  if (!/\p{Ll}/u.test(text)) return false;
  return [...text.matchAll(/\p{Lu}{4,20}/gu)].some(([word]) => isStrong(keywordForm(word)));
}

function hasPhrase(words: readonly string[]): boolean {
  byFirst ??= phrasesByFirst();
  const found = byFirst;
  return words.some((word, at) =>
    found.get(word)?.some((phrase) => {
      const end = at + phrase.split(' ').length;
      return words.slice(at, end).join(' ') === phrase;
    }),
  );
}

function phrasesByFirst(): ReadonlyMap<string, readonly string[]> {
  const all = phrases.map(keywordForm);
  unspaced = all.filter(isUnspaced);
  const found = new Map<string, string[]>();
  for (const phrase of all) {
    const [first = ''] = phrase.split(' ', 1);
    if (!isUnspaced(phrase)) found.set(first, [...(found.get(first) ?? []), phrase]);
  }
  return found;
}
