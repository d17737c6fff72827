// A preview and its facts over one partition: it shows what dispatch renders, names who and what is
// not there, and stays small.

import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import { placeholders } from '../../../../actors/content/messages/composed-item.ts';
import { preview } from '../../../../actors/content/messages/preview.ts';
import type { MessagesProtocol } from '../../../../actors/content/messages/protocol.ts';
import { contentFor } from '../../../../actors/content/render/content-for.ts';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { limits } from '../../../../actors/limits.ts';
import type { PersonRef } from '../../../../actors/people/audience/protocol.ts';
import { partitionWithApp } from '../../../support/partition.ts';
import { tries } from '../../../support/tries.ts';

type Asked = Omit<MessagesProtocol['message.preview']['body'], 'by' | 'id' | 'person' | 'draft'>;

const pair = createECDH('prime256v1');
const browser = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/1',
  keys: { p256dh: pair.generateKeys('base64url'), auth: Buffer.alloc(16).toString('base64url') },
};

async function world() {
  const { one, app } = await partitionWithApp();
  const ada = await one.value(app, 'subscriber.upsert', {
    subscriber: {
      externalUserId: 'ada',
      tags: { first_name: 'Ada', language: 'de-AT' },
      devices: [
        { channel: 'fcm', endpoint: 'first-token' },
        { channel: 'fcm', endpoint: 'second-token' },
        { channel: 'email', endpoint: 'ada@example.com' },
      ],
    },
  });
  const message = async (content: MessageContent) =>
    (await one.value(app, 'message.create', { message: { content } })).id;
  const view = async (id: string, asked: Asked = {}) =>
    preview({ ...(await one.value(app, 'message.facts', { id, ...asked })), ...asked }).items;
  const ask = async (content: MessageContent, asked: Asked = {}) =>
    view(await message(content), asked);
  const [first, second] = ada.subscriber.devices.map(({ id }) => id);
  return { one, app, ada: ada.subscriber, message, view, ask, first, second };
}

const to: PersonRef = { externalUserId: 'ada' };
const greeting: MessageContent = {
  title: 'Hi {{ first_name }}',
  body: 'At {{ app.name }}',
  priority: 'high',
  localizations: { de: { body: 'Bei {{ app.name }}' } },
};

t.test('what is shown is what dispatch renders, on every channel', async (t) => {
  const { one, app, ada, message, view } = await world();
  const text = fc.constantFrom(
    'Hi {{ first_name }}',
    '<b>{{ first_name }}</b>',
    '{{ no }}',
    '{{ x }}',
  );
  const some = { requiredKeys: [] };
  const content = fc.record(
    {
      title: text,
      body: text,
      image: fc.constant('https://cdn.example/{{ x }}.png'),
      payload: fc.constant({ whatsapp: { templateName: 'a', bodyParams: ['{{ first_name }}'] } }),
      localizations: fc.record({ de: fc.record({ title: text, body: text }, some) }, some),
    },
    some,
  );
  const state = one.product.state.apps.get(app);
  await fc.assert(
    fc.asyncProperty(
      content.filter(({ body, payload }) => (body ?? payload) !== undefined),
      fc.constantFrom(undefined, 'de', 'fr'),
      fc.constantFrom(undefined, { x: 1 }),
      async (content, language, variables) => {
        const id = await message(content);
        const asked = {
          to,
          ...(language !== undefined && { language }),
          ...(variables !== undefined && { variables }),
        };
        const items = await view(id, asked);
        t.same(
          items.map(({ channel }) => channel),
          channelIds,
        );
        const tags = language === undefined ? ada.tags : { ...ada.tags, language };
        for (const item of items) {
          const { channel } = item;
          const name = state?.record.name ?? '';
          const shop = { name, timezone: 'UTC' };
          const person = { id: ada.id, externalUserId: 'ada', tags };
          const shown = contentFor(content, person, shop, channel, one.clock.nowMs, variables);
          if ('content' in shown) t.same(item.content, shown.content, channel);
          else t.match(item, { error: { field: shown.fault.field, error: shown.fault.message } });
          if ('fault' in shown) t.notOk('content' in item || 'payload' in item, channel);
          t.same(await view(id, { ...asked, channels: [channel] }), [item], 'the same by itself');
        }
      },
    ),
    { numRuns: tries(25) },
  );
});

t.test(
  'a payload carries the devices that the person has, and placeholders for the others',
  async (t) => {
    const { one, app, ask, first, second } = await world();
    const of = async (channel: (typeof channelIds)[number], who?: PersonRef) =>
      (await ask(greeting, { channels: [channel], ...(who && { to: who }) }))[0];
    t.match(await of('fcm', to), {
      language: 'de',
      deviceId: first,
      content: { title: 'Hi Ada', body: 'Bei Shop' },
      payload: {
        message: {
          token: 'first-token',
          notification: { title: 'Hi Ada', body: 'Bei Shop' },
          data: { engageSendId: placeholders.sendId, engageDeviceId: first },
          android: { priority: 'HIGH' },
        },
      },
    });
    t.match(await of('email', to), {
      payload: {
        to: 'ada@example.com',
        subject: 'Hi Ada',
        html: /Bei Shop/,
        text: /Bei Shop/,
        headers: { 'List-Unsubscribe': `<${placeholders.unsubscribeUrl}?language=de-at>` },
      },
    });
    t.match(await of('webpush', to), {
      deviceId: null,
      payload: { body: 'Bei Shop', deviceId: placeholders.deviceId },
    });
    t.match(await of('fcm'), {
      language: null,
      deviceId: null,
      content: { title: 'Hi', body: 'At Shop' },
      payload: { message: { token: placeholders.token } },
    });
    t.match(await of('email'), { payload: { to: placeholders.address } });
    t.match(await of('sms'), { payload: { To: placeholders.phone, Body: 'Hi\nAt Shop' } });
    const ref = to;
    const disable = { ref, deviceId: first ?? '', enabled: false };
    await one.value(app, 'device.enable', disable);
    t.match(await of('fcm', to), { deviceId: second });
    await one.value(app, 'device.enable', { ...disable, deviceId: second ?? '' });
    t.match(await of('fcm', to), { deviceId: first }, 'where it would have gone');
    await one.value(app, 'device.add', { ref, device: { channel: 'webpush', endpoint: browser } });
    t.ok((await of('webpush', to))?.deviceId);
  },
);

t.test(
  'a person or message that is not there is a 404, and a person by their member',
  async (t) => {
    const { one, app, message } = await world();
    const id = await message(greeting);
    const unknown = `sub_${'0'.repeat(26)}`;
    for (const [to, field] of [
      [{ id: unknown }, 'subscriberId'],
      [{ externalUserId: 'ben' }, 'externalUserId'],
    ] as const)
      t.match(await one.ask(app, 'message.facts', { id, to }), {
        ok: false,
        fault: { code: 'not_found', field },
      });
    t.match(await one.ask(app, 'message.facts', { id: `msg_${'0'.repeat(26)}` }), {
      ok: false,
      fault: { code: 'not_found', message: 'message not found' },
    });
  },
);

t.test('what a provider would not take keeps its content, and says why', async (t) => {
  const { ask } = await world();
  const [long, ...rest] = await ask({ title: 'x', body: 'x'.repeat(5_000) });
  t.match(long, {
    channel: 'fcm',
    content: { title: 'x' },
    error: { error: /^payload_too_large: / },
  });
  t.notOk(long !== undefined && 'payload' in long);
  t.ok(rest.find(({ channel }) => channel === 'email')?.payload);
});

t.test(
  'a mail without a subject is an error of the mail alone, by the member as written',
  async (t) => {
    const { ask } = await world();
    const items = await ask({ body: 'x', localizations: { de: { title: '{{ no }}' } } }, { to });
    for (const { channel, error } of items)
      if (channel === 'email') t.match(error, { field: 'title', error: /^title: is empty/ });
      else if (channel === 'kakao') t.match(error, { error: /^template_missing: / });
      else t.equal(error, undefined, channel);
  },
);

t.test('a template that runs away is an error of every channel, and ends', async (t) => {
  const { ask } = await world();
  const loop = '{% for i in (1..5000) %}{{ i }}{% endfor %}';
  const items = await ask({ title: 'x', body: loop.repeat(7) });
  for (const { channel, error } of items)
    t.match(error, { field: 'body', error: /^body: runaway template: more than 50000/ }, channel);
});

t.test('what is too long to be shown beside the others is shown alone', async (t) => {
  const { ask } = await world();
  const long = { title: 'x', body: `<p>${'x'.repeat(262_000)}</p>` };
  const items = await ask(long);
  const shown = items.filter(({ content }) => content !== undefined);
  t.ok(shown.length > 1 && shown.length < items.length);
  t.ok(JSON.stringify(items).length < 1.1 * limits.pageCharsMax);
  for (const { channel, content, error } of items) {
    if (content !== undefined) continue;
    t.match(error, { field: 'channel', error: /^channel: the preview is too large/ });
    t.ok((await ask(long, { channels: [channel] }))[0]?.content, channel);
  }
});
