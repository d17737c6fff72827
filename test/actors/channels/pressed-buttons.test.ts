// A pressed button is what its label or its data says, on every channel that reports one.

import t from 'tap';
import { lineWebhook } from '../../../actors/channels/line/callbacks.ts';
import type { CallbackItem } from '../../../actors/channels/port/callback-item.ts';
import { rcsItem } from '../../../actors/channels/rcs/callbacks.ts';
import { telegramWebhook } from '../../../actors/channels/telegram/callbacks.ts';
import { viberWebhook } from '../../../actors/channels/viber/callbacks.ts';
import { whatsappWebhook } from '../../../actors/channels/whatsapp/callbacks.ts';
import { zaloWebhook } from '../../../actors/channels/zalo/callbacks.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
/** What Engage gives a button of its own as data. */
const own = (button: string) => JSON.stringify({ sendId: 'ntf_1', deviceId: 'dev_1', button });

const whatsapp = (more: object) => {
  const message = { id: 'wamid', from: '66812345678', timestamp: '1750857384', ...more };
  return whatsappWebhook.items(
    bytes({ entry: [{ changes: [{ value: { messages: [message] } }] }] }),
  );
};
const telegram = (label: string, data: string) =>
  telegramWebhook.items(
    bytes({
      update_id: 7,
      callback_query: {
        id: 'q',
        data,
        from: { id: 5 },
        message: {
          chat: { id: 5, type: 'private' },
          reply_markup: {
            inline_keyboard: [
              [
                { text: 'Shop', callback_data: 'shop' },
                { text: label, callback_data: data },
              ],
            ],
          },
        },
      },
    }),
  );

const presses: Readonly<Record<string, (label: string, data: string) => readonly CallbackItem[]>> =
  {
    'whatsapp button': (text, payload) => whatsapp({ type: 'button', button: { text, payload } }),
    'whatsapp reply': (title, id) =>
      whatsapp({
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { title, id } },
      }),
    'whatsapp list': (title, id) =>
      whatsapp({
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { title, id } },
      }),
    rcs: (text, postbackData) => [
      rcsItem(
        bytes({
          senderPhoneNumber: '+66812345678',
          messageId: 'm',
          suggestionResponse: { text, postbackData },
        }),
      ),
    ],
    telegram,
  };
const dataAlone: Readonly<Record<string, (data: string) => readonly CallbackItem[]>> = {
  line: (data) =>
    lineWebhook.items(
      bytes({
        events: [
          {
            type: 'postback',
            webhookEventId: 'w',
            timestamp: 1,
            source: { type: 'user', userId: 'U1' },
            postback: { data },
          },
        ],
      }),
    ),
  viber: (text) =>
    viberWebhook.items(
      bytes({
        event: 'message',
        timestamp: 1,
        message_token: 1,
        sender: { id: 'v' },
        message: { type: 'text', text },
      }),
    ),
  zalo: (text) =>
    zaloWebhook.items(
      bytes({
        event_name: 'user_send_text',
        timestamp: '1',
        sender: { id: 'z' },
        message: { msg_id: 'm', text },
      }),
    ),
};

t.test('the label or the data of a pressed button is understood', async (t) => {
  for (const [name, press] of Object.entries(presses)) {
    t.match(press('Stop promotions', 'x'), [{ keyword: 'stop', about: 'marketing' }], name);
    t.match(
      press('Not for me', 'Parar promoções'),
      [{ keyword: 'stop', about: 'marketing' }],
      name,
    );
    t.match(press('STOP', 'x'), [{ keyword: 'stop', about: undefined }], name);
    t.match(press('Not for me', 'STOP'), [{ keyword: 'stop', about: undefined }], name);
    t.match(press('Shop now', 'shop'), [{ kind: 'inbound', keyword: undefined }], name);
  }
  for (const [name, press] of Object.entries({
    ...dataAlone,
    rcs: (data: string) => presses['rcs']?.('Bye', data) ?? [],
  })) {
    t.match(press('Hentikan promosi'), [{ keyword: 'stop', about: 'marketing' }], name);
    t.match(press(own('stop')), [{ keyword: 'stop' }], `${name}: a button of ours named so`);
    t.match(press(own('stop marketing')), [{ keyword: 'stop', about: 'marketing' }], name);
    t.match(press(own('button-1')), [{ kind: 'inbound', keyword: undefined }], name);
    t.match(press('{"button":'), [{ kind: 'inbound', keyword: undefined }], name);
  }
});

t.test('a button pressed in a group opts out nobody', async (t) => {
  const group = bytes({
    events: [
      {
        type: 'postback',
        webhookEventId: 'w',
        timestamp: 1,
        source: { type: 'group', groupId: 'C1', userId: 'U1' },
        postback: { data: 'STOP' },
      },
    ],
  });
  t.match(lineWebhook.items(group), [{ kind: 'unknown' }]);
  const query = { id: 'q', data: 'STOP', message: { chat: { id: -5, type: 'group' } } };
  t.match(telegramWebhook.items(bytes({ update_id: 7, callback_query: query })), [
    { kind: 'unknown' },
  ]);
});
