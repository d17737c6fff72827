// SMS: a conversation with a number; the words stay on the left in gray.

import { bubble, chat } from './chat.js';
import { make } from './element.js';

export function smsLook(message) {
  const name = message.sender || 'Unknown number';
  const about = make('p', { className: 'chat-day' }, make('span', {}, 'Text message'));
  return chat('sms', 'ios', message, {
    name,
    feed: [about, bubble(message)],
    entry: 'Text message',
  });
}
