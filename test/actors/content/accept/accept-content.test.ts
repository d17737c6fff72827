import t from 'tap';
import { z } from 'zod';
import {
  acceptContent,
  type ContentLane,
} from '../../../../actors/content/accept/accept-content.ts';
import { contentSchema } from '../../../../actors/content/shape/message-schema.ts';

function accepted(body: object, lane: ContentLane = 'transactional') {
  return acceptContent(contentSchema.parse(body), lane);
}

function problem(body: object, lane: ContentLane = 'transactional'): string {
  const answer = accepted(body, lane);
  return 'fault' in answer ? answer.fault.message : '';
}

t.test('content comes out in one normal form, without members that are not known', async (t) => {
  const answer = accepted({
    title: 'Hi {{ name }}',
    body: 'Order {{ order_id }}',
    image: ' HTTPS://example.com/a.png ',
    deepLink: 'myapp://orders/{{ order_id }}',
    data: { a: 'x', n: 1, flag: true },
    payload: { whatsapp: { templateName: 't', bodyParams: ['{{ name }}'] }, ttlSeconds: 60 },
    buttons: [{ text: 'Go', link: 'https://example.com', colour: 'red' }],
    badgeCount: 0,
    priority: 'high',
    localizations: { pt_BR: { title: 'Oi', unknown: 1 } },
    status: 'sent',
    orgId: 'org_1',
  });
  t.same(answer, {
    content: {
      title: 'Hi {{ name }}',
      body: 'Order {{ order_id }}',
      image: 'https://example.com/a.png',
      deepLink: 'myapp://orders/{{ order_id }}',
      data: { a: 'x', n: 1, flag: true },
      payload: { whatsapp: { templateName: 't', bodyParams: ['{{ name }}'] }, ttlSeconds: 60 },
      buttons: [{ label: 'Go', url: 'https://example.com' }],
      badgeCount: 0,
      priority: 'high',
      localizations: { 'pt-br': { title: 'Oi' } },
    },
  });
});

t.test(
  'what cannot be rendered is refused on acceptance, and the fault names the member',
  async (t) => {
    t.equal(problem({ body: '{{ a | nofilter }}' }), 'body: undefined filter: nofilter');
    t.equal(problem({ title: '{% include "x" %}' }), 'title: undefined tag: include');
    t.equal(problem({ body: ' \n' }), 'body: renders to nothing');
    t.equal(problem({ body: '<p>{{ a | nofilter }}</p>' }), 'body: undefined filter: nofilter');
    t.equal(problem({ data: { x: '{{ a | nofilter }}' } }), 'data.x: undefined filter: nofilter');
    t.equal(
      problem({ payload: { whatsapp: { bodyParams: ['a', '{{ b | nofilter }}'] } } }),
      'payload.whatsapp.bodyParams[1]: undefined filter: nofilter',
    );
    t.equal(
      problem({ localizations: { pt: { body: '{{ a | nofilter }}' } } }),
      'localizations.pt.body: undefined filter: nofilter',
    );
    t.equal(
      problem({ localizations: { pt: { buttons: [{ label: 'x', url: 'javascript:1' }] } } }),
      'localizations.pt.buttons[0].url: javascript: links are not allowed',
    );
    t.equal(problem({ deepLink: 'javascript:x' }), 'deepLink: javascript: links are not allowed');
    t.equal(
      problem({ image: 'data:image/png;base64,x' }),
      'image: an image must be an https: or http: URL',
    );
    t.equal(
      problem({ collapseKey: '{{ a | nofilter }}' }),
      'collapseKey: undefined filter: nofilter',
    );
  },
);

t.test(
  'option names are reserved in payload always, and in data on the transactional lane',
  async (t) => {
    t.equal(
      problem({ payload: { ttlSeconds: 'soon' } }, 'marketing'),
      'payload.ttlSeconds: expected an integer from 0',
    );
    t.equal(
      problem({ data: { ttlSeconds: 'soon' } }, 'transactional'),
      'data.ttlSeconds: expected an integer from 0',
    );
    t.equal(problem({ data: { ttlSeconds: 'soon' } }, 'marketing'), '');
  },
);

t.test('an HTML body may be longer than a text', async (t) => {
  t.equal(problem({ body: 'x'.repeat(16_384) }), '');
  t.equal(problem({ body: 'x'.repeat(16_385) }), 'body: at most 16384 characters of text');
  t.equal(problem({ body: `<p>${'x'.repeat(262_137)}</p>` }), '');
  t.throws(() => contentSchema.parse({ body: `<p>${'x'.repeat(262_138)}</p>` }));
  t.equal(contentSchema.safeParse({ title: 'x'.repeat(1_024) }).success, true);
  t.equal(contentSchema.safeParse({ title: 'x'.repeat(1_025) }).success, false);
});

t.test('languages are unique once normalized, and at most 50', async (t) => {
  t.equal(
    problem({ localizations: { 'en-US': {}, en_us: {} } }),
    'localizations.en_us: this language appears twice; en-US is the same',
  );
  t.equal(
    problem({ localizations: { id: {}, in_ID: {}, in: {} } }),
    'localizations.in: this language appears twice; id is the same',
  );
  t.equal(
    problem({ localizations: { 'not a language': {} } }),
    'localizations.not a language: expected a language tag, such as pt-BR',
  );
  const of = (n: number) =>
    Object.fromEntries(
      Array.from({ length: n }, (_, i) => [`en-${String(i).padStart(3, '0')}`, {}]),
    );
  t.equal(problem({ localizations: of(50) }), '');
  t.equal(problem({ localizations: of(51) }), 'localizations: at most 50 languages');
});

t.test('keys that reach into prototypes are refused in data and payload', async (t) => {
  for (const key of ['constructor', 'prototype']) {
    t.equal(problem({ data: { [key]: 'x' } }), `data.${key}: this key is not allowed`);
    t.equal(
      problem({ payload: { a: [{ [key]: 'x' }] } }),
      `payload.a[0].${key}: this key is not allowed`,
    );
  }
  acceptContent(
    JSON.parse('{"payload":{"__proto__":{"x":1}},"data":{"__proto__":"y"}}'),
    'transactional',
  );
  t.equal(Reflect.get({}, 'x'), undefined);
});

t.test('payloads are bounded in depth and size', async (t) => {
  let deep: unknown = 'x';
  for (let i = 0; i < 20; i++) deep = { a: deep };
  t.equal(problem({ payload: { deep } }), 'payload: nested more than 16 levels deep');
  t.equal(problem({ payload: { list: Array(1_000).fill(1) } }), 'payload: at most 1000 values');
  t.equal(problem({ payload: { list: Array(998).fill(1) } }), '');
});

t.test(
  'wrong types are refused by the schema, and every member is described for the API',
  async (t) => {
    for (const body of [
      { title: 5 },
      { title: null },
      { data: { a: {} } },
      { data: { a: null } },
      { buttons: {} },
      { ttlSeconds: '5' },
      { ttlSeconds: 1.5 },
      { priority: 'urgent' },
      { localizations: [] },
    ]) {
      t.equal(contentSchema.safeParse(body).success, false, JSON.stringify(body));
    }
    const described = z.toJSONSchema(contentSchema, { io: 'input' });
    for (const [name, member] of Object.entries(described.properties ?? {})) {
      t.ok(typeof member === 'object' && member.description, name);
    }
    t.not(described.additionalProperties, false);
  },
);

t.test("the names that a provider keeps for itself are refused as the app's data", async (t) => {
  for (const lane of ['transactional', 'marketing'] as const) {
    for (const key of [
      'from',
      'message_type',
      'google_x',
      'google.sent_time',
      'gcm.notification.a',
      'aps',
    ]) {
      t.equal(problem({ data: { [key]: 'x' } }, lane), `data.${key}: this key is reserved`);
    }
    for (const key of ['engageSendId', 'engageDeviceId']) {
      t.equal(problem({ data: { [key]: 'x' } }, lane), `data.${key}: this key is reserved`);
    }
    for (const key of ['From', 'fromAddress', 'type', 'deepLink', 'goog']) {
      t.equal(problem({ data: { [key]: 'x' } }, lane), '', key);
    }
    t.equal(problem({ payload: { whatsapp: { from: 'x' } } }, lane), '', 'payload is no such data');
  }
});

t.test('a value of data is a string, a number or a boolean, and the fault says so', async (t) => {
  for (const value of [null, {}, []]) {
    const parsed = contentSchema.safeParse({ data: { z: value } });
    t.match(parsed.error?.issues, [
      { path: ['data', 'z'], message: 'expected a string, number or boolean' },
    ]);
  }
});

t.test('a number out of range has one bound', async (t) => {
  for (const value of [1e300, 2 ** 31]) {
    const parsed = contentSchema.safeParse({ ttlSeconds: value });
    t.match(parsed.error?.issues, [{ code: 'too_big', maximum: 2_147_483_647 }]);
    t.equal(parsed.error?.issues.length, 1);
  }
});
