// WhatsApp: one bubble with a header, marked words, the time inside, and buttons below a line.

import { bubble, chat } from './chat.js';

export function whatsappLook(message) {
  const name = (message.sender ?? 'Business').replace(/^number /, '');
  return chat('whatsapp', 'android', message, {
    name,
    about: 'Business account',
    feed: [bubble(message, { marks: true, icons: ['open'] })],
  });
}
