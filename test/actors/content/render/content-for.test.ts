import fc from 'fast-check';
import t from 'tap';
import { channelIds } from '../../../../actors/channels/channel-ids.ts';
import { contentFor, formOf } from '../../../../actors/content/render/content-for.ts';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { tries } from '../../../support/tries.ts';

const nowMs = Date.UTC(2026, 0, 1);
const shop = { name: 'Shop', timezone: 'UTC' };

const text = fc.constantFrom('Hi {{ name }}', '<p>Hi {{ name }}</p>', '{{ name }}', 'Hi');
const some = { requiredKeys: [] };
const message: fc.Arbitrary<MessageContent> = fc.record(
  {
    title: text,
    body: text,
    deepLink: fc.constantFrom('shop://new', '{{ link }}'),
    payload: fc.record(
      {
        whatsapp: fc.constant({ templateName: 'a', bodyParams: ['{{ name }}'] }),
        kakao: fc.constant({ templateCode: 'b' }),
      },
      some,
    ),
    localizations: fc.record({ de: fc.record({ title: text, body: text }, some) }, some),
  },
  some,
);
const person = fc.record({
  id: fc.constant('sub_1'),
  tags: fc.record({ name: fc.constantFrom('Ada', '<b>', ''), language: fc.constant('de') }, some),
});

t.test('channels of one form are shown the same of every message', async (t) => {
  fc.assert(
    fc.property(message, person, (message, person) => {
      const shown = new Map<string, string>();
      for (const channel of channelIds) {
        const now = JSON.stringify(contentFor(message, person, shop, channel, nowMs));
        const form = formOf(message, channel);
        if (shown.has(form)) t.equal(now, shown.get(form), `${channel} ${JSON.stringify(message)}`);
        shown.set(form, now);
      }
    }),
    { numRuns: tries(300) },
  );
});

t.test(
  'without a body only the channel whose template stands for it is shown anything',
  async (t) => {
    const templates = { payload: { whatsapp: { templateName: 'a' } }, title: 'x' };
    const ada = { id: 'sub_1', tags: {} };
    for (const channel of channelIds) {
      const shown = contentFor(templates, ada, shop, channel, nowMs);
      if (channel === 'whatsapp') t.ok('content' in shown);
      else t.match(shown, { fault: { field: 'body', message: /^body: is missing/ } }, channel);
    }
    const german = { ...templates, localizations: { de: { body: 'Hallo' } } };
    const berta = { id: 'sub_2', tags: { language: 'de-AT' } };
    t.match(contentFor(german, berta, shop, 'fcm', nowMs), { content: { body: 'Hallo' } });
    t.match(contentFor(german, ada, shop, 'fcm', nowMs), { fault: { field: 'body' } });
  },
);
