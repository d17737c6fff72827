// KakaoTalk: an AlimTalk, a card with a yellow head beside the channel's picture.

import { besideAvatar, bubble, chat } from './chat.js';
import { make } from './element.js';

export function kakaoLook(message) {
  const name = (message.sender ?? 'Channel').replace(/^channel /, '');
  const card = bubble(message);
  card.prepend(make('p', { className: 'kakao-head' }, 'AlimTalk'));
  return chat('kakao', 'android', message, { name, feed: [besideAvatar(name, card)] });
}
