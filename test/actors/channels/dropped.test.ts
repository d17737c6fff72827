import fc from 'fast-check';
import t from 'tap';
import { type ChannelId, channelIds } from '../../../actors/channels/channel-ids.ts';
import { droppedOn } from '../../../actors/channels/dropped.ts';
import type { RenderedContent } from '../../../actors/channels/port/attempt.ts';
import { decodeEntities } from '../../../actors/channels/port/html-text.ts';
import { payloadOf } from '../../../actors/channels/providers.ts';
import { tries } from '../../support/tries.ts';
import { acceptedMs, anAttempt } from './stand-ins.ts';

const numbers: Partial<Record<ChannelId, readonly string[]>> = {
  sms: ['+14155550123', '+84912345678'],
};
const addresses: Partial<Record<ChannelId, string>> = {
  email: 'ada@example.com',
  line: `U${'a'.repeat(32)}`,
  zalo: '1234567890',
  telegram: '12345',
  viber: 'abc==',
};

const url = (place: string) =>
  fc
    .constantFrom(
      'https://a.example/',
      'http://a.example/',
      'shop://',
      'tg://',
      'line://',
      'viber://',
    )
    .map((scheme) => `${scheme}${place}`);
const content = fc.record(
  {
    title: fc.constantFrom('Hi', 'A title of more than forty letters, which LINE shows as text'),
    body: fc.constantFrom('Hello', 'x'.repeat(100), 'y'.repeat(200)),
    image: fc.constantFrom('https://i.example/image.png', 'http://i.example/image.png'),
    deepLink: url('deep'),
    buttons: fc.tuple(
      fc.record({ label: fc.constant('label0'), url: url('button0') }, { requiredKeys: ['label'] }),
      fc.record({ label: fc.constant('label1'), url: url('button1') }, { requiredKeys: ['label'] }),
    ),
    data: fc.constant({ key: 'custom-data-value' }),
  },
  { requiredKeys: ['body'] },
);

t.test('what is named is what the adapter leaves out, and nothing else', async (t) => {
  for (const channel of channelIds) {
    if (channel === 'kakao') continue;
    fc.assert(
      fc.property(content, fc.nat(), (shown, at) => {
        const list = numbers[channel];
        const endpoint = list?.[at % list.length] ?? addresses[channel] ?? '+14155550123';
        const bare = { ...shown, options: {} } as RenderedContent;
        const attempt = anAttempt({ channel, endpoint, lane: at % 2 === 0 ? 'express' : 'bulk' });
        const composed = payloadOf({ ...attempt, content: bare }, acceptedMs);
        if (!('payload' in composed)) return;
        const sent = decodeEntities(JSON.stringify(composed.payload).replaceAll('\\', ''));
        const dropped = new Set(
          droppedOn(channel, bare, { address: endpoint, lane: attempt.lane }).map(
            ({ field }) => field,
          ),
        );
        const expect = (field: string, value: string | undefined) => {
          if (value === undefined) return;
          const why = `${channel} ${field} of ${JSON.stringify(shown)} in ${sent}`;
          if (sent.includes(value) === dropped.has(field)) throw new Error(why);
        };
        expect('image', shown.image);
        expect('deepLink', shown.deepLink);
        expect('data', shown.data?.key);
        for (const [i, { label, url }] of (shown.buttons ?? []).entries())
          expect(`buttons[${i}]`, url ?? label);
      }),
      { numRuns: tries(300) },
    );
    t.pass(channel);
  }
});

t.test('each has its reason in words', async (t) => {
  const lane = 'express';
  const all = {
    body: 'x',
    options: {},
    image: 'https://i.example/i.png',
    deepLink: 'shop://1',
    buttons: [{ label: 'Yes' }, { label: 'Go', url: 'shop://2' }],
  };
  t.same(droppedOn('sms', all, { address: '+84912345678', lane }), [
    { field: 'image', why: 'only numbers of the United States and Canada get pictures by SMS' },
    { field: 'deepLink', why: 'SMS opens no shop: links' },
    { field: 'buttons[0]', why: 'SMS shows no button without a link here' },
    { field: 'buttons[1]', why: 'SMS opens no shop: links' },
  ]);
  t.same(droppedOn('fcm', all, { lane }), []);
  const kakao = droppedOn('kakao', { ...all, payload: { kakao: { templateId: 'a' } } }, { lane });
  t.same(
    kakao.map(({ field }) => field),
    ['image', 'deepLink', 'buttons'],
  );
  const header = { templateName: 'a', headerParams: [{ type: 'image' }] };
  const whatsapp = droppedOn('whatsapp', { ...all, payload: { whatsapp: header } }, { lane });
  t.same(
    whatsapp.map(({ field }) => field),
    ['deepLink', 'buttons'],
  );
});
