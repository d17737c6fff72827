// Telegram's stand-in by a real client: what it takes and how it shows it, its HTML, and what it
// refuses in which words.

import t, { type Test } from 'tap';
import { readHtml } from '../../sandbox/telegram/telegram-html.ts';
import { withSandbox } from './with-sandbox.ts';

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    send: (message: object | string, method = 'sendMessage', token = 'sandbox') =>
      sandbox.call('POST', `/telegram/bot${token}/${method}`, message),
  };
}

t.test('a text is accepted and recorded as its recipient sees it', async (test) => {
  const { send, messages } = await rig(test);
  const reply = await send({
    chat_id: 42,
    text: '<b>1 &lt; 2</b>\nOn its <i>way</i>',
    parse_mode: 'HTML',
    disable_notification: true,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: [[{ text: 'Track', url: 'https://a.example.com' }]] },
  });
  test.equal(reply.status, 200);
  test.match(reply.json, {
    ok: true,
    result: { message_id: 1, chat: { id: 42, type: 'private' }, text: '1 < 2\nOn its way' },
  });
  test.match((await messages())[0], {
    channel: 'telegram',
    look: 'chat',
    to: '42',
    sender: 'bot sandbox',
    title: '1 < 2',
    text: 'On its way',
    buttons: [{ label: 'Track', url: 'https://a.example.com' }],
    note: 'Arrives without a sound',
  });
});

t.test('a photo is shown with its caption, and so is a picture above a text', async (test) => {
  const { send, messages } = await rig(test);
  const photo = 'https://a.example.com/a.png';
  const reply = await send({ chat_id: '@shop_news', photo, caption: 'Look' }, 'sendPhoto');
  test.match(reply.json.result.chat, { type: 'channel' });
  await send({ chat_id: -5, text: 'Look', link_preview_options: { url: photo } }, 'SENDMESSAGE');
  test.match(await messages(), [
    { image: photo, text: 'Look', to: '-5' },
    { image: photo, text: 'Look', to: '@shop_news' },
  ]);
});

t.test('HTML is read as Telegram reads it', (test) => {
  const read: readonly (readonly [html: string, read: ReturnType<typeof readHtml>])[] = [
    ['', { text: '' }],
    ['a &lt;b&gt; &amp;amp; &quot;&#65; &nbsp; &', { text: 'a <b> &amp; "A &nbsp; &' }],
    ['<b>T</b>', { text: 'T', boldLine: 'T' }],
    ['<b>T &amp; <i>U</i></b>\nx <b>y</b>', { text: 'T & U\nx y', boldLine: 'T & U' }],
    ['<b>T</b> x', { text: 'T x' }],
    ['<a href="https://a.b">x</a> > y', { text: 'x > y' }],
    ['<p>x</p>', { problem: 'Unsupported start tag "p" at byte offset 0' }],
    ['é <3', { problem: 'Unsupported start tag "" at byte offset 3' }],
    ['<b>x', { problem: `Can't find end tag corresponding to start tag "b"` }],
    ['<b><i>x</b></i>', { problem: 'Unmatched end tag at byte offset 7' }],
    ['x</b>', { problem: 'Unmatched end tag at byte offset 1' }],
  ];
  for (const [html, wanted] of read) test.strictSame(readHtml(html), wanted, html);
  test.end();
});

t.test(
  'what Telegram refuses is refused in its words, before any fault is played',
  async (test) => {
    const { send } = await rig(test);
    const to = { chat_id: 15005550008 };
    const text = (text: unknown, more: object = {}) => ({ ...to, text, ...more });
    const keyboard = (...row: object[]) => text('x', { reply_markup: { inline_keyboard: [row] } });
    const photo = 'https://a.example.com/a.png';
    const refused: readonly (readonly [call: object | string, words: RegExp, method?: string])[] = [
      ['{', /can't parse JSON object/],
      [{ text: 'x' }, /chat_id is empty/],
      [{ chat_id: 1.5, text: 'x' }, /chat not found/],
      [{ chat_id: 'ann', text: 'x' }, /chat not found/],
      [to, /message text is empty/],
      [text(' \n'), /message text is empty/],
      [text(7), /message text is empty/],
      [text('x', { badge: 1 }), /unknown parameter "badge"/],
      [text('x', { photo }), /unknown parameter "photo"/],
      [text('<p>', { parse_mode: 'HTML' }), /can't parse entities: Unsupported start tag "p"/],
      [text('x', { parse_mode: 'Html2' }), /unsupported parse_mode/],
      [text('x', { disable_notification: 'yes' }), /must be a Boolean/],
      [text('x', { link_preview_options: { off: true } }), /link preview options/],
      [text('x', { link_preview_options: 1 }), /link preview options/],
      [text('x', { reply_markup: { keyboard: [] } }), /reply keyboard markup/],
      [text('x', { reply_markup: { inline_keyboard: [{}] } }), /Array of Arrays/],
      [keyboard({ url: 'https://a.b' }), /Field "text"/],
      [keyboard({ text: 'a' }), /Text buttons are unallowed/],
      [keyboard({ text: 'a', url: 'https://a.b', id: 1 }), /Text buttons are unallowed/],
      [keyboard({ text: 'a', url: 'shop://x' }), /Unsupported URL protocol/],
      [keyboard({ text: 'a', callback_data: 'x'.repeat(65) }), /BUTTON_DATA_INVALID/],
      [to, /there is no photo/, 'sendPhoto'],
      [{ ...to, photo: 'ftp://a.b' }, /wrong file identifier/, 'sendPhoto'],
      [{ ...to, photo, caption: 'x'.repeat(1_025) }, /caption is too long/, 'sendPhoto'],
      [text('x'.repeat(4_097)), /message is too long/],
    ];
    for (const [call, words, method] of refused) {
      const { status, json } = await send(call, method);
      test.match([status, json], [400, { ok: false, error_code: 400, description: words }]);
    }
    const fine = { ...to, chat_id: 7 };
    const good: readonly (readonly [call: object, method?: string])[] = [
      [{ ...fine, text: 'x'.repeat(4_096) }],
      [{ ...fine, text: '&amp;'.repeat(4_096), parse_mode: 'HTML' }],
      [{ ...fine, photo, caption: 'x'.repeat(1_024) }, 'sendPhoto'],
    ];
    for (const [call, method] of good) test.equal((await send(call, method)).status, 200);
  },
);

t.test('who calls must be a bot, and know the method', async (test) => {
  const { send, call, messages } = await rig(test);
  const message = { chat_id: 1, text: 'x' };
  const own = '110201543:AAH-secret-of-the-bot_0123456789abcde';
  test.equal((await send(message, 'sendMessage', own)).status, 200);
  test.match(
    (await messages())[0],
    { sender: 'bot 110201543' },
    'its secret is not shown as sender',
  );
  for (const token of ['x', '1:short', 'Sandbox'])
    test.match((await send(message, 'sendMessage', token)).json, {
      error_code: 404,
      description: 'Not Found',
    });
  test.match((await send(message, 'sendSmoke')).json, { description: /method not found/ });
  test.match((await call('GET', '/telegram/botsandbox/sendMessage')).json, { error_code: 404 });
  const form = await call('POST', '/telegram/botsandbox/sendMessage', 'chat_id=1&text=x', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  test.match(form.json, { description: /JSON/ });
});

t.test('names and numbers ask for refusals, and rules do', async (test) => {
  const { send, call } = await rig(test);
  const answer = async (chat_id: string | number) => (await send({ chat_id, text: 'x' })).json;
  test.match(await answer('@blocked_ann'), { error_code: 403, description: /blocked by the user/ });
  test.match(await answer(15005550004), { error_code: 403, description: /blocked by the user/ });
  test.match(await answer('@quota'), { error_code: 429, parameters: { retry_after: 2 } });
  test.match(await answer('@quota30_x'), { parameters: { retry_after: 30 } });
  const moved = (await answer('@migrate')).parameters.migrate_to_chat_id;
  test.ok(moved < -1_000_000_000_000);
  test.match(await answer(moved), { ok: true });
  await test.rejects(answer(15005550008));
  await call('POST', '/control/faults', {
    channel: 'telegram',
    fault: 'status',
    value: 429,
    retryAfterSeconds: 9,
  });
  test.match(await answer(1), { error_code: 429, parameters: { retry_after: 9 } });
  await call('POST', '/control/faults', {
    channel: 'telegram',
    fault: 'status',
    value: 503,
    retryAfterSeconds: 4,
  });
  const busy = await send({ chat_id: 1, text: 'x' });
  test.same([busy.status, busy.headers['retry-after']], [503, '4']);
});
