import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { targetsOf } from '../../../../actors/sending/transactional/queue-send.ts';
import { Recipients } from '../../../../actors/sending/transactional/recipients.ts';
import { renderTransactional } from '../../../../actors/sending/transactional/render.ts';
import type { Context } from '../../../../engine/actor/message.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { type SubscriberRow, subscribers } from '../../../../storage/tables/subscriber.ts';
import { tries } from '../../../support/tries.ts';

const owner = 7;
const nowMs = Date.UTC(2026, 10, 30);
const id = formatId('sub', { ordinal: owner, atMs: nowMs, high16: 9, low32: 1 });

const texts = [
  'Hi {{ first_name }}',
  'Hi {{ first_name | default: "there" }}, {{ order_id }}',
  '{{ subscriber.id }} {{ subscriber.externalUserId }}',
  '{{ subscriber.timezone }} {{ subscriber.tags.plan }}',
  '{% if plan == "pro" %}pro{% else %}{{ plan }}{% endif %}',
  '{% for tag in subscriber.tags %}{{ tag[0] }}{% endfor %}',
  'no names at all',
];

const row: fc.Arbitrary<SubscriberRow> = fc.record(
  {
    id: fc.constant(id),
    person: fc.constant(1),
    externalUserId: fc.constant('ana'),
    devices: fc.array(
      fc.record({
        id: fc.constantFrom('dev_1', 'dev_2'),
        channel: fc.constantFrom('email', 'fcm'),
        endpoint: fc.string(),
        enabled: fc.boolean(),
        createdMs: fc.constant(nowMs),
      }) as fc.Arbitrary<SubscriberRow['devices'][number]>,
      { maxLength: 3 },
    ),
    tags: fc.dictionary(
      fc.constantFrom('first_name', 'plan', 'language', 'other', 'grüße'),
      fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.double({ noNaN: true })),
    ),
    timezone: fc.constantFrom('Asia/Bangkok', 'UTC'),
    createdMs: fc.constant(nowMs),
    updatedMs: fc.constant(nowMs),
  },
  { requiredKeys: ['id', 'person', 'devices', 'tags', 'createdMs', 'updatedMs'] },
);

const request = fc.record(
  {
    title: fc.constantFrom(...texts),
    body: fc.constantFrom(...texts),
    localizations: fc.constant({ vi: { body: 'Chào {{ first_name }}' } }),
    variables: fc.constant({ order_id: 'A-1' }),
  },
  { requiredKeys: ['title', 'body'] },
);

type App = ConstructorParameters<typeof Recipients>[0];
const app = {
  people: {
    find: (name: string) => (name === 'ana' ? 1 : undefined),
    canonical: (one: number) => one,
  },
} as unknown as App;
const record = { id: '', ordinal: owner, org: 1, name: 'App', timezone: 'UTC', createdMs: 0 };

/** A context whose only document is this record. */
function contextOf(stored: Uint8Array): Context {
  const documents = {
    get: () => subscribers.decode(stored, new Uint8Array(1)),
    lend: (_table: unknown, _key: unknown, use: (bytes: Uint8Array) => void) => {
      use(stored);
      return true;
    },
  };
  return { owner, nowMs, documents } as unknown as Context;
}

t.test('a send is rendered from parts of a record as from all of it', (t) => {
  let quick = 0;
  let all = 0;
  fc.assert(
    fc.property(row, request, fc.boolean(), (person, given, byId) => {
      const context = contextOf(subscribers.encode(person));
      const to = byId ? { id } : { externalUserId: 'ana' };
      const recipients = new Recipients(app, given, context);
      const found = recipients.of({ to });
      quick += recipients.quick;
      all++;
      if (!('person' in found)) throw new Error('found nobody');
      const [parts, whole] = [found.person, person].map((one) => {
        const targets = targetsOf(one, undefined);
        return { targets, rendered: renderTransactional(record, one, given, targets, nowMs) };
      });
      deepStrictEqual(parts, whole);
    }),
    { numRuns: tries(300) },
  );
  t.ok(quick > all / 5, `${quick} of ${all} were read in parts`);
  t.end();
});

t.test('a damaged record is named by its key', (t) => {
  const stored = subscribers.encode({
    ...{ id, person: 1, devices: [], tags: {}, createdMs: nowMs, updatedMs: nowMs },
  });
  stored[8] = (stored[8] as number) ^ 1;
  const recipients = new Recipients(app, { body: 'Hi' }, contextOf(stored));
  t.throws(() => recipients.of({ to: { externalUserId: 'ana' } }), /record 00 of table/);
  t.equal(recipients.quick, 0);
  t.end();
});
