import fc from 'fast-check';
import t from 'tap';
import { whatsappWebhook } from '../../../../actors/channels/whatsapp/callbacks.ts';

const whatsappItems = whatsappWebhook.items;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const body = (...values: object[]) =>
  bytes({ entry: [{ changes: values.map((value) => ({ value })) }] });
const reference = 'ntf_1:dev_1';

t.test('statuses are told with their send, device and number', async (t) => {
  const cases = [
    [{ status: 'sent' }, { kind: 'taken' }],
    [{ status: 'delivered' }, { kind: 'arrived' }],
    [
      { status: 'read', timestamp: '1750857384' },
      { kind: 'read', atMs: 1_750_857_384_000 },
    ],
    [{ status: 'played' }, { kind: 'read' }],
    [
      { status: 'failed', errors: [{ code: 131026 }] },
      { reason: 'undeliverable', effect: 'dead' },
    ],
    [{ status: 'failed', errors: [{ code: 131050 }] }, { effect: 'opted_out' }],
    [{ status: 'failed', errors: [{ code: 131049 }] }, { effect: 'none' }],
    [
      { status: 'failed', errors: [{ code: 424242 }] },
      { reason: 'code_424242', effect: 'none' },
    ],
    [
      { status: 'failed', errors: [{ code: '131026' }] },
      { reason: 'failed', effect: 'none' },
    ],
    [{ status: 'failed' }, { reason: 'failed', effect: 'none' }],
  ] as const;
  for (const [status, news] of cases) {
    const one = { id: 'wamid', recipient_id: '66812345678', biz_opaque_callback_data: reference };
    t.match(whatsappItems(body({ statuses: [{ ...one, ...status }] })), [
      { kind: 'status', sendId: 'ntf_1', deviceId: 'dev_1', addresses: ['+66812345678'], news },
    ]);
  }
});

t.test(
  'a status without our reference, or of no name we know, is of nothing that we sent',
  async (t) => {
    const statuses = [
      { status: 'read' },
      { status: 'read', biz_opaque_callback_data: 'x' },
      { status: 'warped', biz_opaque_callback_data: reference },
    ];
    t.same(
      whatsappItems(body({ statuses })),
      statuses.map(() => ({ kind: 'unknown' })),
    );
  },
);

t.test('what people write, press and choose is looked through for a keyword', async (t) => {
  const from = '66812345678';
  const cases = [
    [{ type: 'text', text: { body: 'Stop!' } }, 'stop'],
    [{ type: 'button', button: { text: 'No more', payload: 'STOP' } }, 'stop'],
    [{ type: 'interactive', interactive: { button_reply: { id: 'x', title: 'Start' } } }, 'start'],
    [{ type: 'interactive', interactive: { button_reply: { id: 'stop', title: 'Bye' } } }, 'stop'],
    [{ type: 'text', text: { body: 'hello' } }, undefined],
    [{ type: 'image' }, undefined],
  ] as const;
  for (const [message, keyword] of cases) {
    const [item] = whatsappItems(body({ messages: [{ id: 'w', from, ...message }] }));
    t.match(item, { kind: 'inbound', from: `+${from}` });
    t.equal(item?.kind === 'inbound' ? item.keyword : 'none', keyword);
  }
});

t.test('a choice about marketing in WhatsApp itself counts like the word', async (t) => {
  const preference = { wa_id: '66812345678', category: 'marketing_messages', timestamp: 1 };
  const said = (value: string) =>
    whatsappItems(body({ user_preferences: [{ ...preference, value }] }));
  t.match(said('stop'), [{ kind: 'inbound', keyword: 'stop', atMs: 1_000 }]);
  t.match(said('resume'), [{ kind: 'inbound', keyword: 'start' }]);
  t.match(said('maybe'), [{ kind: 'unknown' }]);
});

t.test('several entries and changes are told in their order', async (t) => {
  const one = (id: string) => ({
    statuses: [{ status: 'sent', biz_opaque_callback_data: `${id}:d` }],
  });
  const changes = (...ids: string[]) => ({ changes: ids.map((id) => ({ value: one(id) })) });
  const items = whatsappItems(bytes({ entry: [changes('a', 'b'), changes('c')] }));
  t.same(
    items.map((item) => ('sendId' in item ? item.sendId : '')),
    ['a', 'b', 'c'],
  );
});

t.test('whatever else a body is, it is read without a throw', async (t) => {
  for (const text of ['', 'null', '[]', '7', '{', '"x"'])
    t.same(whatsappItems(Buffer.from(text)), [{ kind: 'unknown' }], text);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      whatsappItems(bytes(value));
      whatsappItems(
        bytes({ entry: [{ changes: [{ value: { statuses: [value], messages: [value] } }] }] }),
      );
      whatsappItems(bytes({ entry: value }));
    }),
  );
});
