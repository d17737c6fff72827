// A partial read of a record gives the same texts and device as the whole record, and never ignores
// damage.

import fc from 'fast-check';
import t from 'tap';
import { contentFor } from '../../../../actors/content/render/content-for.ts';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { personReader } from '../../../../actors/sending/dispatch/person-reader.ts';
import { asBuffer, encodeRecord } from '../../../../storage/codec.ts';
import {
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../../storage/tables/subscriber.ts';
import { tries } from '../../../support/tries.ts';

const tagName = fc.oneof(
  fc.constantFrom('first_name', 'language', 'locale', 'points', 'subscriber', 'size'),
  fc.stringMatching(/^[a-z_]{1,6}$/),
);
const tagValue: fc.Arbitrary<TagValue> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 }),
  fc.constantFrom('de', 'de-AT', 'vi'),
);
const device = fc.record(
  {
    id: fc.constantFrom('dev_1', 'dev_2', 'dev_3'),
    channel: fc.constantFrom('fcm', 'email', 'webpush'),
    endpoint: fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.record({
        endpoint: fc.webUrl(),
        keys: fc.record({ p256dh: fc.string(), auth: fc.string() }),
      }),
    ),
    enabled: fc.boolean(),
    disabledReason: fc.string(),
    environment: fc.constantFrom('production' as const, 'sandbox' as const),
    createdMs: fc.nat({ max: 4e12 }),
    updatedMs: fc.nat({ max: 4e12 }),
  },
  {
    requiredKeys: ['id', 'channel', 'endpoint', 'enabled', 'createdMs', 'updatedMs'],
    noNullPrototype: true,
  },
);
const row: fc.Arbitrary<SubscriberRow> = fc.record(
  {
    id: fc.constant('sub_1'),
    person: fc.nat(),
    externalUserId: fc.string({ minLength: 1 }),
    devices: fc.array(device, { maxLength: 4 }),
    tags: fc.dictionary(tagName, tagValue, { maxKeys: 20, noNullPrototype: true }),
    preferredChannels: fc.array(fc.constantFrom('fcm', 'email')),
    timezone: fc.constantFrom('Asia/Bangkok', 'UTC'),
    createdMs: fc.nat({ max: 4e12 }),
    updatedMs: fc.nat({ max: 4e12 }),
  },
  {
    requiredKeys: ['id', 'person', 'devices', 'tags', 'createdMs', 'updatedMs'],
    noNullPrototype: true,
  },
);
const text = fc
  .array(
    fc.oneof(
      fc.constant('Hi '),
      fc.constantFrom(
        '{{ subscriber.externalUserId }}',
        '{{ subscriber.timezone }}',
        '{{ subscriber.id }}',
        '{{ subscriber.tags.points | plus: 1 }}',
        '{{ app.name }}',
        '{{ first_name | default: points }}',
        '{{ points | append: language }}',
        '{% if points > 3 %}{{ language }}{% endif %}',
        '{{ "now" | date: "%H" }}',
      ),
      tagName.map((name) => `{{ ${name} }}`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));
const message = fc.record(
  {
    title: text,
    body: text,
    data: fc.dictionary(fc.constantFrom('a', 'b'), text, { noNullPrototype: true }),
    localizations: fc.dictionary(fc.constantFrom('de', 'vi'), fc.record({ body: text }), {
      noNullPrototype: true,
    }),
  },
  { requiredKeys: ['body'], noNullPrototype: true },
) as fc.Arbitrary<MessageContent>;

const app = { name: 'Shop', timezone: 'UTC' };
const channels = ['fcm', 'email', 'webpush'] as const;

t.test(
  'what is read says the same words as the whole record, and finds the same device',
  async (t) => {
    let sparing = 0;
    fc.assert(
      fc.property(row, message, fc.constantFrom(...channels), (whole, content, channel) => {
        const { person, device } = personReader(
          content,
          channel,
        )(asBuffer(subscribers.encode(whole)));
        if (Object.keys(person.tags).length < Object.keys(whole.tags).length) sparing++;
        const words = (one: typeof person) =>
          JSON.stringify(contentFor(content, one, app, channel, 1_700_000_000_000));
        const found = whole.devices.find((one) => one.enabled && one.channel === channel);
        const sent = found && {
          id: found.id,
          endpoint: found.endpoint,
          createdMs: found.createdMs,
          environment: found.environment,
        };
        return (
          words(person) === words(whole) &&
          JSON.stringify(sent) ===
            JSON.stringify(
              device && {
                id: device.id,
                endpoint: device.endpoint,
                createdMs: device.createdMs,
                environment: device.environment,
              },
            )
        );
      }),
      { seed: 11, numRuns: tries(3_000) },
    );
    t.ok(sparing > tries(500), `${sparing} of them left tags unread`);
  },
);

t.test('damage is never ignored, whatever is read', async (t) => {
  const record = asBuffer(
    subscribers.encode({
      id: 'sub_1',
      person: 1,
      devices: [],
      tags: { plan: 'pro' },
      createdMs: 1,
      updatedMs: 1,
    }),
  );
  const read = personReader({ body: 'Hi' }, 'fcm');
  t.same(read(record).person.tags, {});
  for (let at = 1; at < record.length; at++) {
    const damaged = Buffer.from(record);
    damaged[at] = (damaged[at] as number) ^ 4;
    t.throws(() => read(damaged), { name: 'DamagedRecord' });
  }
  t.throws(() => read(asBuffer(encodeRecord(subscribers.version + 1, ['sub_1']))), /version/);
});
