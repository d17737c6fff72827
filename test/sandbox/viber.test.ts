// Viber's stand-in by a real client: what it takes and how it shows it, and what it refuses by
// which number, always in a 200.

import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const path = '/viber/pa/send_message';
const authorization = { 'x-viber-auth-token': '4453b6ac-1f11-4c0e-9b6f-5c1f3e0a9d21' };
const common = { receiver: '01234567890A=', min_api_version: 1, sender: { name: 'Shop' } };
const text = { ...common, type: 'text', text: 'Hello' };
const media = 'https://cdn.example.com/a.jpg';
const picture = { ...common, type: 'picture', text: '', media };
const x = (length: number) => 'x'.repeat(length);

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    send: (message: object | string, headers: Record<string, string> = authorization) =>
      sandbox.call('POST', path, message, headers),
  };
}

t.test('a message is accepted with a token of 19 digits, and shown', async (test) => {
  const { send, messages } = await rig(test);
  const button = { ActionType: 'open-url', ActionBody: 'https://a.example/', Silent: true };
  const reply = await send({
    ...picture,
    text: 'Look',
    tracking_data: JSON.stringify({ sendId: 'ntf_1', deviceId: 'dev_1' }),
    keyboard: {
      Type: 'keyboard',
      DefaultHeight: false,
      Buttons: [
        { ...button, Columns: 6, Rows: 1, Text: '<b>A &amp; B</b> &lt;3' },
        { ActionType: 'reply', ActionBody: 'yes', Text: 'Yes' },
      ],
    },
  });
  test.equal(reply.status, 200);
  test.match(reply.text, /"status":0,.*"message_token":5741311803571721087[,}]/);
  test.notMatch(String(reply.json.message_token), '5741311803571721087', 'which JSON.parse rounds');
  test.match((await send(text)).text, /"message_token":5741311803571721088[,}]/);
  test.match((await messages())[1], {
    channel: 'viber',
    look: 'chat',
    to: '01234567890A=',
    sender: 'Shop',
    text: 'Look',
    image: media,
    buttons: [{ label: 'A & B <3', url: 'https://a.example/' }, { label: 'Yes' }],
    sendId: 'ntf_1',
    deviceId: 'dev_1',
    outcome: 'accepted',
  });
});

t.test('what Viber refuses is refused before any fault is played', async (test) => {
  const { send, messages } = await rig(test);
  const key = { ActionType: 'open-url', ActionBody: 'https://a.example/', Text: 'Go' };
  const keyboard = (button: object, more: object = {}) => ({
    ...text,
    keyboard: { Type: 'keyboard', Buttons: [button], ...more },
  });
  const { text: _, ...noText } = text;
  const { sender: _sender, ...noSender } = text;
  const refused: [why: string, message: object, status: number, words: RegExp][] = [
    ['an unknown member', { ...text, silent: true }, 3, /badData/],
    ['a kind that is none', { ...text, type: 'txt' }, 3, /badData: type/],
    ['no text', noText, 4, /missingData: text/],
    ['no sender', noSender, 4, /missingData: sender/],
    ['an empty text', { ...text, text: '' }, 3, /badData: text/],
    ['a text that is none', { ...text, text: 7 }, 3, /badData: text/],
    ['a text of 7,001', { ...text, text: x(7_001) }, 3, /badData: text/],
    ['a sender of 29', { ...text, sender: { name: x(29) } }, 3, /sender.name/],
    ['tracking data of 4,001', { ...text, tracking_data: x(4_001) }, 3, /tracking_data/],
    [
      'more than 30 KB',
      { ...text, tracking_data: 'ก'.repeat(4_000), text: 'ก'.repeat(7_000) },
      3,
      /30720/,
    ],
    ['a caption of 769', { ...picture, text: x(769) }, 3, /badData: text/],
    ['a picture without an address', { ...picture, media: undefined }, 4, /media/],
    ['a picture without https', { ...picture, media: 'http://a.example/a.jpg' }, 3, /media/],
    ['a picture of another kind', { ...picture, media: 'https://a.example/a.webp' }, 3, /media/],
    ['a keyboard without its type', keyboard(key, { Type: 'keys' }), 3, /keyboard.Type/],
    ['a keyboard without buttons', keyboard(key, { Buttons: [] }), 3, /keyboard.Buttons/],
    ['a button of 251', keyboard({ ...key, Text: x(251) }), 3, /Text/],
    ['an unknown member of a button', keyboard({ ...key, Url: 'x' }), 3, /Buttons.0/],
    ['seven columns', keyboard({ ...key, Columns: 7 }), 3, /Columns/],
    ["an app's own link", keyboard({ ...key, ActionBody: 'shop://a' }), 3, /ActionBody/],
    ['an action that is none', keyboard({ ...key, ActionType: 'open' }), 3, /ActionType/],
  ];
  for (const [why, message, status, words] of refused) {
    const reply = await send({ ...message, receiver: 'busy' });
    test.match([reply.status, reply.json], [200, { status, status_message: words }], why);
  }
  test.match((await send({ ...text, receiver: undefined })).json, { status: 4 });
  test.match((await send({ ...text, receiver: x(65) })).json, { status: 3 });
  test.match((await send('{')).json, { status: 3 }, 'no JSON');
  test.match((await messages())[1], { outcome: 'refused', note: /^Refused: badData: receiver/ });
});

t.test('what is wrong with the call itself', async (test) => {
  const { send, call, messages } = await rig(test);
  test.match((await send(text, {})).json, { status: 2, status_message: 'invalidAuthToken' });
  test.match((await send(text, { 'x-viber-auth-token': 'not a token' })).json, { status: 2 });
  test.match((await send(text, { 'x-viber-auth-token': 'sandbox' })).json, { status: 0 });
  test.equal((await call('GET', path, undefined, authorization)).status, 404);
  test.equal((await call('POST', '/viber/pa/send', text, authorization)).status, 404);
  test.equal((await send(x(65 * 1024))).status, 413);
  test.equal((await messages()).length, 1);
});

t.test('a refusal of the body counts as one, and a rule says it by the status', async (test) => {
  const { send, call, messages } = await rig(test);
  test.match((await send({ ...text, receiver: 'Unsubscribed7' })).json, { status: 6 });
  test.match((await messages())[0], { outcome: 'refused', fault: 'unsubscribed*' });
  const rule = { channel: 'viber', match: '*', fault: 'status', value: 429, retryAfterSeconds: 3 };
  await call('POST', '/control/faults', rule);
  const reply = await send(text);
  test.match([reply.status, reply.headers], [429, { 'retry-after': '3' }]);
});
