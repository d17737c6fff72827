// A row that says what is stored is skipped only where the whole upsert would write it again.

import fc from 'fast-check';
import t from 'tap';
import { endpointKey } from '../../../../../actors/people/audience/endpoint-owner.ts';
import { normalizeEndpoint } from '../../../../../actors/people/audience/identity.ts';
import type {
  DeviceInput,
  SubscriberInput,
} from '../../../../../actors/people/audience/protocol.ts';
import { type UpsertReads, upsert } from '../../../../../actors/people/audience/upsert.ts';
import type { DocumentReader } from '../../../../../engine/actor/message.ts';
import { seededRng } from '../../../../../engine/base/rng.ts';
import { endpoints, type SubscriberRow } from '../../../../../storage/tables/subscriber.ts';

const app: UpsertReads = {
  people: { next: 8 },
  settings: { defaultCountry: 'VN' },
  emailDomains: new Map(),
  traits: { tags: new Map(), events: new Map() },
  unvouched: { tags: new Set(['whispered']) },
  topics: new Map(),
};
const [before, later] = [1_000, 2_000];

const value = fc.constantFrom<string | number | boolean | string[]>(
  ...['a', 'b', '', 0, -0, 1, true, false],
  [],
  ['a'],
  ['a', 'b'],
);
const tags = (one: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom('plan', 'city', 'whispered'), one, { noNullPrototype: true });
const device = fc.record<DeviceInput>(
  {
    channel: fc.constantFrom('email', 'sms'),
    endpoint: fc.constantFrom('Ada@example.com', 'ada@example.com', '0912345678', '+84912345678'),
    enabled: fc.boolean(),
    disabledReason: fc.constantFrom('disabled_by_caller', 'bounced'),
    environment: fc.constantFrom('production', 'sandbox'),
    registeredBy: fc.constant('client'),
    fromTrait: fc.constantFrom('email', 'phone'),
  },
  { requiredKeys: ['channel', 'endpoint'] },
);
const person = (one: fc.Arbitrary<unknown>, gone: fc.Arbitrary<null>) =>
  fc.record(
    {
      externalUserId: fc.constant('ada'),
      tags: tags(one),
      timezone: fc.oneof(fc.constantFrom('Asia/Hanoi', 'Europe/Berlin'), gone),
      preferredChannels: fc.oneof(fc.constantFrom(['email'], ['sms', 'email']), gone),
      devices: fc.array(device, { maxLength: 3 }),
    },
    { requiredKeys: ['externalUserId'] },
  ) as fc.Arbitrary<SubscriberInput>;
const nobody = fc.constant(null);

/** The addresses of a stored person, and nothing else. */
function storeOf(row: SubscriberRow | undefined): Pick<DocumentReader, 'get'> {
  return {
    get(table, [channel, digest]) {
      if (table.id !== endpoints.id) return undefined;
      const mine = row?.devices.find((one) => {
        const normal = normalizeEndpoint(one.channel as 'email', one.endpoint);
        if ('problem' in normal) throw new Error(normal.problem);
        const [, own] = endpointKey(one.channel, normal.key);
        return one.channel === channel && Buffer.compare(own, digest as Uint8Array) === 0;
      });
      return mine && ({ person: row?.person, deviceId: mine.id } as never);
    },
  };
}

function upserted(
  input: SubscriberInput,
  stored: SubscriberRow | undefined,
  skipsUnchanged: boolean,
) {
  const nowMs = stored === undefined ? before : later;
  const context = { owner: 3, nowMs, rng: seededRng(nowMs), documents: storeOf(stored) };
  return upsert(app, input, stored, context, { skipsDevices: true, skipsUnchanged });
}

/** All but the instants of the change. */
function meant({ devices, updatedMs: _, ...row }: SubscriberRow): object {
  return { ...row, devices: devices.map(({ updatedMs: _at, ...rest }) => rest) };
}

t.test('skipped only where nothing would change', async (t) => {
  let skipped = 0;
  let written = 0;
  fc.assert(
    fc.property(
      person(value, nobody),
      person(fc.oneof(value, nobody), nobody),
      fc.boolean(),
      (first, second, isAgain) => {
        const made = upserted(first, undefined, false);
        if ('fault' in made) return;
        const input = isAgain ? first : second;
        const whole = upserted(input, made.row, false);
        const quick = upserted(input, made.row, true);
        if ('fault' in whole || 'fault' in quick) {
          t.strictSame(quick, whole);
          return;
        }
        if (quick.documents.length > 0) {
          t.strictSame(meant(quick.row), meant(whole.row));
          written++;
          return;
        }
        skipped++;
        t.strictSame(quick.row, made.row);
        t.strictSame(meant(whole.row), meant(made.row), JSON.stringify(input));
        t.strictSame(quick.refused, whole.refused);
        t.same(quick.entries, []);
        t.notOk(Object.keys(input.tags ?? {}).includes('whispered'), 'its name gets vouched for');
      },
    ),
    { numRuns: 3000 },
  );
  t.ok(skipped > 100 && written > 100, `${skipped} skipped, ${written} written`);
});

t.test('the row of yesterday is skipped', async (t) => {
  const row: SubscriberInput = {
    externalUserId: 'ada',
    tags: { plan: 'pro', topics: ['a', 'b'] },
    timezone: 'Europe/Berlin',
    preferredChannels: ['email'],
    devices: [
      { channel: 'email', endpoint: 'Ada@Example.com' },
      { channel: 'sms', endpoint: '0912345678' },
    ],
  };
  const made = upserted(row, undefined, false);
  if ('fault' in made) throw new Error(made.fault.message);
  const again = upserted(row, made.row, true);
  t.match(again, { created: false, documents: [], entries: [] });
  const unclaimed = upserted(row, { ...made.row, unclaimed: true }, true);
  t.match(unclaimed, { documents: [{}, {}, {}] }, 'but whoever was not claimed yet is now');
});
