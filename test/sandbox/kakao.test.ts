// Solapi's stand-in by a real client: its signatures, what it takes and how it shows it, and the
// two ways in which it refuses.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const path = '/kakao/messages/v4/send-many/detail';
const message = {
  to: '01012345678',
  from: '0212345678',
  type: 'ATA',
  country: '82',
  kakaoOptions: { pfId: 'KA01PF1', templateId: 'KA01TP1', disableSms: true },
};
const x = (length: number) => 'x'.repeat(length);
const fixedKey = { apiKey: 'SANDBOXKEY', apiSecret: 'sandbox-api-secret' };
let calls = 0;

/** A signature that was not used before, unless its parts are given. */
function signed({
  apiKey = fixedKey.apiKey,
  apiSecret = fixedKey.apiSecret,
  date = new Date().toISOString(),
  salt = `salt-of-the-test-${++calls}`,
} = {}): Record<string, string> {
  const signature = createHmac('sha256', apiSecret).update(`${date}${salt}`).digest('hex');
  const parts = `apiKey=${apiKey}, date=${date}, salt=${salt}, signature=${signature}`;
  return { authorization: `HMAC-SHA256 ${parts}` };
}

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  const post = (body: object | string, headers = signed()) =>
    sandbox.call('POST', path, body, headers);
  return {
    ...sandbox,
    post,
    send: (over: object, headers = signed()) =>
      post({ messages: [{ ...message, ...over }], showMessageList: true }, headers),
  };
}

t.test('a message is accepted with an id, and shown by what goes into its places', async (test) => {
  const { send, post, messages, call } = await rig(test);
  const kakaoOptions = {
    ...message.kakaoOptions,
    variables: { '#{name}': 'Ann' },
    buttons: [
      { buttonType: 'WL', buttonName: 'Track', linkMo: 'https://a.example/' },
      { buttonType: 'BK', buttonName: 'Ask' },
    ],
  };
  const customFields = { sendId: 'ntf_1', deviceId: 'dev_1' };
  const reply = await send({ kakaoOptions, customFields });
  test.equal(reply.status, 200);
  test.match(reply.json, {
    groupInfo: { groupId: /^G4V/, count: { total: 1, registeredSuccess: 1 } },
    failedMessageList: [],
    messageList: [{ messageId: /^M4V/, statusCode: '2000', customFields }],
  });
  test.match((await messages())[0], {
    channel: 'kakao',
    look: 'chat',
    to: '+821012345678',
    sender: 'channel KA01PF1',
    text: 'Template KA01TP1\n#{name} Ann',
    buttons: [{ label: 'Track', url: 'https://a.example/' }, { label: 'Ask' }],
    note: /not known here/,
    ...customFields,
    outcome: 'accepted',
  });
  const words = { templateId: 'KA01TP1', text: 'Dear #{name}, #{other}' };
  test.equal((await call('POST', '/control/kakao/templates', words)).status, 200);
  test.equal((await call('POST', '/control/kakao/templates', { ...words, text: '' })).status, 400);
  await post({ messages: [{ ...message, kakaoOptions: { ...kakaoOptions, disableSms: false } }] });
  const [shown] = await messages();
  test.match(shown, { text: 'Dear Ann, #{other}', note: /^Falls back to a text message/ });
  test.notOk('messageList' in (await post({ messages: [message] })).json, 'only where asked for');
});

t.test(
  'a call is signed once, within a quarter of an hour, by a key that is right',
  async (test) => {
    const { send, call, messages } = await rig(test);
    const agoMs = (ms: number) => ({ date: new Date(Date.now() - ms).toISOString() });
    const again = signed();
    test.equal((await send({}, again)).status, 200);
    const refused: [why: string, headers: Record<string, string>, errorCode: string][] = [
      ['twice', again, 'DuplicatedSignature'],
      ['not signed', {}, 'Unauthorized'],
      ['another scheme', { authorization: 'Bearer x' }, 'Unauthorized'],
      ['a short salt', signed({ salt: 'short' }), 'Unauthorized'],
      ['a long salt', signed({ salt: x(65) }), 'Unauthorized'],
      ['too old', signed(agoMs(901_000)), 'RequestTimeTooSkewed'],
      ['too new', signed(agoMs(-901_000)), 'RequestTimeTooSkewed'],
      ['no time', signed({ date: 'yesterday' }), 'RequestTimeTooSkewed'],
      ['another secret', signed({ apiSecret: 'another' }), 'SignatureDoesNotMatch'],
      ['a key taken back', signed({ apiKey: 'revoked-key' }), 'InvalidAPIKey'],
    ];
    for (const [why, headers, errorCode] of refused)
      test.match(await send({}, headers), { status: 403, json: { errorCode } }, why);
    test.equal((await messages()).length, 1);
    test.equal((await send({}, signed(agoMs(890_000)))).status, 200);
    test.equal((await send({}, signed(agoMs(-890_000)))).status, 200);

    const key = { apiKey: 'NCS12345', apiSecret: 'a-secret-of-a-tenant' };
    test.equal((await send({}, signed({ ...key, apiSecret: 'x' }))).status, 200, 'not known yet');
    test.same((await call('POST', '/control/kakao/keys', key)).json, { apiKey: key.apiKey });
    const wrong = signed({ ...key, apiSecret: 'x' });
    test.match((await send({}, wrong)).json, { errorCode: 'SignatureDoesNotMatch' });
    test.equal((await send({}, signed(key))).status, 200);
    test.equal((await call('POST', '/control/kakao/keys', { apiKey: 'x' })).status, 400);
  },
);

t.test('what is wrong with a message is in the list of failures of a 200', async (test) => {
  const { send, messages } = await rig(test);
  const options = (more: object) => ({ kakaoOptions: { ...message.kakaoOptions, ...more } });
  const button = { buttonType: 'BK', buttonName: 'Ask' };
  const failed: [why: string, over: object, statusCode: string][] = [
    ['another type', { type: 'SMS' }, '1033'],
    ['a number with a plus', { to: '+821012345678' }, '1011'],
    ['a Korean number without its 0', { to: '821012345678' }, '1011'],
    ['a sender that is no number', { from: 'Shop' }, '1062'],
    ['a channel with a space', options({ pfId: 'a b' }), '1041'],
    ['a template id with a space', options({ templateId: 'a b' }), '1042'],
    ['a place without its braces', options({ variables: { name: 'Ann' } }), '1043'],
    ['a place with a dot', options({ variables: { '#{a.b}': 'Ann' } }), '1043'],
    ['a variable of 1,001', options({ variables: { '#{a}': x(1_001) } }), '1031'],
    ['a text of 1,001', { text: x(1_001) }, '1031'],
    ['six buttons', options({ buttons: new Array(6).fill(button) }), '1050'],
    ['a button of 15', options({ buttons: [{ ...button, buttonName: x(15) }] }), '1049'],
    ['a field of 101', { customFields: { a: x(101) } }, '1032'],
    ['a name of 31', { customFields: { [x(31)]: 'a' } }, '1032'],
  ];
  for (const [why, over, statusCode] of failed) {
    const reply = await send(over);
    test.match(reply, { status: 200, json: { failedMessageList: [{ statusCode }] } }, why);
    test.match((await messages())[0], { outcome: 'refused' });
  }
  const abroad = await send({ country: '1', to: '4155550123' });
  test.match(abroad.json, { failedMessageList: [] });
  test.match((await messages())[0], { to: '+14155550123', outcome: 'accepted' });
});

t.test('what is wrong with a call refuses it whole, before any fault is played', async (test) => {
  const { post, call, messages } = await rig(test);
  const to = { country: '1', to: '5005550006' };
  const wrong: [why: string, body: object | string][] = [
    ['no JSON', '{'],
    ['no messages', { messages: [] }],
    ['two messages', { messages: [message, message] }],
    ['an unknown member', { messages: [message], agent: {} }],
    ['an unknown member of a message', { messages: [{ ...message, ...to, subject: 'x' }] }],
    ['no number', { messages: [{ ...message, to: undefined }] }],
    ['a type that is none', { messages: [{ ...message, ...to, type: 'XYZ' }] }],
    ['no options', { messages: [{ ...message, ...to, kakaoOptions: undefined }] }],
    [
      'a variable that is no text',
      {
        messages: [{ ...message, kakaoOptions: { ...message.kakaoOptions, variables: { a: 1 } } }],
      },
    ],
    [
      'a web button without its link',
      {
        messages: [
          {
            ...message,
            kakaoOptions: {
              ...message.kakaoOptions,
              buttons: [{ buttonType: 'WL', buttonName: 'Go' }],
            },
          },
        ],
      },
    ],
  ];
  for (const [why, body] of wrong) {
    test.match(await post(body), { status: 400, json: { errorCode: 'ValidationError' } }, why);
  }
  test.match((await messages())[0], { outcome: 'refused', note: /^Refused: / });
  test.equal((await call('POST', '/kakao/messages/v4/send', message, signed())).status, 404);
  test.equal((await call('GET', path, undefined, signed())).status, 404);
  test.equal((await post(x(257 * 1024))).status, 413);
});

t.test('each number gets the answer that Solapi would give', async (test) => {
  const { send } = await rig(test);
  const to = (last: string) => send({ country: '1', to: `500555${last}` });
  const codes = {
    '0001': '3010',
    '0002': '1058',
    '0003': '3101',
    '0004': '1061',
    '0007': '3032',
    '0009': '3104',
    '0011': '3107',
    '0012': '1030',
    '0013': '3108',
    '0014': '3105',
    '0015': '3103',
    '0020': '1024',
    '0021': '1026',
  };
  for (const [last, statusCode] of Object.entries(codes))
    test.match((await to(last)).json, { failedMessageList: [{ statusCode }] }, last);
  const throttled = await to('0005');
  test.match(throttled.json, { errorCode: 'TooManyRequests' });
  test.match([throttled.status, throttled.headers['retry-after']], [429, '2']);
  test.equal((await to('0006')).status, 503);
  test.match((await to('0010')).json, { errorCode: 'InvalidAPIKey' });
  test.match((await to('0019')).json, { errorCode: 'RequestTimeTooSkewed' });
  await test.rejects(to('0008'));
  await test.rejects(to('0018'));
});
