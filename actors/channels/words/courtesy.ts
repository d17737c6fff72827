// What people write around a STOP without changing it: please, thanks, now. By language; scripts
// without blanks write them at the word.

// biome-ignore format: a table reads better packed
export const courtesy: readonly string[] = [
  // English
  'please', 'pls', 'plz', 'plse', 'pleas', 'kindly', 'thank you', 'thank you very much', 'thank you so much', 'thanks', 'thanks a lot', 'many thanks', 'thx', 'thnx', 'tks', 'ty', 'cheers', 'now', 'right now', 'immediately', 'asap', 'sir', 'madam', 'sorry',
  // Spanish, Portuguese, French, Italian, Catalan
  'por favor', 'porfavor', 'porfa', 'pf', 'gracias', 'muchas gracias', 'ya', 'ahora', 'obrigado', 'obrigada', 'muito obrigado', 'muito obrigada', 'obg', 'pfv', 'agora', 'grato', 'grata', 'merci', 'merci beaucoup', 'svp', 's il vous plait', 's il te plait', 'stp', 'maintenant', 'per favore', 'grazie', 'grazie mille', 'si us plau', 'gracies', 'merces',
  // German, Dutch, Nordic
  'bitte', 'danke', 'danke schön', 'vielen dank', 'sofort', 'jetzt', 'alstublieft', 'aub', 'svp', 'bedankt', 'dank u', 'dank je', 'nu', 'tack', 'snälla', 'takk', 'vær så snill', 'tak', 'venligst', 'kiitos',
  // Indonesian, Malay, Filipino, Vietnamese
  'tolong', 'mohon', 'terima kasih', 'terimakasih', 'makasih', 'trims', 'tq', 'sekarang', 'dong', 'ya kak', 'kak', 'min', 'pak', 'bu', 'sila', 'salamat', 'salamat po', 'po', 'paki', 'pakiusap', 'cảm ơn', 'cám ơn', 'xin cảm ơn', 'xin cám ơn', 'làm ơn', 'vui lòng', 'xin vui lòng', 'xin', 'giúp', 'giùm', 'ạ', 'nhé', 'nha', 'ngay',
  // Russian, Ukrainian, Bulgarian, Polish, Czech, Slovak, Hungarian, Romanian, Croatian, Greek
  'пожалуйста', 'пжл', 'спасибо', 'сейчас', 'будь ласка', 'дякую', 'моля', 'благодаря', 'proszę', 'prosze', 'dziękuję', 'dzięki', 'prosím', 'děkuji', 'díky', 'ďakujem', 'kérem', 'köszönöm', 'vă rog', 'va rog', 'te rog', 'mulțumesc', 'molim', 'hvala', 'παρακαλώ', 'ευχαριστώ',
  // Turkish, Arabic, Persian, Hebrew, Hindi, Bengali
  'lütfen', 'teşekkürler', 'teşekkür ederim', 'sağol', 'من فضلك', 'لو سمحت', 'شكرا', 'شكراً', 'رجاء', 'الآن', 'لطفا', 'ممنون', 'متشکرم', 'בבקשה', 'תודה', 'תודה רבה', 'कृपया', 'धन्यवाद', 'शुक्रिया', 'please ji', 'দয়া করে', 'ধন্যবাদ',
  // Thai, Lao, Khmer, Burmese
  'ขอบคุณ', 'ขอบคุณครับ', 'ขอบคุณค่ะ', 'ขอบคุณคะ', 'กรุณา', 'โปรด', 'ช่วย', 'ได้โปรด', 'ครับ', 'ค่ะ', 'คะ', 'คับ', 'จ้า', 'นะครับ', 'นะคะ', 'ที', 'ด้วย', 'เดี๋ยวนี้', 'ขอ', 'ຂອບໃຈ', 'ກະລຸນາ', 'ແດ່', 'សូម', 'អរគុណ', 'ကျေးဇူးပြု၍', 'ကျေးဇူးတင်ပါတယ်', 'ကျေးဇူး',
  // Chinese, Japanese, Korean
  '请', '麻烦', '谢谢', '多谢', '谢了', '吧', '請', '麻煩', '謝謝', '多謝', '唔該', 'お願いします', 'おねがいします', 'ください', 'して下さい', 'してください', 'ありがとう', 'ありがとうございます', 'どうか', '부탁드립니다', '부탁합니다', '부탁해요', '감사합니다', '고맙습니다', '제발', '해주세요', '해 주세요', '요',
];
