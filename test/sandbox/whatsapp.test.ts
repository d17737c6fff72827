// WhatsApp's stand-in by a real client: what it takes and how it shows it, and what it refuses with
// which code.

import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const path = '/whatsapp/v25.0/106540352242922/messages';
const authorization = { authorization: 'Bearer sandbox' };
const textMessage = {
  messaging_product: 'whatsapp',
  to: '14155550123',
  type: 'text',
  text: { body: 'Hi' },
};
const templateOf = (template: object) => ({
  messaging_product: 'whatsapp',
  to: '14155550123',
  type: 'template',
  template: { name: 'order', language: { code: 'en_US' }, ...template },
});
const body = (...texts: unknown[]) => ({
  type: 'body',
  parameters: texts.map((text) => ({ type: 'text', text })),
});

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    send: (message: object | string, headers: Record<string, string> = authorization, to = path) =>
      sandbox.call('POST', to, message, headers),
  };
}

t.test('a text is accepted and recorded as its recipient sees it', async (test) => {
  const { send, messages } = await rig(test);
  const reply = await send({
    ...textMessage,
    text: { body: '*Shipped*\nSee https://a.example.com/1', preview_url: true },
    biz_opaque_callback_data: 'ntf_1:dev_1',
  });
  test.equal(reply.status, 200);
  test.match(reply.json, {
    messaging_product: 'whatsapp',
    contacts: [{ input: '14155550123', wa_id: '14155550123' }],
    messages: [{ id: /^wamid\./, message_status: 'accepted' }],
  });
  test.match((await messages())[0], {
    channel: 'whatsapp',
    look: 'chat',
    to: '+14155550123',
    sender: 'number 106540352242922',
    title: 'Shipped',
    text: 'See https://a.example.com/1',
    link: 'https://a.example.com/1',
    note: /24 hours/,
    sendId: 'ntf_1',
    deviceId: 'dev_1',
  });
});

t.test(
  'a registered template must be filled exactly, and is shown with its words',
  async (test) => {
    const { send, call, messages } = await rig(test);
    const template = {
      name: 'order',
      language: 'en_US',
      header: 'No. {{1}}',
      body: 'Hi {{1}}, {{2}}.',
    };
    test.equal((await call('POST', '/control/whatsapp/templates', template)).status, 200);
    const header = { type: 'header', parameters: [{ type: 'text', text: 'A1' }] };
    const button = {
      type: 'button',
      sub_type: 'url',
      index: '0',
      parameters: [{ type: 'text', text: 'o/1' }],
    };
    const good = templateOf({ components: [header, body('Ann', 'it left'), button] });
    test.equal((await send(good)).status, 200);
    test.match((await messages())[0], {
      title: 'No. A1',
      text: 'Hi Ann, it left.',
      buttons: [{ label: 'Button 1 (url): o/1' }],
    });
    for (const components of [
      [],
      [body('Ann', 'x')],
      [header, body('Ann')],
      [header, body('a', 'b', 'c')],
    ]) {
      const reply = await send(templateOf({ components }));
      test.equal(reply.json.error?.code, 132000, JSON.stringify(components));
    }
    test.equal(
      (await send(templateOf({ language: { code: 'de' } }))).status,
      200,
      'of others only the name counts',
    );
    test.match((await messages())[0], { text: 'Template order', note: /not known/ });
    test.equal((await call('POST', '/control/whatsapp/templates', { name: 'No' })).status, 400);
  },
);

t.test('a picture in a header and one of free text are shown', async (test) => {
  const { send, messages } = await rig(test);
  const link = 'https://a.example.com/a.png';
  const header = { type: 'header', parameters: [{ type: 'image', image: { link } }] };
  await send(templateOf({ components: [header] }));
  const { text: _text, ...bare } = textMessage;
  await send({ ...bare, type: 'image', image: { link, caption: 'Look' } });
  test.match(await messages(), [{ image: link, text: 'Look' }, { image: link }]);
});

t.test(
  'what WhatsApp refuses is refused with its code, before any fault is played',
  async (test) => {
    const { send } = await rig(test);
    const { to: _to, ...nobody } = textMessage;
    const { text: _text, ...bare } = textMessage;
    const param = (text: unknown) => templateOf({ components: [body(text)] });
    const refused: readonly (readonly [why: string, message: object | string, code: number])[] = [
      ['no JSON', '{', 100],
      ['no product', { ...textMessage, messaging_product: 'x' }, 100],
      ['an unknown member', { ...textMessage, badge: 1 }, 100],
      ['an unknown member of the text', { ...textMessage, text: { body: 'a', title: 'b' } }, 100],
      ['nobody', nobody, 131008],
      ['no number', { ...textMessage, to: 'ann' }, 131009],
      ['a group', { ...textMessage, recipient_type: 'group' }, 100],
      ['no text', { ...textMessage, text: { body: ' ' } }, 131008],
      ['a long text', { ...textMessage, text: { body: 'x'.repeat(4_097) } }, 100],
      [
        'a preview that is no boolean',
        { ...textMessage, text: { body: 'x', preview_url: 1 } },
        100,
      ],
      ['another type', { ...bare, type: 'sticker' }, 131051],
      ['a picture without an address', { ...bare, type: 'image', image: {} }, 131008],
      ['a picture from nowhere', { ...bare, type: 'image', image: { link: 'ftp://a' } }, 131009],
      [
        'a long caption',
        {
          ...bare,
          type: 'image',
          image: { link: 'https://a.example.com', caption: 'x'.repeat(1_025) },
        },
        100,
      ],
      ['a long reference', { ...textMessage, biz_opaque_callback_data: 'x'.repeat(513) }, 100],
      ['a template without a name', templateOf({ name: '' }), 131008],
      ['no language', templateOf({ language: { code: 'English' } }), 131009],
      ['another policy', templateOf({ language: { code: 'en', policy: 'fallback' } }), 131009],
      ['a template that is not there', templateOf({ name: 'missing_one' }), 132001],
      ['a template by no name', templateOf({ name: 'Order' }), 132001],
      ['a paused template', templateOf({ name: 'paused_one' }), 132015],
      ['a disabled template', templateOf({ name: 'disabled_one' }), 132016],
      ['a line break in a parameter', param('a\nb'), 100],
      ['five spaces in a parameter', param('a     b'), 100],
      ['an empty parameter', param(''), 131008],
      ['a number as parameter', param(1), 131008],
      ['no parameters', templateOf({ components: [{ type: 'body', parameters: [] }] }), 131008],
      [
        'another component',
        templateOf({ components: [{ type: 'footer', parameters: [{}] }] }),
        131009,
      ],
      [
        'a picture in the body',
        templateOf({
          components: [
            { type: 'body', parameters: [{ type: 'image', image: { link: 'https://a.b' } }] },
          ],
        }),
        132012,
      ],
      [
        'a button without its place',
        templateOf({
          components: [
            { type: 'button', sub_type: 'url', parameters: [{ type: 'text', text: 'x' }] },
          ],
        }),
        131009,
      ],
    ];
    for (const [why, message, code] of refused) {
      const aimed = typeof message === 'string' || !('to' in message) || message.to === 'ann';
      const faulty = aimed ? message : { ...message, to: '15005550008' };
      const reply = await send(faulty);
      test.equal(reply.json.error?.code, code, why);
      test.equal(reply.status, code === 132001 ? 404 : 400, why);
    }
    test.equal((await send({ ...textMessage, text: { body: 'x'.repeat(4_096) } })).status, 200);
  },
);

t.test('who calls must say so, and at the right address', async (test) => {
  const { send, messages } = await rig(test);
  const refused = async (headers: Record<string, string>, to = path) => {
    const { status, json } = await send(textMessage, headers, to);
    return [status, json.error.code, json.error.error_subcode];
  };
  test.same(await refused({}), [401, 104, undefined]);
  test.same(await refused({ authorization: 'Bearer short' }), [401, 190, undefined]);
  test.same(await refused({ authorization: 'Bearer expired-token-of-an-app' }), [
    401,
    190,
    undefined,
  ]);
  test.same(await refused(authorization, '/whatsapp/106540352242922/messages'), [400, 100, 33]);
  test.same(await refused(authorization, '/whatsapp/v25.0/1/media'), [400, 100, 33]);
  test.same((await messages()).length, 3, 'an unknown path is nobody’s message');
  const own = { authorization: 'Bearer EAAG-a-token-of-an-app' };
  test.equal((await send(textMessage, own)).status, 200);
});

t.test(
  'each number of the test range gets its refusal, and says it in the list of faults',
  async (test) => {
    const { send, call } = await rig(test);
    const rows: readonly (readonly [digits: string, status: number, code: number])[] = [
      ['0001', 400, 131009],
      ['0002', 400, 131030],
      ['0003', 403, 130497],
      ['0004', 400, 131050],
      ['0005', 429, 130429],
      ['0006', 500, 131016],
      ['0007', 400, 131026],
      ['0009', 400, 131026],
      ['0010', 401, 190],
      ['0011', 400, 131047],
      ['0012', 400, 131056],
      ['0013', 400, 131049],
      ['0014', 400, 131042],
    ];
    for (const [digits, status, code] of rows) {
      const reply = await send({ ...textMessage, to: `1500555${digits}` });
      test.same([reply.status, reply.json.error.code], [status, code], digits);
    }
    await test.rejects(send({ ...textMessage, to: '15005550008' }));
    const held = await send({ ...textMessage, to: '+15005550015' });
    test.equal(held.json.messages[0].message_status, 'held_for_quality_assessment');
    const { channels } = (await call('GET', '/control/channels')).json;
    const listed = channels.find((one: { channel: string }) => one.channel === 'whatsapp');
    test.equal(
      listed.faults.filter((one: { prefix: string }) => one.prefix.startsWith('+1500')).length,
      15 + 7,
      'and seven that are told of later',
    );
    await call('POST', '/control/faults', {
      channel: 'whatsapp',
      fault: 'status',
      value: 503,
      retryAfterSeconds: 9,
    });
    const ruled = await send(textMessage);
    test.same(
      [ruled.status, ruled.json.error.code, ruled.headers['retry-after']],
      [503, 131016, '9'],
    );
  },
);
